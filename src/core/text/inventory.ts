// Tells a model what is behind `execute`, in a text whose size does not grow with the catalog.
//
// Slugs, names of groups and counts are shown, and the signatures of integrations with few tools as far as there is room.
// Names of groups come from upstreams, so each is cut; slugs and groups are identifiers, which cannot hold control
// characters or sentences, and signatures are made of names and types on one line.
import type { Inventory, InventoryItem } from "../inventory.ts"

const groupsCharsMax = 900
const alsoCharsMax = 240
const groupsMax = 4
const groupCharsMax = 40
const namedInInstructionsMax = 400

const tips = `Tooling tip: avoid repeated tiny discovery calls. Start with a single broad inventory pass via \`tools.catalog.namespaces({})\` and \`tools.catalog.tools({ namespace?, query?, limit: 20 })\`, then do at most one focused \`tools.discover({ query, limit: 12, compact: true })\`.

Execution tip: for migration/ETL-style tasks, discover once, then run in small batches and \`return\` compact summaries (counts, IDs, and top-N samples) instead of full objects.

GraphQL tip: prefer \`source.query.*\` / \`source.mutation.*\` helper paths when available; GraphQL tools return \`{ data, errors }\`.`

const builtins = `### catalog
- catalog.namespaces({}) → string[] - List available tool namespaces
- catalog.tools({ namespace?, query?, limit? }) → ToolDescriptor[] - Search tools

### discover
- discover({ query, limit?, compact?, includeSchemas? }) → DiscoveryResult`

/** Why there are no tools. */
const absences: Record<InventoryItem["standing"], string> = {
  needs_credentials: "requires credentials",
  syncing: "being connected",
  not_reachable: "not reachable",
  no_tools: "no tools",
  offers_tools: "no tools",
}

/** The footer of the description of `execute`, with about `charsMax` characters about integrations. */
export function inventoryFooter(inventory: Inventory, charsMax: number): string {
  const shown: string[] = []
  const roomForAll = charsMax - alsoCharsMax
  let chars = 0
  for (const item of inventory.items) {
    const text = describeItem(item, groupLines(item))
    if (chars + costOf(text) > Math.min(groupsCharsMax, roomForAll)) break
    chars += costOf(text)
    shown.push(text)
  }
  const rest = inventory.items.slice(shown.length)
  showSignatures(inventory.items.slice(0, shown.length), shown, (rest.length === 0 ? charsMax : roomForAll) - chars)
  return [tips, "## Tool Inventory", builtins, ...shown, ...(rest.length === 0 ? [] : [describeRest(rest)])].join("\n\n")
}

/** As a part of a JSON text, with the blank line in front of it. */
const costOf = (text: string): number => JSON.stringify(text).length + 2

const builtinSlug = "builtin"

/** In place of groups: of as many integrations as possible, and of Executor's own tools last. */
function showSignatures(items: readonly InventoryItem[], shown: string[], room: number): void {
  const places = [...items.keys()].filter((place) => items[place]?.tools.length !== 0)
  const rank = (place: number): number => (items[place]?.slug === builtinSlug ? Number.MAX_SAFE_INTEGER : (items[place]?.toolCount ?? 0))
  let left = room
  for (const place of places.toSorted((a, b) => rank(a) - rank(b))) {
    const item = items[place]
    if (item === undefined) continue
    const prefix = prefixOf(item)
    const text = describeItem(
      item,
      item.tools.map(({ name, signature }) => `- ${prefix}.${name}(${signature === "{}" ? "" : signature})`),
    )
    const more = costOf(text) - costOf(shown[place] ?? "")
    if (more > left) continue
    left -= more
    shown[place] = text
  }
}

function describeItem(item: InventoryItem, lines: readonly string[]): string {
  if (item.toolCount === 0) return `### ${item.slug} (${absences[item.standing]})`
  const [only, ...others] = item.connections
  const where = others.length === 0 ? "" : `; connections ${[only, ...others].slice(0, 3).join(", ")}${others.length > 2 ? ", …" : ""}`
  return [`### ${item.slug} (${tools(item.toolCount)}${where})`, ...lines].join("\n")
}

function groupLines(item: InventoryItem): string[] {
  const prefix = prefixOf(item)
  const groups = item.groups.slice(0, groupsMax)
  const hidden = item.groups.length - groups.length
  return [
    ...groups.map(({ name, toolCount, isTool }) => `- ${prefix}.${cut(name)}${isTool ? "" : ".*"} - ${tools(toolCount)}`),
    ...(hidden === 0 ? [] : [`- … and ${hidden.toLocaleString("en")} more groups`]),
  ]
}

/** A short path is enough where one connection has the tools. */
const prefixOf = ({ slug, connections }: InventoryItem): string => (connections.length > 1 ? `${slug}.<owner>.<connection>` : slug)

function describeRest(items: readonly InventoryItem[]): string {
  const { text, hidden } = listNames(items, alsoCharsMax)
  return `### more\n- ${text}${hidden === 0 ? "" : `, and ${hidden.toLocaleString("en")} more namespaces`}`
}

/** What a client shows its model before any tool is called. */
export function instructionsText(inventory: Inventory): string {
  const usable = inventory.items.filter((item) => item.toolCount > 0)
  const how =
    'When a request touches one of them, use `execute`; when in doubt, search first: `return await tools.search({ query: "what the user wants" })`. Never say that you have no access to a service before you have searched for it here.'
  if (usable.length === 0)
    return `Executor runs code against every API that is connected to it, behind the tool \`execute\`. Nothing is connected yet; a human adds services with \`executor integrations add <url>\`. ${how}`
  const { text, hidden } = listNames(usable, namedInInstructionsMax)
  const more = hidden === 0 ? "" : `, and ${hidden.toLocaleString("en")} more`
  return `Executor gives you ${tools(inventory.toolCount)} of these services behind the one tool \`execute\`: ${text}${more}. ${how}`
}

/** What to search in, for whoever found nothing. */
export function servicesText(inventory: Inventory): string {
  const usable = inventory.items.filter((item) => item.toolCount > 0)
  if (usable.length === 0) return "Nothing is connected yet; a human adds services with `executor integrations add <url>`."
  const { text, hidden } = listNames(usable, namedInInstructionsMax)
  const more = hidden === 0 ? "" : `, and ${hidden.toLocaleString("en")} more`
  return `Connected services, with their number of tools: ${text}${more}. Search in other words, or tell the user that none of them does this.`
}

function listNames(items: readonly InventoryItem[], charsMax: number): { text: string; hidden: number } {
  const names: string[] = []
  let chars = 0
  for (const item of items) {
    const name = item.toolCount === 0 ? item.slug : `${item.slug} (${item.toolCount.toLocaleString("en")})`
    if (chars + name.length > charsMax) break
    chars += name.length + 2
    names.push(name)
  }
  return { text: names.join(", "), hidden: items.length - names.length }
}

const tools = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "tool" : "tools"}`

const cut = (name: string): string => (name.length > groupCharsMax ? `${name.slice(0, groupCharsMax)}…` : name)
