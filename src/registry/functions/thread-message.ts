// What the server and a thread that runs functions say to each other.

/** `resolverUrl`: a module whose `resolveOwnPackage` lets a config file import this package. */
export type FunctionThreadData = { readonly resolverUrl: string | null }

export type FunctionJob = {
  readonly moduleUrl: string
  readonly name: string
  readonly args: Record<string, unknown>
  readonly resultBytesMax: number
}

export type FunctionAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly reason: "threw" | "no_json" | "too_large" | "not_loaded"; readonly message: string }
