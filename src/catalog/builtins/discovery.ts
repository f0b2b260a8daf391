// Discovery for code beside search and describe: sources, namespaces, catalog, discover.
import type { Principal } from "../../core/principal.ts"
import type { SourceItem, SourcePage } from "../../core/discovery.ts"
import type { InventoryItem } from "../../core/inventory.ts"
import { allIntegrations } from "../../store/all-rows.ts"
import { describeShort, standsOut } from "../../search/search.ts"
import { toolSchema } from "../tools/schema.ts"
import { schemasWithin } from "../tools/schema-whole.ts"
import { limitMax, wholeNumber } from "./discovery-parts.ts"
import type { DiscoveryParts } from "./discovery-parts.ts"
import { rankTools } from "./tool-ranking.ts"

const hintCharsMax = 140
/** Of all schemas in one answer, so that it can be shown to a model as a whole. */
const schemasCharsMax = 20_000

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
  const { hits } = await rankTools(principal, { ...query, query: query.query ?? "" }, 20, parts)
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
  const { hits, total } = await rankTools(principal, { ...query, limit: Math.max(limit, 2) }, 12, parts)
  const shown = hits.slice(0, limit)
  const schemaChars = Math.floor(schemasCharsMax / Math.max(1, shown.length))
  const results = await Promise.all(
    shown.map(async (hit) => {
      const found = { path: hit.path, description: query.compact === true ? describeShort(hit.description, hintCharsMax) : hit.description }
      const schema = query.includeSchemas === true ? await toolSchema(principal, hit.path, parts) : null
      return schema === null ? found : { ...found, ...schemasWithin(schema, schemaChars) }
    }),
  )
  return { bestPath: standsOut(hits) ? (hits[0]?.path ?? null) : null, results, total }
}

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
