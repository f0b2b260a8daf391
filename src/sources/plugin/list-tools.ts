// Lists the tools of a plugin in the form that every source uses.
import { ToolName } from "../../core/address.ts"
import type { SourceFacts } from "../../core/integration.ts"
import type { Plugin, PluginTool } from "../../plugin/definition.ts"
import { slugOf } from "../../plugin/definition-check.ts"
import { inputJsonSchema, outputJsonSchema } from "../../plugin/json-schema.ts"
import { effectOfTool } from "../../plugin/tool-effect.ts"
import type { ListedTool, ListedTools } from "../source-adapter.ts"
import { authOptions } from "./auth-options.ts"

export const listPluginTools = (plugin: Plugin): ListedTools => ({
  facts: factsOf(plugin),
  tools: plugin.tools.map((tool) => listTool(tool, slugOf(plugin))),
  definitions: new Map(),
  document: null,
})

const factsOf = (plugin: Plugin): SourceFacts => ({
  title: plugin.name,
  version: "",
  description: plugin.description,
  // A plugin is the operator's own code: where it sends a token is its author's choice, and nothing is confirmed here.
  origins: [],
  auth: authOptions(plugin.authProviders ?? []),
  warnings: [],
  toolCount: plugin.tools.length,
})

function listTool(tool: PluginTool, slug: string): ListedTool {
  const { inputSchema, outputSchema } = schemasOf(tool)
  return {
    ...traitsOf(tool),
    name: ToolName.make(tool.path.slice(slug.length + 1)),
    title: tool.name,
    summary: "",
    description: tool.description,
    approvalDescription: null,
    deprecated: false,
    tags: [],
    inputSchema: JSON.stringify(inputSchema),
    outputSchema: outputSchema === null ? null : JSON.stringify(outputSchema),
    binding: JSON.stringify({ path: tool.path }),
  }
}

export const schemasOf = (tool: PluginTool) => ({
  inputSchema: inputJsonSchema(tool.inputSchema, `${tool.path}: inputSchema`),
  outputSchema: tool.outputSchema === undefined ? null : outputJsonSchema(tool.outputSchema),
})

export function traitsOf(tool: PluginTool) {
  const effect = effectOfTool(tool)
  // Nobody can see from outside whether a handler asks.
  return { effect, requiresApproval: effect !== "read", mayElicit: true }
}
