// What the server's thread and the thread that compiles an OpenAPI document say to each other.
import type { CompiledTools, FromThread, ToThread } from "../../thread-message.ts"
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

export type CompileAnswer = CompiledTools & {
  /** The document's bytes, given back. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Every file that was used. */
  readonly files: readonly (readonly [url: string, text: string])[]
}

/** A thread asks for files by their URLs. */
export type ToCompiler = ToThread<CompileJob, readonly FileAnswer[]>
export type FromCompiler = FromThread<CompileAnswer, readonly string[]>
