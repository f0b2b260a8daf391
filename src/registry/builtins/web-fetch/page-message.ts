// What the server and the thread that reads web pages say to each other.
export const pageFormats = ["markdown", "text", "html"] as const
export type PageFormat = (typeof pageFormats)[number]

export type PageJob = {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Where it came from: links are relative to it. */
  readonly url: string
  readonly format: PageFormat
  readonly charsMax: number
}

export type PageAnswer =
  | { readonly ok: true; readonly title: string | null; readonly content: string; readonly totalChars: number }
  | { readonly ok: false; readonly message: string }
