// Defines plugins and their tools, and rejects definitions that break a rule with a message that names the rule.
import type { Plugin, PluginTool, ToolDefinition } from "./definition.ts"
import { checkPluginDefinition, checkToolDefinition } from "./definition-check.ts"
import type { StandardSchema } from "./standard-schema.ts"

export function defineTool<Input extends StandardSchema, Output extends StandardSchema>(tool: ToolDefinition<Input, Output>): PluginTool {
  checkToolDefinition(tool)
  return Object.freeze({ ...tool })
}

/** Also takes what it gave before, so that a plugin made with another copy of this package is checked by this one. */
export function definePlugin(plugin: Plugin): Plugin {
  checkPluginDefinition(plugin)
  const tools = Object.freeze(plugin.tools.map((tool) => Object.freeze({ ...tool })))
  return Object.freeze({ ...plugin, authProviders: Object.freeze([...(plugin.authProviders ?? [])]), tools })
}
