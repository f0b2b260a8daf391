// Reads the list in one order: tools of connections by their keys, with the working copies of the registry in its place.
//
// Whoever may edit the registry sees every tool of it, also what production does not resolve; for others its tools are
// rows of the catalog like any other. A position is a key in both cases, so that a cursor stays good when the right to
// edit comes or goes between two pages.
import { ConnectionName, IntegrationSlug } from "../../core/address.ts"
import type { ToolName } from "../../core/address.ts"
import { hasRight } from "../../core/principal.ts"
import { registrySlug } from "../../core/registry/tool.ts"
import type { ToolFilter } from "../../core/tool.ts"
import { toolKeyOf } from "../../store/store.ts"
import type { After, Store, ToolKey, ToolListFilter, ToolListRow, ToolRowFilter } from "../../store/store.ts"
import type { ListedTool } from "./listed-tool.ts"
import { listedRows, wantsSources } from "./listed-tool.ts"
import type { RegistryListing } from "./registry-listing.ts"
import type { VisibleTools } from "./visible-tools.ts"

export type ListPageParts = { readonly store: Store; readonly registryListing: RegistryListing }

export type ReadListed = (page: After<ToolKey>) => Promise<ListedTool[]>

/** Behind every tool of the registry: no name has such a character. */
const registryEnd: ToolKey = {
  integration: IntegrationSlug.make(registrySlug),
  owner: "org",
  connection: ConnectionName.make("main"),
  tool: "~" as ToolName, // a position, never a tool
}

export function listPages(filter: ToolFilter, seen: VisibleTools, parts: ListPageParts): ReadListed {
  const { principal } = seen
  const isEditor = hasRight(principal, "registry.write") && wantsRegistry(filter, seen)
  const isNothing = !wantsSources(filter) && !wantsRegistry(filter, seen)
  const rows = rowFilter(wantsSources(filter) ? filter : { ...filter, integration: registrySlug }, seen)
  const chosen: ToolListFilter = { ...rows, ...(seen.choose === null ? {} : { choose: seen.choose }) }
  const catalog = (page: After<ToolKey>): Promise<ToolListRow[]> =>
    isNothing ? Promise.resolve([]) : parts.store.tools.list(principal, chosen, page)
  if (!isEditor) return async (page) => listedRows(principal, await catalog(page), parts.registryListing)
  const { status, query } = filter
  const made = { ...(status === undefined ? {} : { status }), ...(query === undefined ? {} : { query }) }
  const registry = (page: After<string>): Promise<ListedTool[]> => parts.registryListing.page(principal, made, page)
  const hasOthers = wantsSources(filter) && filter.integration === undefined
  return merged(hasOthers ? catalog : () => Promise.resolve([]), registry, (found) => listedRows(principal, found, parts.registryListing))
}

/** Of the catalog's rows those of the registry are left out. */
function merged(
  catalog: (page: After<ToolKey>) => Promise<ToolListRow[]>,
  registry: (page: After<string>) => Promise<ListedTool[]>,
  listed: (rows: readonly ToolListRow[]) => Promise<ListedTool[]>,
): ReadListed {
  return async ({ after, limit }) => {
    if (after !== null && after.integration > registrySlug) return listed(await catalog({ after, limit }))
    const isInside = after?.integration === registrySlug
    const read = isInside ? [] : await catalog({ after, limit })
    const before = await listed(read.filter(({ integration }) => integration < registrySlug))
    if (before.length === limit) return before
    const made = await registry({ after: isInside ? after.tool : null, limit: limit - before.length })
    const room = limit - before.length - made.length
    if (room === 0) return [...before, ...made]
    const behind = read.filter(({ integration }) => integration > registrySlug)
    const isMore = isInside || (read.length === limit && behind.length < room)
    const rest = isMore ? await catalog({ after: behind.length === 0 ? registryEnd : lastKey(behind), limit: room - behind.length }) : []
    return [...before, ...made, ...(await listed([...behind, ...rest].slice(0, room)))]
  }
}

const lastKey = (rows: readonly ToolListRow[]): ToolKey | null => {
  const last = rows.at(-1)
  return last === undefined ? null : toolKeyOf(last)
}

const wantsRegistry = ({ integration, owner, connection }: ToolFilter, seen: VisibleTools): boolean =>
  (integration === undefined || integration === registrySlug) &&
  owner !== "user" &&
  (connection === undefined || connection === registryEnd.connection) &&
  seen.mayHave(registrySlug)

const rowFilter = (filter: ToolFilter, { integrations }: VisibleTools): ToolRowFilter => ({
  ...(integrations === null ? {} : { integration: integrations }),
  ...(filter.integration === undefined ? {} : { integration: filter.integration }),
  ...(filter.owner === undefined ? {} : { owner: filter.owner }),
  ...(filter.connection === undefined ? {} : { name: filter.connection }),
  ...(filter.query === undefined || filter.query === "" ? {} : { query: filter.query }),
})
