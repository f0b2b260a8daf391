// Counts the tools that a principal can reach, by integration and group. Schemas are read only of integrations with few tools.
//
// Which sets of tools a principal sees, and which of their tools are for them, is counted again only when the store's
// revision moved.
import { ConnectionAddress } from "../../core/address.ts"
import type { UnreadyConnection } from "../../core/connection.ts"
import type { Inventory, InventoryItem, InventoryStanding, InventoryTool } from "../../core/inventory.ts"
import type { Principal } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { allConnections, allIntegrations } from "../../store/all-rows.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, Store } from "../../store/store.ts"
import { isShown } from "../policies/evaluator.ts"
import { ownSlug } from "../../core/address.ts"
import { slugOfStatic } from "../static-tool.ts"
import type { StaticTool, StaticTools } from "../static-tool.ts"
import { currentAccess } from "../../identity/access.ts"
import { readSignature, signatureText } from "../../typescript/typescript.ts"
import type { Signature } from "../../typescript/typescript.ts"
import { signatureNamed } from "./signatures.ts"
import { visibleTools } from "./visible-tools.ts"
import type { VisibleParts } from "./visible-tools.ts"

export type InventoryParts = VisibleParts & { readonly store: Store }
export type ReadInventory = (principal: Principal) => Promise<Inventory>

const cachedPrincipalsMax = 200
/** Of an integration whose tools are not known: only a rule about all of them fits. */
const unknownTool = "org.main.?"
/** Of an integration with more tools its groups are shown. */
const fewTools = 20
/** Of all integrations together; a model is shown no more than that. */
const signaturesMax = 60
/** A name with its signature is a line that others wrote. */
const lineCharsMax = 80
const signatureCharsMin = 24

/** An integration, and how the signature of each of its tools is read. */
type Counted = { readonly item: InventoryItem; readonly signatures: ReadonlyMap<string, ReadSignature> }
type ReadSignature = () => Promise<Signature | null>

export function createInventory(parts: InventoryParts): ReadInventory {
  const cache = createRevisionCache<Inventory>(parts.store, cachedPrincipalsMax)
  return async (principal) => cache((await currentAccess(principal, parts)).viewKey, () => count(principal, parts))
}

async function count(principal: Principal, parts: InventoryParts): Promise<Inventory> {
  const { store } = parts
  const seen = await visibleTools(principal, parts)
  const counted: Counted[] = []
  const connections = await allConnections(principal, {}, store)
  const slices = createTimeSlices()
  for (const integration of await allIntegrations(principal, store)) {
    if (!seen.mayHave(integration.slug)) continue
    const own = connections.filter((row) => row.integration === integration.slug)
    const names = new Set<string>()
    const signatures = new Map<string, ReadSignature>()
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
        if (names.size <= fewTools) signatures.set(name, () => signatureNamed(principal, row, name, store))
        shown += 1
      }
      isHidden ||= all.length > 0 && shown === 0
      if (shown > 0) offering.push(`${row.owner}.${row.name}`)
    }
    // What is hidden as a whole is not named.
    if (names.size > 0 || !isHidden)
      counted.push({
        item: toItem({ ...integration, standing: standingOf(own, names.size), unready: unreadyOf(own) }, offering, names),
        signatures,
      })
  }
  counted.push(...staticItems(parts.staticTools, seen.shownStatic()))
  const items = await withSignatures(counted)
  items.sort((a, b) => b.toolCount - a.toolCount || (a.slug < b.slug ? -1 : 1))
  return { items, toolCount: items.reduce((sum, item) => sum + item.toolCount, 0) }
}

/** Integrations with the fewest tools first, because more of them can be shown. */
async function withSignatures(counted: readonly Counted[]): Promise<InventoryItem[]> {
  let left = signaturesMax
  const items: InventoryItem[] = []
  for (const { item, signatures } of counted.toSorted((a, b) => a.item.toolCount - b.item.toolCount)) {
    const fits = item.toolCount <= Math.min(fewTools, left)
    if (fits) left -= item.toolCount
    items.push(fits ? { ...item, tools: await readTools(signatures) } : item)
  }
  return items
}

async function readTools(signatures: ReadonlyMap<string, ReadSignature>): Promise<InventoryTool[]> {
  const tools: InventoryTool[] = []
  for (const [name, read] of signatures) {
    const signature = await read()
    const room = Math.max(signatureCharsMin, lineCharsMax - name.length)
    if (signature !== null) tools.push({ name, signature: signatureText(signature, room) })
  }
  return tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Plugins without connections. What Executor brings itself is told apart from what it was connected to. */
function staticItems(tools: StaticTools, shown: readonly StaticTool[]): Counted[] {
  const bySlug = Map.groupBy(
    shown.filter((tool) => slugOfStatic(tool) !== ownSlug && tool.audience === "everyone"),
    slugOfStatic,
  )
  return [...bySlug].map(([slug, own]) => {
    const { name, description } = tools.source(slug)
    const named = own.map((tool) => [tool.fqid.slice(slug.length + 1), tool] as const)
    const names = new Set(named.map(([nameOfTool]) => nameOfTool))
    return {
      item: toItem({ slug, name, description, kind: "plugin", standing: "offers_tools", unready: [] }, ["static"], names),
      signatures: new Map(named.map(([nameOfTool, tool]) => [nameOfTool, async () => readSignature(tool.inputSchema, () => undefined)])),
    }
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
    tools: [],
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
