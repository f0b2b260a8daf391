// Offers the tools of MCP servers to the model.
import type { ToolRegistryBuilder } from "../registry-builder.ts"
import type { McpTools } from "../tool-part.ts"
import { McpHandler } from "./mcp-handler.ts"
import { addMcpResourceTools } from "./resource-tools.ts"
import { McpToolTable } from "./tool-table.ts"

/** The tools for resources come with a table of a `McpConnectionManager`: a plain map has no way to them. */
export function addMcpTools(builder: ToolRegistryBuilder, tools: McpTools): void {
  if (tools instanceof McpToolTable) addMcpResourceTools(builder, tools.resources)
  const handler = new McpHandler(tools)
  for (const [name, { tool, supportsParallel }] of tools) {
    const parameters: Readonly<Record<string, unknown>> = tool.inputSchema
    builder.pushSpecWithParallelSupport({ type: "function", name, description: tool.description ?? "", parameters }, supportsParallel)
    builder.registerHandler(name, handler)
  }
}
