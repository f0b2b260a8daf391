// What the server's thread and the thread that compiles a schema say to each other.
import type { Limits } from "../../../core/limits.ts"
import type { Warning } from "../../../core/integration.ts"
import type { JsonText } from "../../../core/tool.ts"
import type { ListedTool } from "../../source-adapter.ts"
import type { FromThread, ToThread } from "../../thread-message.ts"

export type CompileJob = { readonly bytes: Uint8Array<ArrayBuffer>; readonly limits: Limits }

export type CompileAnswer = {
  readonly description: string
  readonly tools: readonly ListedTool[]
  readonly definitions: readonly (readonly [name: string, text: JsonText])[]
  readonly warnings: readonly Warning[]
}

export type ToCompiler = ToThread<CompileJob>
export type FromCompiler = FromThread<CompileAnswer>
