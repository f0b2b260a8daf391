// What code can ask about the catalog: search, describe, sources, namespaces, discover.
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import { withoutRoot } from "../../core/address.ts"
import type { ToolSchemaView } from "../../core/tool.ts"
import type { SearchItem, SearchPage, SourceItem, SourcePage, ToolDescription } from "../../core/discovery.ts"
import { verdictOn } from "../policy-desk.ts"
import { describeShort } from "../search/describe-short.ts"
import type { SearchHit } from "../search/indexed-tool.ts"
import { standsOut } from "../search/stands-out.ts"
import { ownSlug, slugOfStatic } from "../static-tool.ts"
import type { StaticTools } from "../static-tool.ts"
import type { ToolFinder } from "../tool-finder.ts"
import type { ToolListParts } from "../tool-list.ts"
import { isChanged } from "../tool-pins.ts"
import type { ToolResolver } from "../tool-resolve.ts"
import { toolSchema } from "../tool-schema.ts"

export type DiscoveryParts = ToolListParts & { readonly resolver: ToolResolver; readonly finder: ToolFinder }

export type SearchQuery = { readonly query: string; readonly namespace?: string; readonly limit?: number; readonly offset?: number }

const limitMax = 100
const hintCharsMax = 140
const suggestionsMax = 5

export async function searchTools(principal: Principal, query: SearchQuery, parts: DiscoveryParts): Promise<SearchPage> {
  const { hits, total, offset } = await find(principal, query, 12, parts)
  const items = await Promise.all(hits.map((hit) => toItem(principal, hit, parts)))
  const end = offset + items.length
  return { items, total, hasMore: end < total, nextOffset: end < total ? end : null }
}

export async function describeTool(principal: Principal, path: string, parts: DiscoveryParts): Promise<ToolDescription | ToolMissing> {
  const view = await toolSchema(principal, path, parts)
  const facts = view === null ? null : await factsOf(principal, path, parts)
  if (view === null || facts === null) {
    return { error: { code: "tool_not_found", suggestions: await parts.finder.suggest(principal, path, suggestionsMax) } }
  }
  return { ...facts, ...typesOf(view) }
}

export type ToolMissing = { readonly error: { readonly code: "tool_not_found"; readonly suggestions: readonly string[] } }

export async function listSources(
  principal: Principal,
  query: { readonly query?: string; readonly limit?: number; readonly offset?: number },
  parts: DiscoveryParts,
): Promise<SourcePage> {
  const wanted = (query.query ?? "").toLowerCase()
  const offset = wholeNumber(query.offset ?? 0, "offset", 0, Number.MAX_SAFE_INTEGER)
  const limit = wholeNumber(query.limit ?? 50, "limit", 1, limitMax)
  const all: SourceItem[] = []
  for (let after: string | null = null; ;) {
    const rows = await parts.store.integrations.list(principal, { after, limit: 500 })
    for (const row of rows) {
      const fits = [row.slug, row.name, row.description].some((text) => text.toLowerCase().includes(wanted))
      if (fits) all.push(await toSource(principal, row, parts))
    }
    after = rows.at(-1)?.slug ?? null
    if (rows.length < 500 || after === null) break
  }
  all.push(...staticSources(parts.staticTools).filter((item) => item.slug.includes(wanted)))
  const items = all.slice(offset, offset + limit)
  const end = offset + items.length
  return { items, total: all.length, hasMore: end < all.length, nextOffset: end < all.length ? end : null }
}

/** Plugins without auth, whose tools need no connection. */
function staticSources(tools: StaticTools): SourceItem[] {
  const counts = new Map<string, number>()
  for (const tool of tools.list()) counts.set(slugOfStatic(tool), (counts.get(slugOfStatic(tool)) ?? 0) + 1)
  counts.delete(ownSlug)
  return [...counts].map(([slug, toolCount]) => ({ slug, kind: "plugin", name: slug, description: "", toolCount, connections: [] }))
}

export async function listNamespaces(principal: Principal, parts: DiscoveryParts): Promise<string[]> {
  const sources = await listSources(principal, { limit: limitMax }, parts)
  return sources.items.filter((item) => item.toolCount > 0).map((item) => item.slug)
}

