// A tool of one integration as shown to a client that calls tools directly.
import type { Effect, JsonSchema } from "../tool.ts"

export type DirectTool = {
  readonly address: string
  /** As in the catalog: `issues.create`. */
  readonly name: string
  /** `<owner>.<connection>`, or `static` if there is none. */
  readonly connection: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  /** With the shared definitions that it refers to. */
  readonly inputSchema: JsonSchema
  /** For the tool of an MCP server, whose results are passed on unchanged. */
  readonly outputSchema: JsonSchema | null
}
export type DirectTools = { readonly kind: string; readonly tools: readonly DirectTool[] }
