// The groups of tools that a config asks for, in the order in which the model reads about them.
import { addDynamicTools } from "./dynamic-handler.ts"
import { addShellTools } from "./local/shell-tools.ts"
import { addMcpTools } from "./mcp/add-mcp-tools.ts"
import type { McpTools, ToolPart } from "./tool-part.ts"
import type { DynamicToolSpec } from "./tool.ts"
import type { ToolsConfig } from "./tools-config.ts"

export function toolParts(config: ToolsConfig, mcpTools: McpTools, dynamicTools: readonly DynamicToolSpec[]): readonly ToolPart[] {
  return [
    (builder) => addShellTools(builder, config),
    ...(config.parts ?? []),
    (builder) => addMcpTools(builder, mcpTools),
    (builder) => addDynamicTools(builder, dynamicTools),
  ]
}
