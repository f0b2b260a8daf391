// The seam between the router and the groups of tools that it is made of.
//
// A group (local tools, shell, MCP, catalog) exports a function `add…Tools(builder, …)` that pushes its specs and registers
// its handlers, and `tool-parts.ts` names it. Whatever takes time, such as asking a server for its tools, happens before:
// a part is not asynchronous.
import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import type { ToolRegistryBuilder } from "./registry-builder.ts"

export type ToolPart = (builder: ToolRegistryBuilder) => void

/** The tools of all MCP servers by their qualified names, as `McpConnectionManager.listAllTools()` gives them. */
export type McpTools = ReadonlyMap<string, McpToolInfo>

export type McpToolInfo = {
  readonly serverName: string
  /** Its name on the server. */
  readonly toolName: string
  /** As the server describes it. */
  readonly tool: Tool
  readonly supportsParallel: boolean
  /** Whom a call goes to. */
  readonly connections: McpToolCaller
}

export type McpToolCaller = {
  callTool(server: string, tool: string, args: unknown, options?: { readonly signal?: AbortSignal }): Promise<CallToolResult>
}
