// What the server's thread and the compiling thread say to each other: flat values and texts, which are cheap to copy.
import type { ErrorCode } from "../../core/errors.ts"
import type { SourceFacts } from "../../core/integration.ts"
import type { JsonText } from "../../core/tool.ts"
import type { ListedTool } from "../source-adapter.ts"
import type { CompileOptions } from "./compile.ts"

export type CompileJob = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The files of a stored bundle. */
  readonly files: readonly (readonly [url: string, text: string])[]
  /** Whether files that the document refers to may be asked for. */
  readonly mayAsk: boolean
  readonly options: CompileOptions
}

export type FileAnswer =
  | { readonly url: string; readonly ok: true; readonly text: string }
  | { readonly url: string; readonly ok: false; readonly reason: string }

export type ToThread = ({ readonly kind: "compile" } & CompileJob) | { readonly kind: "files"; readonly files: readonly FileAnswer[] }

export type CompileAnswer = {
  readonly facts: SourceFacts
  readonly tools: readonly ListedTool[]
  readonly definitions: readonly (readonly [name: string, text: JsonText])[]
  /** The document's bytes, given back. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Every file that was used. */
  readonly files: readonly (readonly [url: string, text: string])[]
}

export type FromThread =
  | { readonly kind: "need"; readonly urls: readonly string[] }
  | ({ readonly kind: "done" } & CompileAnswer)
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string }
