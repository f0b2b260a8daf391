// Counts the tools that a principal can reach, by integration and group, without reading any schema.
//
// Which sets of tools a principal sees, and which of their tools are for them, is counted again only when the store's
// revision moved.
import { ConnectionAddress } from "../../core/address.ts"
import type { UnreadyConnection } from "../../core/connection.ts"
import type { Inventory, InventoryItem, InventoryStanding } from "../../core/inventory.ts"
import type { Principal } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { allConnections, allIntegrations } from "../../store/all-rows.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, Store } from "../../store/store.ts"
import { isShown } from "../policies/evaluator.ts"
import { ownSlug } from "../../core/address.ts"
import type { StaticTool, StaticTools } from "../static-tool.ts"
import { currentAccess } from "../../identity/access.ts"
import { visibleTools } from "./visible-tools.ts"
import type { VisibleParts } from "./visible-tools.ts"

export type InventoryParts = VisibleParts & { readonly store: Store }
export type ReadInventory = (principal: Principal) => Promise<Inventory>

const cachedPrincipalsMax = 200
/** Of an integration whose tools are not known: only a rule about all of them fits. */
const unknownTool = "org.main.?"

export function createInventory(parts: InventoryParts): ReadInventory {
  const cache = createRevisionCache<Inventory>(parts.store, cachedPrincipalsMax)
  return async (principal) => cache((await currentAccess(principal, parts)).viewKey, () => count(principal, parts))
}

async function count(principal: Principal, parts: InventoryParts): Promise<Inventory> {
  const { store } = parts
  const seen = await visibleTools(principal, parts)
  const items: InventoryItem[] = []
  const connections = await allConnections(principal, {}, store)
  const slices = createTimeSlices()
  for (const integration of await allIntegrations(principal, store)) {
    if (!seen.mayHave(integration.slug)) continue
    const own = connections.filter((row) => row.integration === integration.slug)
    const names = new Set<string>()
    const offering: string[] = []
    let isHidden = own.every((row) => row.toolSetId === null) && !isShown(`${integration.slug}.${unknownTool}`, seen.rules)
    for (const row of own) {
      const isVisible = seen.shownIn(row)
      const all = row.toolSetId === null ? [] : await store.toolSets.names(principal, row.toolSetId)
      let shown = 0
      for (const name of all) {
        if (slices.isOver()) await slices.next()
        if (isVisible?.(name) === false) continue
        names.add(name)
        shown += 1
      }
      isHidden ||= all.length > 0 && shown === 0
      if (shown > 0) offering.push(`${row.owner}.${row.name}`)
    }
    // What is hidden as a whole is not named.
    if (names.size > 0 || !isHidden)
      items.push(toItem({ ...integration, standing: standingOf(own, names.size), unready: unreadyOf(own) }, offering, names))
  }
  items.push(...staticItems(parts.staticTools, seen.shownStatic()))
  items.sort((a, b) => b.toolCount - a.toolCount || (a.slug < b.slug ? -1 : 1))
  return { items, toolCount: items.reduce((sum, item) => sum + item.toolCount, 0) }
}

/** Plugins without connections. What Executor brings itself is told apart from what it was connected to. */
function staticItems(tools: StaticTools, shown: readonly StaticTool[]): InventoryItem[] {
  const names = new Map<string, Set<string>>()
  for (const { fqid, audience } of shown) {
    const dot = fqid.indexOf(".")
    const slug = fqid.slice(0, dot)
    if (slug === ownSlug || audience !== "everyone") continue
    names.set(slug, (names.get(slug) ?? new Set()).add(fqid.slice(dot + 1)))
  }
  return [...names].map(([slug, own]) => {
    const { name, description } = tools.source(slug)
    return toItem({ slug, name, description, kind: "plugin", standing: "offers_tools", unready: [] }, ["static"], own)
  })
}

function toItem(
  integration: Pick<InventoryItem, "slug" | "name" | "description" | "kind" | "standing" | "unready">,
  connections: readonly string[],
  names: ReadonlySet<string>,
): InventoryItem {
  const groups = new Map<string, number>()
  for (const name of names) {
    const dot = name.indexOf(".")
    const group = dot === -1 ? name : name.slice(0, dot)
    groups.set(group, (groups.get(group) ?? 0) + 1)
  }
  return {
    slug: integration.slug,
    name: integration.name,
    description: integration.description,
    kind: integration.kind,
    standing: integration.standing,
    unready: integration.unready,
    connections,
    toolCount: names.size,
    groups: [...groups]
      .map(([name, toolCount]) => ({ name, toolCount, isTool: toolCount === 1 && names.has(name) }))
      .toSorted((a, b) => b.toolCount - a.toolCount || (a.name < b.name ? -1 : 1)),
  }
}

const unreadyOf = (connections: readonly ConnectionRow[]): UnreadyConnection[] =>
  connections
    .filter((row) => row.toolSetId === null && row.status !== "ready")
    .map((row) => ({ address: ConnectionAddress.format(refOf(row)), status: row.status, error: row.error }))

/** Of several connections the one tells that a human can mend by binding a credential. */
function standingOf(connections: readonly ConnectionRow[], toolCount: number): InventoryStanding {
  if (toolCount > 0) return "offers_tools"
  if (connections.length === 0 || connections.some((row) => row.status === "needs_credentials")) return "needs_credentials"
  if (connections.some((row) => row.status === "syncing")) return "syncing"
  return connections.some((row) => row.status === "error" && row.toolSetId === null) ? "not_reachable" : "no_tools"
}
