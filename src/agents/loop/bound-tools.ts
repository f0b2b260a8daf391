// Which tools a run has at one step: what the agent's patterns match and its principal can call at that moment.
//
// Every step asks, and the catalog rarely changes in between: what was found for a principal is kept while the store's
// revision stands. Tools of a workspace come and go with its process, so that they are looked up each time.
import { withoutRoot } from "../../core/address.ts"
import { toModelSchema } from "../../core/json/model-schema.ts"
import type { Principal } from "../../core/principal.ts"
import { modelDescription } from "../../core/text/model-description.ts"
import type { JsonSchema, ToolView } from "../../core/tool.ts"
import type { DiscoveryParts } from "../../catalog/builtins/discovery-parts.ts"
import { rankTools } from "../../catalog/builtins/tool-ranking.ts"
import type { StaticTool } from "../../catalog/static-tool.ts"
import { checkAccess, findTool } from "../../catalog/tools/access.ts"
import type { FoundTool } from "../../catalog/tools/access.ts"
import { listTools } from "../../catalog/tools/list.ts"
import { toolSchema } from "../../catalog/tools/schema.ts"
import { wholeSchemas } from "../../catalog/tools/schema-whole.ts"
import { ownSlug } from "../../core/address.ts"
import { isLocalPath } from "../../core/workspaces/workspace.ts"
import { currentAccess } from "../../identity/access.ts"
import { compilePattern, matchesPattern } from "../../policy/match.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import { modelNames } from "./model-names.ts"

export type BoundTool = {
  /** As the model calls it. */
  readonly name: string
  readonly address: string
  readonly description: string
  readonly schema: JsonSchema
  /** What its arguments are really called, by the names in `schema`. */
  readonly ownNames: Readonly<Record<string, string>>
  /** It only reads, by itself and without calls of its own, or was declared to have no side effects: several may run at once. */
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

const foundMax = 10

const cachedMax = 100
/** A longer list of tools is read again at every step. */
const cachedCharsMax = 200_000

export function createToolBinder(parts: DiscoveryParts): ToolBinder {
  const matches = createRevisionCache<readonly ToolView[]>(parts.store, cachedMax)
  const isKept = (tools: readonly BoundTool[]): boolean => JSON.stringify(tools).length <= cachedCharsMax
  const descriptions = createRevisionCache<readonly BoundTool[]>(parts.store, cachedMax, isKept)
  const keyOf = async (principal: Principal, words: readonly string[]): Promise<string> =>
    JSON.stringify([(await currentAccess(principal, parts)).viewKey, ...words])
  return {
    async match(principal, patterns) {
      await parts.staleSync.run(principal)
      const found = await matches(await keyOf(principal, patterns), () => matchedTools(principal, patterns, parts))
      const matched = found.map((tool) => [tool.address as string, tool] as const)
      const local = (await localTools(principal, parts)).map((tool) => [tool.fqid, tool] as const)
      return new Map<string, Pick<ToolView, "description">>([...matched, ...local].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    },

    async describe(principal, addresses) {
      const read = (): Promise<readonly BoundTool[]> => describeTools(principal, addresses, parts)
      return addresses.some(isLocalPath) ? read() : descriptions(await keyOf(principal, addresses), read)
    },

    async search(principal, query, among) {
      const paths = new Map([...among.keys()].map((address) => [withoutRoot(address), address]))
      const asked = { query: query.slice(0, parts.limits.searchQueryCharsMax) }
      const { hits } = await rankTools(principal, asked, foundMax, parts, { among: new Set(paths.keys()) })
      return hits.flatMap(({ path }) => paths.get(withoutRoot(path)) ?? [])
    },
  }
}

async function matchedTools(principal: Principal, patterns: readonly string[], parts: DiscoveryParts): Promise<ToolView[]> {
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
  return found
}

async function describeTools(principal: Principal, addresses: readonly string[], parts: DiscoveryParts): Promise<BoundTool[]> {
  const bound: BoundTool[] = []
  for (const [name, address] of modelNames(addresses)) {
    const found = await findTool(principal, address, parts)
    const schema = found.ok ? await toolSchema(principal, address, parts).catch(() => null) : null
    if (!found.ok || schema === null) continue
    const tool = found.kind === "static" ? found.tool : found.found.tool
    const description = modelDescription(tool)
    bound.push({ name, address, description, ...toModelSchema(wholeSchemas(schema).inputSchema), isSafe: isSafe(found, parts) })
  }
  return bound
}

function isSafe(found: FoundTool, { adapters }: DiscoveryParts): boolean {
  if (found.kind === "static") return found.tool.effect === "read"
  const { integration, tool } = found.found
  const adapter = adapters.get(integration.kind)
  return adapter?.executionOf?.(tool)?.isPure === true || (tool.effect === "read" && adapter?.makesCalls?.(tool) !== true)
}

/** Those of the run's workspace that its principal may call, whatever the agent's patterns are. */
async function localTools(principal: Principal, parts: DiscoveryParts): Promise<StaticTool[]> {
  const tools = parts.workspaceTools.list(principal)
  const access = await Promise.all(tools.map(({ fqid }) => checkAccess(principal, fqid, parts)))
  return tools.filter((_, place) => access[place]?.ok === true)
}

/** The only integrations that the patterns can match; null: any. */
function integrationsOf(patterns: readonly string[]): readonly (string | null)[] {
  const firsts = patterns.map((pattern) => pattern.split(".", 1)[0] ?? "*")
  return firsts.some((first) => first.includes("*")) ? [null] : [...new Set(firsts)]
}
