// A tool of one integration as a client sees it that calls tools one by one.
import type { Effect, JsonSchema } from "./tool.ts"

export type DirectTool = {
  readonly address: string
  /** As the catalog has it: `issues.create`. */
  readonly name: string
  /** `<owner>.<connection>`; `static` where there is none. */
  readonly connection: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  /** With the shared definitions that it reaches. */
  readonly inputSchema: JsonSchema
  /** Of an MCP server's tool, whose answers are passed on as they are. */
  readonly outputSchema: JsonSchema | null
}
export type DirectTools = { readonly kind: string; readonly tools: readonly DirectTool[] }
