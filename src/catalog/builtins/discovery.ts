// Discovery for code: search, describe, sources, namespaces, discover.
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import { withoutRoot } from "../../core/address.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { SearchItem, SearchPage, SourceItem, SourcePage, ToolDescription } from "../../core/discovery.ts"
import type { InventoryItem } from "../../core/inventory.ts"
import type { FairQueue } from "../../io/fair-queue.ts"
import { allIntegrations } from "../../store/all-rows.ts"
import type { ReadInventory } from "../tools/inventory.ts"
import { describeShort, standsOut } from "../../search/search.ts"
import type { SearchHit } from "../../search/search.ts"
import type { ToolSearch } from "../tools/search.ts"
import type { ToolListParts } from "../tools/list.ts"
import { checkAccess } from "../tools/access.ts"
import type { WorkingCopies } from "../tools/working-copies.ts"
import type { WorkspaceTools } from "../tools/workspace-tools.ts"
import type { ToolResolver } from "../tools/resolver.ts"
import { toolSchema, toolTypes } from "../tools/schema.ts"
import type { ToolTypes } from "../tools/schema.ts"
import { unconnected } from "../tools/unconnected.ts"
import { wholeSchemas } from "../tools/schema-whole.ts"

export type DiscoveryParts = ToolListParts & {
  readonly fairQueue: FairQueue
  readonly resolver: ToolResolver
  readonly workingCopies: WorkingCopies
  readonly workspaceTools: WorkspaceTools
  readonly finder: ToolSearch
  readonly inventory: ReadInventory
}

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
  await parts.staleSync.run(principal)
  const access = await checkAccess(principal, path, parts)
  if (!access.ok) return { error: await missing(principal, path, access, parts) }
  const view = await toolTypes(principal, path, parts)
  return view === null ? { error: { code: "tool_not_found", suggestions: [] } } : { ...access.facts, ...typesOf(view) }
}

export type ToolMissing = {
  readonly error: {
    readonly code: "tool_not_found" | "tool_blocked"
    /** Where more is known than that it is not there. */
    readonly message?: string
    readonly suggestions: readonly string[]
  }
}

/** A short path that several connections offer is meant to be one of those. */
async function missing(principal: Principal, path: string, { error }: ToolFailure, parts: DiscoveryParts): Promise<ToolMissing["error"]> {
  if (error.code === "tool_blocked") return { code: "tool_blocked", message: error.message, suggestions: [] }
  const { details } = error
  if (error.code === "tool_ambiguous" && typeof details === "object" && details !== null && "candidates" in details)
    return { code: "tool_not_found", suggestions: (details.candidates as string[]).slice(0, suggestionsMax) } // written by the resolver
  const absent = await unconnected(principal, path, parts)
  if (absent !== null) return { code: "tool_not_found", message: absent.error.message, suggestions: [] }
  return { code: "tool_not_found", suggestions: await parts.finder.suggest(principal, path, suggestionsMax) }
}

export async function listSources(
  principal: Principal,
  query: { readonly query?: string; readonly limit?: number; readonly offset?: number },
  parts: DiscoveryParts,
): Promise<SourcePage> {
  const wanted = (query.query ?? "").toLowerCase()
  const offset = wholeNumber(query.offset ?? 0, "offset", 0, Number.MAX_SAFE_INTEGER)
  const limit = wholeNumber(query.limit ?? 50, "limit", 1, limitMax)
  await parts.staleSync.run(principal)
  const { items: counted } = await parts.inventory(principal)
  const bySlug = new Map(counted.map((item) => [item.slug, item]))
  const isWanted = ({ slug, name, description }: Omit<SourceFields, "kind">): boolean =>
    [slug, name, description].some((text) => text.toLowerCase().includes(wanted))
  // What a rule blocks as a whole was not counted, and is not named.
  const rows = (await allIntegrations(principal, parts.store)).filter((row) => bySlug.has(row.slug) && isWanted(row))
  const all = rows.map((row) => toSource(row, bySlug.get(row.slug)))
  const known = new Set(all.map((item) => item.slug))
  // What is left are plugins without auth, whose tools need no connection.
  for (const item of counted) if (item.kind === "plugin" && !known.has(item.slug) && isWanted(item)) all.push(toSource(item, item))
  const items = all.slice(offset, offset + limit)
  const end = offset + items.length
  return { items, total: all.length, hasMore: end < all.length, nextOffset: end < all.length ? end : null }
}

export async function listNamespaces(principal: Principal, parts: DiscoveryParts): Promise<string[]> {
  await parts.staleSync.run(principal)
  const { items } = await parts.inventory(principal)
  return items
    .filter((item) => item.toolCount > 0)
    .map((item) => item.slug)
    .toSorted()
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
  const limit = wholeNumber(query.limit ?? 12, "limit", 1, limitMax)
  // Whether the first one stands out is seen in the second, also when it was not asked for.
  const { hits, total } = await find(principal, { ...query, limit: Math.max(limit, 2) }, 12, parts)
  const results = await Promise.all(
    hits.slice(0, limit).map(async (hit) => {
      const found = { path: hit.path, description: query.compact === true ? describeShort(hit.description, hintCharsMax) : hit.description }
      const schema = query.includeSchemas === true ? await toolSchema(principal, hit.path, parts) : null
      return schema === null ? found : { ...found, ...wholeSchemas(schema) }
    }),
  )
  return { bestPath: standsOut(hits) ? (hits[0]?.path ?? null) : null, results, total }
}

async function find(principal: Principal, query: SearchQuery, limitDefault: number, parts: DiscoveryParts) {
  if (typeof query.query !== "string") throw new ExecutorError("invalid_arguments", "Missing required parameter 'query'")
  const limit = wholeNumber(query.limit ?? limitDefault, "limit", 1, limitMax)
  const offset = wholeNumber(query.offset ?? 0, "offset", 0, 100_000)
  await parts.staleSync.run(principal)
  const namespace = query.namespace === undefined || query.namespace === null ? {} : { namespace: withoutRoot(query.namespace) }
  const answer = await parts.finder.search(principal, { query: query.query, limit, offset, ...namespace })
  return { ...answer, offset }
}

async function toItem(principal: Principal, hit: SearchHit, parts: DiscoveryParts): Promise<SearchItem> {
  const access = await checkAccess(principal, hit.path, parts)
  const score = Math.round(hit.score * 1000) / 1000
  return {
    path: hit.path,
    name: hit.title,
    description: hit.description,
    integration: hit.mount.integration,
    score,
    requiresApproval: access.ok ? access.facts.requiresApproval : true,
    ...(hit.deprecated ? { deprecated: true } : {}),
  }
}

const typesOf = ({ inputTypeScript, outputTypeScript, typeScriptDefinitions }: ToolTypes) => ({
  inputTypeScript,
  outputTypeScript,
  typeScriptDefinitions,
})

type SourceFields = { readonly slug: string; readonly kind: string; readonly name: string; readonly description: string }

const toSource = (row: SourceFields, counted: InventoryItem | undefined): SourceItem => ({
  slug: row.slug,
  kind: row.kind,
  name: row.name,
  description: describeShort(row.description, hintCharsMax),
  toolCount: counted?.toolCount ?? 0,
  unready: counted?.unready ?? [],
  connections: (counted?.connections ?? []).filter((one) => one.includes(".")).map((one) => `${row.slug}.${one}`),
})

function wholeNumber(value: number, name: string, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ExecutorError("invalid_arguments", `${name} must be a whole number from ${min} to ${max}`)
}
