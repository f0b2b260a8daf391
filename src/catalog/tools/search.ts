// Searches in plain words among the tools that a principal may see.
//
// Tool sets are indexed once, however many connections offer them, and by the first search that needs them. Which
// connections a principal sees, and which of their tools are for them, is kept while the store's revision stands.
import { withoutRoot } from "../../core/address.ts"
import type { Principal } from "../../core/principal.ts"
import { localSlug } from "../../core/workspaces/workspace.ts"
import type { Clock } from "../../io/clock.ts"
import { principalKey } from "../../io/fair-queue.ts"
import { sha256 } from "../../io/ids.ts"
import type { FairQueue } from "../../io/fair-queue.ts"
import { allConnections, allIntegrations } from "../../store/all-rows.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, Store } from "../../store/store.ts"
import { createSearchIndex } from "../../search/search.ts"
import type { Mount, SearchAnswer, SearchRequest } from "../../search/search.ts"
import { createStaticTools, slugOfStatic } from "../static-tool.ts"
import type { StaticTool, StaticTools } from "../static-tool.ts"
import type { MeaningSet } from "../search-meaning/meaning.ts"
import { meaningSets, staticIndexed, toolsOfSet } from "./search-documents.ts"
import { currentAccess } from "../../identity/access.ts"
import { visibleTools } from "./visible-tools.ts"
import type { VisibleParts, VisibleTools } from "./visible-tools.ts"
import type { WorkspaceTools } from "./workspace-tools.ts"

/** Where to look. `among`: only these tools, by their paths; nothing else of a catalog takes their places. */
export type SearchScope = { readonly namespace?: string; readonly among?: ReadonlySet<string> }

export type ToolSearch = {
  search(principal: Principal, request: SearchRequest & SearchScope): Promise<SearchAnswer>
  /** Of what the principal sees, for search by meaning. */
  meaningSets(principal: Principal, scope?: SearchScope): Promise<MeaningSet[]>
  /** Paths that may have been meant by one that does not exist, from the same connection first. */
  suggest(principal: Principal, path: string, limit: number): Promise<string[]>
}

export type ToolSearchParts = VisibleParts & {
  readonly fairQueue: FairQueue
  readonly store: Store
  readonly clock: Clock
  readonly workspaceTools: WorkspaceTools
}

/** A mount, and where its tools are read. */
type Offer = { readonly mount: Mount; readonly from: ConnectionRow | StaticTools }

const cachedPrincipalsMax = 200
/** A set that nobody searched for so long was replaced, or is rarely asked for; it is indexed again when it is. */
const unusedMs = 3_600_000
const indexedSetsMax = 5000

export function createToolSearch(parts: ToolSearchParts): ToolSearch {
  const index = createSearchIndex()
  const building = new Map<string, Promise<void>>()
  /** In the order of their last use. */
  const usedAtMs = new Map<string, number>()
  const cache = createRevisionCache<readonly Offer[]>(parts.store, cachedPrincipalsMax)
  const offers = async (principal: Principal): Promise<readonly Offer[]> =>
    cache((await currentAccess(principal, parts)).viewKey, () => readOffers(principal, parts))

  const build = ({ mount, from }: Offer, principal: Principal): Promise<void> => {
    const tools = "list" in from ? staticIndexed(mount.integration, from) : toolsOfSet(principal, refOf(from), parts.store)
    const work = index
      .put(mount.toolSet, tools)
      .then(dropUnused)
      .finally(() => building.delete(mount.toolSet))
    building.set(mount.toolSet, work)
    return work
  }

  const dropUnused = (): void => {
    const before = parts.clock.monotonicMs() - unusedMs
    for (const [toolSet, atMs] of usedAtMs) {
      if (atMs > before && usedAtMs.size <= indexedSetsMax) return
      usedAtMs.delete(toolSet)
      index.drop(toolSet)
    }
  }

  /** The mounts of everything that the principal sees, indexed. */
  const ready = async (principal: Principal, scope: SearchScope = {}): Promise<Mount[]> => {
    const seen = within([...(await offers(principal)), ...(await localOffers(principal, parts))], scope)
    const nowMs = parts.clock.monotonicMs()
    for (const { mount } of seen) {
      usedAtMs.delete(mount.toolSet)
      usedAtMs.set(mount.toolSet, nowMs)
    }
    for (const offer of seen) if (!index.has(offer.mount.toolSet)) await (building.get(offer.mount.toolSet) ?? build(offer, principal))
    const mounts = seen.map((offer) => offer.mount)
    await index.prepare(mounts)
    return mounts
  }

  /** Looking through a large catalog takes milliseconds, whichever surface asks for it. */
  const inTurn = <T>(principal: Principal, work: () => T): Promise<T> => parts.fairQueue.take(principalKey(principal), async () => work())

  return {
    async search(principal, request) {
      const mounts = await ready(principal, request)
      return inTurn(principal, () => index.search(request, mounts))
    },
    async meaningSets(principal, scope = {}) {
      return meaningSets(principal, within(await offers(principal), scope), scope.namespace, parts.store)
    },
    async suggest(principal, path, limit) {
      const wanted = withoutRoot(path)
      const own = await ready(principal, { namespace: wanted })
      const near = await inTurn(principal, () => index.suggest(wanted, limit, own))
      if (near.length > 0) return near
      const all = await ready(principal)
      return inTurn(principal, () => index.suggest(wanted, limit, all))
    },
  }
}

