// What the server's thread and a compiling thread say to each other: flat values and texts, which are cheap to copy.
import type { ErrorCode } from "../core/errors.ts"
import type { SourceFacts } from "../core/integration.ts"
import type { JsonText } from "../core/tool.ts"
import type { ListedTool } from "./source-adapter.ts"

/** What every kind of document is compiled to. */
export type CompiledTools = {
  readonly facts: SourceFacts
  readonly tools: readonly ListedTool[]
  readonly definitions: readonly (readonly [name: string, text: JsonText])[]
}

/** What a thread is started with, and the reply to what it asks. */
export type ToThread<Job, Reply = never> = { readonly kind: "job"; readonly job: Job } | { readonly kind: "reply"; readonly reply: Reply }

export type FromThread<Answer, Asked = never> =
  | { readonly kind: "ask"; readonly asked: Asked }
  | { readonly kind: "done"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly message: string }
