// The groups of tools that a config asks for, in the order in which the model reads about them.
import { addDynamicTools } from "./dynamic-handler.ts"
import { addFileTools } from "./local/file-tools.ts"
import { addShellTools, openShellWorkspace } from "./local/shell-tools.ts"
import { addMcpTools } from "./mcp/add-mcp-tools.ts"
import type { McpTools, ToolPart } from "./tool-part.ts"
import type { DynamicToolSpec } from "./tool.ts"
import type { ToolsConfig } from "./tools-config.ts"

export function toolParts(config: ToolsConfig, mcpTools: McpTools, dynamicTools: readonly DynamicToolSpec[]): readonly ToolPart[] {
  return [
    (builder) => addShellTools(builder, config),
    ...fileParts(config),
    ...(config.parts ?? []),
    (builder) => addMcpTools(builder, mcpTools),
    (builder) => addDynamicTools(builder, dynamicTools),
  ]
}

function fileParts(config: ToolsConfig): readonly ToolPart[] {
  if (config.workspace === undefined) return []
  const workspace = openShellWorkspace(config.workspace)
  return [(builder) => addFileTools(builder, workspace, config)]
}
