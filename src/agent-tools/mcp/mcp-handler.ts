// Answers calls of tools that MCP servers have.
import { readArguments } from "../call-arguments.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { McpTools } from "../tool-part.ts"
import type { ToolHandler, ToolInvocation, ToolOutput, ToolPayload } from "../tool.ts"
import { messageOf } from "./connection-error.ts"

export class McpHandler implements ToolHandler {
  readonly kind = "mcp"
  readonly #tools: McpTools

  /** The tools as the model was told of them. */
  constructor(tools: McpTools) {
    this.#tools = tools
  }

  matchesKind(payload: ToolPayload): boolean {
    return payload.type === "mcp"
  }

  /** A server that does not say that a tool only reads may change anything with it. */
  async isMutating({ toolName }: ToolInvocation): Promise<boolean> {
    return this.#tools.get(toolName)?.tool.annotations?.readOnlyHint !== true
  }

  async handle({ toolName, payload, signal }: ToolInvocation): Promise<ToolOutput> {
    if (payload.type !== "mcp") throw FunctionCallError.fatal(`tool ${toolName} invoked with incompatible payload`)
    const info = this.#tools.get(toolName)
    if (info === undefined) throw FunctionCallError.respondToModel(`unsupported call: ${toolName}`)
    const args = readArguments(payload.rawArguments)
    try {
      return { type: "mcp", result: { ok: true, value: await info.connections.callTool(payload.server, payload.tool, args, { signal }) } }
    } catch (error) {
      return { type: "mcp", result: { ok: false, error: messageOf(error) } }
    }
  }
}