export async function catalogTools(
  principal: Principal,
  query: { readonly namespace?: string; readonly query?: string; readonly limit?: number },
  parts: DiscoveryParts,
) {
  const { hits } = await find(principal, { ...query, query: query.query ?? "" }, 20, parts)
  return hits.map((hit) => ({ path: hit.path, hint: hit.description || hit.title, namespace: hit.mount.integration }))
}

export type DiscoverQuery = {
  readonly query: string
  readonly limit?: number
  readonly compact?: boolean
  readonly includeSchemas?: boolean
}

export async function discover(principal: Principal, query: DiscoverQuery, parts: DiscoveryParts) {
  const { hits, total } = await find(principal, query, 12, parts)
  const results = await Promise.all(
    hits.map(async (hit) => {
      const found = { path: hit.path, description: query.compact === true ? describeShort(hit.description, hintCharsMax) : hit.description }
      const schema = query.includeSchemas === true ? await toolSchema(principal, hit.path, parts) : null
      return schema === null ? found : { ...found, inputSchema: schema.inputSchema, outputSchema: schema.outputSchema }
    }),
  )
  return { bestPath: standsOut(hits) ? (hits[0]?.path ?? null) : null, results, total }
}

async function find(principal: Principal, query: SearchQuery, limitDefault: number, parts: DiscoveryParts) {
  if (typeof query.query !== "string") throw new ExecutorError("invalid_arguments", "Missing required parameter 'query'")
  const limit = wholeNumber(query.limit ?? limitDefault, "limit", 1, limitMax)
  const offset = wholeNumber(query.offset ?? 0, "offset", 0, 100_000)
  const namespace = query.namespace === undefined ? {} : { namespace: withoutRoot(query.namespace) }
  const answer = await parts.finder.search(principal, { query: query.query, limit, offset, ...namespace })
  return { ...answer, offset }
}

async function toItem(principal: Principal, hit: SearchHit, parts: DiscoveryParts): Promise<SearchItem> {
  const facts = await factsOf(principal, hit.path, parts)
  const score = Math.round(hit.score * 1000) / 1000
  return {
    path: hit.path,
    name: hit.title,
    description: hit.description,
    integration: hit.mount.integration,
    score,
    requiresApproval: facts?.requiresApproval ?? true,
  }
}

/** Null where there is no such tool for the principal. */
async function factsOf(principal: Principal, path: string, parts: DiscoveryParts) {
  const rules = await parts.policyDesk.rules(principal)
  const fixed = parts.staticTools.find(withoutRoot(path))
  if (fixed !== undefined) {
    const verdict = verdictOn({ subject: fixed.fqid, requiresApproval: fixed.requiresApproval, alwaysAsks: fixed.alwaysAsks }, rules, null)
    return { path: fixed.fqid, name: fixed.title, description: fixed.description, requiresApproval: verdict.action === "require_approval" }
  }
  const resolution = await parts.resolver.resolve(principal, path)
  if (!resolution.ok) return null
  const { address, tool } = resolution.found
  const subject = { subject: withoutRoot(address), requiresApproval: tool.requiresApproval, alwaysAsks: isChanged(resolution.found) }
  const verdict = verdictOn(subject, rules, null)
  return {
    path: withoutRoot(address),
    name: tool.title,
    description: tool.description,
    requiresApproval: verdict.action === "require_approval",
  }
}

const typesOf = ({ inputTypeScript, outputTypeScript, typeScriptDefinitions }: ToolSchemaView) => ({
  inputTypeScript,
  outputTypeScript,
  typeScriptDefinitions,
})

async function toSource(
  principal: Principal,
  row: { slug: string; kind: string; name: string; description: string },
  parts: DiscoveryParts,
): Promise<SourceItem> {
  const connections = await parts.store.connections.list(principal, { integration: row.slug }, { after: null, limit: 100 })
  return {
    slug: row.slug,
    kind: row.kind,
    name: row.name,
    description: describeShort(row.description, hintCharsMax),
    toolCount: await parts.store.tools.count(principal, { integration: row.slug }),
    connections: connections.map((one) => `${one.integration}.${one.owner}.${one.name}`),
  }
}

function wholeNumber(value: number, name: string, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ExecutorError("invalid_arguments", `${name} must be a whole number from ${min} to ${max}`)
}
