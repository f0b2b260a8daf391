// Which tools a run has at one step: what the agent's patterns match and its principal can call at that moment.
import { withoutRoot } from "../../core/address.ts"
import type { Principal } from "../../core/principal.ts"
import type { JsonSchema, ToolView } from "../../core/tool.ts"
import { searchTools } from "../../catalog/builtins/discovery.ts"
import type { DiscoveryParts } from "../../catalog/builtins/discovery.ts"
import type { StaticTool } from "../../catalog/static-tool.ts"
import { checkAccess, findTool } from "../../catalog/tools/access.ts"
import { listTools } from "../../catalog/tools/list.ts"
import { toolSchema } from "../../catalog/tools/schema.ts"
import { wholeSchemas } from "../../catalog/tools/schema-whole.ts"
import { ownSlug } from "../../core/address.ts"
import { compilePattern, matchesPattern } from "../../policy/match.ts"
import { modelNames } from "./model-names.ts"

export type BoundTool = {
  /** As the model calls it. */
  readonly name: string
  readonly address: string
  readonly description: string
  readonly schema: JsonSchema
  /** It only reads, or has no side effects: several may run at once. */
  readonly isSafe: boolean
}

/** By address, without schemas. */
export type MatchedTools = ReadonlyMap<string, Pick<ToolView, "description">>

export interface ToolBinder {
  match(principal: Principal, patterns: readonly string[]): Promise<MatchedTools>
  /** Those that are still there, in the order of their addresses. */
  describe(principal: Principal, addresses: readonly string[]): Promise<readonly BoundTool[]>
  /** Addresses among these, the best first. */
  search(principal: Principal, query: string, among: MatchedTools): Promise<readonly string[]>
}

const searchedMax = 100
const foundMax = 10

export function createToolBinder(parts: DiscoveryParts): ToolBinder {
  return {
    async match(principal, patterns) {
      const compiled = patterns.map(compilePattern)
      const found: ToolView[] = []
      for (const integration of integrationsOf(patterns)) {
        const filter = { includeBlocked: false, ...(integration === null ? {} : { integration }) }
        for (const tool of await listTools(principal, filter, {}, parts)) {
          // What administers Executor is never an agent's.
          if (tool.integration === ownSlug) continue
          const subjects = [withoutRoot(tool.address), `${tool.integration}.${tool.name}`]
          if (compiled.some((pattern) => subjects.some((subject) => matchesPattern(pattern, subject)))) found.push(tool)
        }
      }
      const matched = found.map((tool) => [tool.address as string, tool] as const)
      const local = (await localTools(principal, parts)).map((tool) => [tool.fqid, tool] as const)
      return new Map<string, Pick<ToolView, "description">>([...matched, ...local].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    },

    async describe(principal, addresses) {
      const names = modelNames(addresses)
      const bound: BoundTool[] = []
      for (const [name, address] of names) {
        const found = await findTool(principal, address, parts)
        const schema = found.ok ? await toolSchema(principal, address, parts).catch(() => null) : null
        if (!found.ok || schema === null) continue
        const tool = found.kind === "static" ? found.tool : found.found.tool
        const isPure =
          found.kind === "connected" && parts.adapters.get(found.found.integration.kind)?.executionOf?.(found.found.tool)?.isPure === true
        const description = tool.description === "" ? tool.title : tool.description
        bound.push({ name, address, description, schema: wholeSchemas(schema).inputSchema, isSafe: isPure || tool.effect === "read" })
      }
      return bound
    },

    async search(principal, query, among) {
      const { items } = await searchTools(principal, { query, limit: searchedMax }, parts)
      const paths = new Map([...among.keys()].map((address) => [withoutRoot(address), address]))
      const local = parts.workspaceTools.list(principal).filter((tool) => among.has(tool.fqid) && isMeant(tool, query))
      const found = items.flatMap(({ path }) => paths.get(withoutRoot(path)) ?? [])
      return [...local.map(({ fqid }) => fqid), ...found].slice(0, foundMax)
    },
  }
}

/** Those of the run's workspace that its principal may call, whatever the agent's patterns are. */
async function localTools(principal: Principal, parts: DiscoveryParts): Promise<StaticTool[]> {
  const tools = parts.workspaceTools.list(principal)
  const access = await Promise.all(tools.map(({ fqid }) => checkAccess(principal, fqid, parts)))
  return tools.filter((_, place) => access[place]?.ok === true)
}

/** They are in no index; there are a handful of them. */
function isMeant({ fqid, description }: StaticTool, query: string): boolean {
  const text = `${fqid} ${description}`.toLowerCase()
  return (query.toLowerCase().match(/[a-z]{3,}/g) ?? []).some((word) => text.includes(word))
}

/** The only integrations that the patterns can match; null: any. */
function integrationsOf(patterns: readonly string[]): readonly (string | null)[] {
  const firsts = patterns.map((pattern) => pattern.split(".", 1)[0] ?? "*")
  return firsts.some((first) => first.includes("*")) ? [null] : [...new Set(firsts)]
}
