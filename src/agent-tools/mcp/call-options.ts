// What comes with a request to an MCP server: how it is cancelled, followed and asked about.
import type { ElicitAnswer } from "../../core/call/elicit.ts"
import type { McpProgress } from "../../sources/mcp/client.ts"
import type { JsonSchema } from "../tool.ts"

/** A question of a server for the human at the agent: a form to fill in, or a page to open. */
export type McpElicitation = (
  | { readonly kind: "form"; readonly message: string; readonly requestedSchema: JsonSchema }
  | { readonly kind: "url"; readonly message: string; readonly url: string }
) & {
  readonly server: string
  /** The tool that asks; null while a resource is read. */
  readonly tool: string | null
}

export type McpElicitationAnswer = ElicitAnswer

/** Answers a question; the signal is aborted when the call that asks is over. */
export type McpElicitationHandler = (question: McpElicitation, signal: AbortSignal) => Promise<McpElicitationAnswer>

export type McpCallOptions = {
  /** Cancels the call: the server is told, and whoever waits is answered at once. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: McpProgress) => void
  /** In place of the manager's own. Without either, questions are declined. */
  readonly onElicitation?: McpElicitationHandler
}
