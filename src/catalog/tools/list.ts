// Lists the tools that a principal can call: metadata only, never a schema.
import { ConnectionName, IntegrationSlug, ToolAddress, ToolName, isOwner, withoutRoot } from "../../core/address.ts"
import { decodeCursor, pageSize, toPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Page } from "../../core/page.ts"
import type { Principal } from "../../core/principal.ts"
import { toolStatuses } from "../../core/registry/tool.ts"
import type { ToolFilter, ToolPageRequest, ToolSummary, ToolView } from "../../core/tool.ts"
import { TOOL_BUCKETS, TOOL_SUBTYPES } from "../../core/tool-types.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { eachPage, firstShown } from "../../store/all-rows.ts"
import { toolKeyOf } from "../../store/store.ts"
import type { ToolKey, ToolListRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import type { StaleSync } from "../connections/stale-sync.ts"
import { verdictOn } from "../policies/evaluator.ts"
import type { PolicySubject } from "../policies/evaluator.ts"
import type { StaticTool } from "../static-tool.ts"
import { listPages } from "./list-pages.ts"
import { staticMark, viewTools } from "./list-view.ts"
import type { ShownTool } from "./list-view.ts"
import { listedStatic, wanted } from "./listed-tool.ts"
import type { ListedTool } from "./listed-tool.ts"
import type { RegistryListing } from "./registry-listing.ts"
import { visibleTools } from "./visible-tools.ts"
import type { VisibleParts, VisibleTools } from "./visible-tools.ts"

const batchRows = 2000

export type ToolListParts = CatalogParts & VisibleParts & { readonly staleSync: StaleSync; readonly registryListing: RegistryListing }

/** Tools of connections come first, static ones after them. What is hidden takes no place in a page. */
export async function pageTools(
  principal: Principal,
  given: ToolFilter,
  page: ToolPageRequest,
  parts: ToolListParts,
): Promise<Page<ToolView>> {
  const filter = narrowed(given)
  if (page.skip !== undefined && page.cursor !== undefined)
    throw new ExecutorError("invalid_request", "skip and cursor exclude each other; continue a list with its cursor alone")
  await parts.staleSync.run(principal)
  const size = pageSize(page, parts.limits)
  const skip = checkSkip(page.skip)
  const position = decodeCursor(page.cursor, 4)
  const isPast = position?.[1] === staticMark
  const seen = await visibleTools(principal, parts)
  const next = { after: toKey(isPast ? null : position), limit: skip + size + 1 }
  const read = listPages(filter, seen, parts)
  const found = isPast ? [] : await firstShown(next, read, rowKey, (tools) => shownOf(tools, filter, seen))
  const fixed = staticTools(filter, seen).filter((tool) => !isPast || tool.fqid > (position[3] ?? ""))
  const all = [...found, ...(await shownOf(fixed.map(listedStatic), filter, seen))].slice(skip, skip + size + 1)
  const cut = toPage(
    all,
    size,
    ({ row }) => keyOf(row),
    (shown) => shown,
  )
  return { items: await viewTools(cut.items, filter, seen.principal, parts), nextCursor: cut.nextCursor }
}

/** `signal`: nobody wants the list any more. */
export async function listTools(
  principal: Principal,
  filter: ToolFilter,
  { signal, skip }: { readonly signal?: AbortSignal; readonly skip?: number },
  parts: ToolListParts,
): Promise<ToolView[]> {
  const views: ToolView[] = []
  let left = checkSkip(skip)
  for await (const { shown, current } of eachShown(principal, filter, parts)) {
    signal?.throwIfAborted()
    const rest = shown.slice(left)
    left = Math.max(0, left - shown.length)
    views.push(...(await viewTools(rest, filter, current, parts)))
  }
  return views
}

/** How many there are of what `listTools` lists. */
export async function summarizeTools(principal: Principal, filter: ToolFilter, parts: ToolListParts): Promise<ToolSummary> {
  const none = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
    Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number> // one for each
  const buckets = none(TOOL_BUCKETS.map(({ id }) => id))
  const subtypes = new Map<string, number>(TOOL_SUBTYPES.map(({ id }) => [id, 0]))
  const statuses = none(toolStatuses)
  let total = 0
  for await (const { shown } of eachShown(principal, filter, parts))
    for (const { toolType, implementationType, status } of shown) {
      total += 1
      buckets[toolType] += 1
      statuses[status] += 1
      subtypes.set(implementationType, (subtypes.get(implementationType) ?? 0) + 1)
    }
  return { total, buckets, subtypes: Object.fromEntries(subtypes), statuses }
}

async function* eachShown(
  principal: Principal,
  given: ToolFilter,
  parts: ToolListParts,
): AsyncGenerator<{ readonly shown: readonly ShownTool[]; readonly current: Principal }> {
  const filter = narrowed(given)
  await parts.staleSync.run(principal)
  const seen = await visibleTools(principal, parts)
  const current = seen.principal
  for await (const tools of eachPage(listPages(filter, seen, parts), rowKey, batchRows))
    yield { shown: await shownOf(tools, filter, seen), current }
  yield { shown: await shownOf(staticTools(filter, seen).map(listedStatic), filter, seen), current }
}

function checkSkip(skip = 0): number {
  if (Number.isInteger(skip) && skip >= 0 && skip <= skipMax) return skip
  throw new ExecutorError("invalid_request", `skip must be a whole number from 0 to ${skipMax}; use the cursor to go further`)
}

/** What is skipped is read. */
const skipMax = 1_000_000

const rowKey = ({ row }: ListedTool): ToolKey => toolKeyOf(row as ToolListRow) // pages have no static tools

const keyOf = (row: ToolListRow | StaticTool): readonly string[] =>
  "fqid" in row ? ["", staticMark, "", row.fqid] : [row.integration, row.owner, row.connection, row.name]

/** Those that are for them. Static ones were chosen before. */
async function shownOf(tools: readonly ListedTool[], filter: ToolFilter, seen: VisibleTools): Promise<ShownTool[]> {
  const slices = createTimeSlices()
  const shown: ShownTool[] = []
  let integration = ""
  let isIncluded: ReturnType<VisibleTools["includedIn"]> = null
  for (const tool of wanted(tools, filter)) {
    if (slices.isOver()) await slices.next()
    const { row } = tool
    if (filter.address !== undefined && !isAt(row, withoutRoot(filter.address))) continue
    if (!("fqid" in row)) {
      if (row.integration !== integration) isIncluded = seen.includedIn(row.integration)
      integration = row.integration
      if (isIncluded?.(row.name) === false) continue
    }
    const verdict = verdictOn(subjectOf(row), seen.rules, null)
    // A tool that is blocked for some arguments only can be called, so it is not hidden.
    if (filter.includeBlocked === false && verdict.action === "block" && !verdict.conditional) continue
    shown.push({ ...tool, verdict })
  }
  return shown
}

/** Of an address, everything that the store can look for. */
function narrowed(filter: ToolFilter): ToolFilter {
  if (filter.address === undefined) return filter
  const path = withoutRoot(filter.address)
  const full = ToolAddress.check(path)
  const { integration, tool, ...rest } = full.ok
    ? full.value
    : { integration: path.split(".", 1)[0] ?? "", tool: path.slice(path.indexOf(".") + 1) }
  return { integration, query: tool, ...rest, ...filter }
}

const isAt = (row: ToolListRow | StaticTool, path: string): boolean =>
  "fqid" in row ? row.fqid === path : `${row.integration}.${row.name}` === path || withoutRoot(ToolAddress.format(toolKeyOf(row))) === path

const subjectOf = (row: ToolListRow | StaticTool): PolicySubject =>
  "fqid" in row
    ? { subject: row.fqid, requiresApproval: row.requiresApproval, alwaysAsks: row.alwaysAsks }
    : {
        subject: withoutRoot(ToolAddress.format(toolKeyOf(row))),
        requiresApproval: row.requiresApproval,
        alwaysAsks: row.isChanged,
      }

function staticTools(filter: ToolFilter, seen: VisibleTools): StaticTool[] {
  const query = filter.query?.toLowerCase() ?? ""
  if (filter.owner === "user" || (filter.connection !== undefined && filter.connection !== staticMark)) return []
  return seen.staticTools
    .filter((tool) => filter.integration === undefined || tool.fqid.startsWith(`${filter.integration}.`))
    .filter((tool) => tool.fqid.toLowerCase().includes(query) || tool.description.toLowerCase().includes(query))
}

function toKey(parts: readonly string[] | null): ToolKey | null {
  if (parts === null) return null
  const [integration = "", owner = "", connection = "", tool = ""] = parts
  if (!isOwner(owner)) throw new ExecutorError("invalid_request", "The cursor is not from this list; start again without it")
  return { integration: IntegrationSlug.make(integration), owner, connection: ConnectionName.make(connection), tool: ToolName.make(tool) }
}
