// The conformance suite for plugins: checks the rules for every plugin, without a test framework.
import type { Plugin, PluginTool } from "../plugin/definition.ts"
import { definePlugin } from "../plugin/define.ts"
import { undeclaredMessage, undeclaredTools } from "../plugin/tool-effect.ts"
import { openPlugin } from "./plugin-open.ts"
import type { OpenOptions, OpenPlugin, SampleAnswer } from "./plugin-open.ts"

export type PluginCheck = OpenOptions & {
  /** Calls that must succeed; every tool should have one. */
  readonly calls?: readonly SampleCall[]
}
export type SampleCall = { readonly path: string; readonly input?: Record<string, unknown>; readonly answers?: readonly SampleAnswer[] }

/** What is wrong with it, a sentence each; empty where nothing is. */
export async function checkPlugin(plugin: Plugin, check: PluginCheck = {}): Promise<string[]> {
  const broken = brokenRule(plugin)
  if (broken !== null) return [broken]
  const problems = undeclaredTools(plugin).map(undeclaredMessage)
  for (const tool of plugin.tools) problems.push(...(await schemaProblems(tool)))
  const bench = await openPlugin(plugin, check)
  try {
    problems.push(...(await listingProblems(plugin, bench)))
    for (const call of check.calls ?? []) problems.push(...(await callProblems(call, plugin, bench)))
  } finally {
    await bench.close()
  }
  return problems
}

function brokenRule(plugin: Plugin): string | null {
  try {
    definePlugin(plugin)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What an agent may send, whatever the schema says. */
const hostileInputs: readonly unknown[] = [
  {},
  { "": "" },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  Object.fromEntries(["id", "limit", "query", "name"].map((name) => [name, "x".repeat(10_000)])),
]

/** A schema answers with issues; what it throws would reach the agent as an error of the plugin. */
async function schemaProblems(tool: PluginTool): Promise<string[]> {
  for (const input of hostileInputs) {
    try {
      await tool.inputSchema["~standard"].validate(structuredClone(input))
    } catch (error) {
      return [
        `The inputSchema of '${tool.path}' throws instead of returning issues: ${error instanceof Error ? error.message : "a value that is not an Error"}`,
      ]
    }
  }
  return "polluted" in {} ? [`The inputSchema of '${tool.path}' lets an argument change the prototype of all objects`] : []
}

async function listingProblems(plugin: Plugin, { executor }: OpenPlugin): Promise<string[]> {
  const listed = await executor.tools.list({ includeBlocked: true })
  const names = new Set(listed.map((tool) => `${tool.integration}.${tool.name}`))
  return plugin.tools
    .filter((tool) => !names.has(tool.path))
    .map((tool) => `'${tool.path}' is not in the catalog; is a token missing in \`tokens\`?`)
}

async function callProblems(call: SampleCall, plugin: Plugin, bench: OpenPlugin): Promise<string[]> {
  if (!plugin.tools.some((tool) => tool.path === call.path)) return [`There is no tool '${call.path}' to call`]
  const result = await bench.call(call.path, call.input, call.answers)
  return result.ok ? [] : [`'${call.path}' failed with ${result.error.code}: ${result.error.message}`]
}
