// Documents of a retrieval pipeline, as people add and see them.
import type { PageRequest } from "../page.ts"

/** What the stored text is; HTML becomes Markdown when it is added. */
export const documentFormats = ["text", "markdown"] as const
export type DocumentFormat = (typeof documentFormats)[number]

/** Exactly one of `text`, `markdown`, `html` and `file`. With a `source` that is known already, its document is replaced. */
export type DocumentAdd = {
  readonly title?: string
  /** Where it comes from, such as a path or a URL; unique in its pipeline. */
  readonly source?: string
  readonly text?: string
  readonly markdown?: string
  readonly html?: string
  readonly file?: DocumentFile
}

/** What it is follows from its name: Markdown, HTML, or any other text. */
export type DocumentFile = { readonly name: string; /** Base64. */ readonly data: string }

export type DocumentView = {
  readonly id: string
  readonly title: string
  readonly source: string | null
  readonly format: DocumentFormat
  readonly bytes: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** `query`: what the title or the source contains. */
export type DocumentsRequest = PageRequest & { readonly query?: string }

/** `unchanged`: it was there already, with the same text and title. */
export type DocumentAdded = DocumentView & { readonly outcome: "created" | "updated" | "unchanged"; readonly chunks: number }