/** Whoever asks for one integration, or for some tools, does not wait until the others are indexed. */
function within(offers: readonly Offer[], { namespace, among }: SearchScope): readonly Offer[] {
  const slug = namespace?.split(".", 1)[0]?.toLowerCase()
  const named = slug === undefined ? [] : offers.filter((offer) => offer.mount.integration === slug)
  const asked = named.length === 0 ? offers : named
  return among === undefined ? asked : narrowed(asked, among)
}

function narrowed(offers: readonly Offer[], among: ReadonlySet<string>): Offer[] {
  const places = new Set([...among].flatMap((path) => [path.split(".", 1).join("."), path.split(".", 3).join(".")]))
  return offers.flatMap(({ mount, from }) => {
    const { prefix, isVisible } = mount
    if (!places.has(prefix)) return []
    return [{ mount: { ...mount, isVisible: (name) => among.has(`${prefix}.${name}`) && isVisible?.(name) !== false }, from }]
  })
}

async function readOffers(principal: Principal, parts: ToolSearchParts): Promise<Offer[]> {
  const { store } = parts
  const seen = await visibleTools(principal, parts)
  const names = new Map<string, string>((await allIntegrations(principal, store)).map((row) => [row.slug, row.name]))
  const found: Offer[] = [...Map.groupBy(seen.shownStatic(), slugOfStatic)].map(([slug, tools]) => ({
    mount: staticMount(slug, tools, parts.staticTools),
    from: parts.staticTools,
  }))
  for (const row of await allConnections(principal, {}, store))
    if (row.toolSetId !== null && seen.mayHave(row.integration)) found.push({ mount: toMount(row, row.toolSetId, names, seen), from: row })
  return found
}

/** Those of the workspace that the principal acts with; indexed by their content, because a workspace may be opened again with others. */
async function localOffers(principal: Principal, parts: ToolSearchParts): Promise<Offer[]> {
  const listed = parts.workspaceTools.list(principal)
  if (listed.length === 0) return []
  const from = createStaticTools(listed)
  const shown = (await visibleTools(principal, { ...parts, staticTools: from })).shownStatic()
  const content = sha256(JSON.stringify(listed.map(({ fqid, title, description }) => [fqid, title, description])))
  return [{ mount: { ...staticMount(localSlug, shown, from), toolSet: `local:${content}` }, from }]
}

function toMount(row: ConnectionRow, toolSet: string, names: ReadonlyMap<string, string>, seen: VisibleTools): Mount {
  const isVisible = seen.shownIn(row)
  return {
    toolSet,
    prefix: `${row.integration}.${row.owner}.${row.name}`,
    integration: row.integration,
    integrationName: names.get(row.integration) ?? row.integration,
    // Where everything is shown, nothing has to be asked.
    ...(isVisible === null ? {} : { isVisible }),
  }
}

function staticMount(slug: string, shown: readonly StaticTool[], tools: StaticTools): Mount {
  const fqids = new Set(shown.map(({ fqid }) => fqid))
  return {
    toolSet: `static:${slug}`,
    prefix: slug,
    integration: slug,
    integrationName: tools.source(slug).name,
    isVisible: (name) => fqids.has(`${slug}.${name}`),
  }
}
