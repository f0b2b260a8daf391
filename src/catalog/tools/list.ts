// Lists the tools that a principal can call: metadata only, never a schema.
import { ConnectionName, IntegrationSlug, ToolAddress, ToolName, isOwner, withoutRoot } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolFilter, ToolView } from "../../core/tool.ts"
import { firstShown, toolPages } from "../../store/all-rows.ts"
import { toolKeyOf } from "../../store/store.ts"
import type { After, ToolKey, ToolListFilter, ToolListRow, ToolRowFilter } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { decodeCursor, pageSize, toPage } from "../../core/cursor.ts"
import { pluginIdOf } from "../integrations/integration.ts"
import { verdictOn } from "../policies/evaluator.ts"
import type { PolicyVerdict, PolicySubject } from "../policies/evaluator.ts"
import type { StaticTool } from "../static-tool.ts"
import type { StaleSync } from "../connections/stale-sync.ts"
import { visibleTools } from "./visible-tools.ts"
import type { VisibleParts, VisibleTools } from "./visible-tools.ts"

const batchRows = 2000

export type ToolListParts = CatalogParts & VisibleParts & { readonly staleSync: StaleSync }

/** Tools of connections come first, static ones after them. What is hidden takes no place in a page. */
export async function pageTools(
  principal: Principal,
  filter: ToolFilter,
  page: PageRequest,
  parts: ToolListParts,
): Promise<Page<ToolView>> {
  await parts.staleSync.run(principal)
  const size = pageSize(page, parts.limits)
  const position = decodeCursor(page.cursor, 4)
  const isPast = position?.[1] === staticMark
  const seen = await visibleTools(principal, parts)
  const chosen: ToolListFilter = { ...rowFilter(filter, seen), ...(seen.choose === null ? {} : { choose: seen.choose }) }
  const rows = (step: After<ToolKey>): Promise<ToolListRow[]> => parts.store.tools.list(principal, chosen, step)
  const next = { after: toKey(isPast ? null : position), limit: size + 1 }
  const found = isPast ? [] : await firstShown(next, rows, toolKeyOf, (read) => shownOf(read, filter, seen))
  const fixed = staticTools(filter, seen).filter((tool) => !isPast || tool.fqid > (position[3] ?? ""))
  const all = [...found, ...(await shownOf(fixed, filter, seen))].slice(0, size + 1)
  const cut = toPage(
    all,
    size,
    ({ row }) => keyOf(row),
    (shown) => shown,
  )
  return { items: await viewTools(cut.items, filter, seen, parts), nextCursor: cut.nextCursor }
}

/** `signal`: nobody wants the list any more. */
export async function listTools(principal: Principal, filter: ToolFilter, parts: ToolListParts, signal?: AbortSignal): Promise<ToolView[]> {
  await parts.staleSync.run(principal)
  const seen = await visibleTools(principal, parts)
  const views: ToolView[] = []
  const add = async (rows: readonly (ToolListRow | StaticTool)[]): Promise<void> =>
    void views.push(...(await viewTools(await shownOf(rows, filter, seen), filter, seen, parts)))
  for await (const rows of toolPages(principal, rowFilter(filter, seen), parts.store, batchRows)) {
    signal?.throwIfAborted()
    await add(rows)
  }
  await add(staticTools(filter, seen))
  return views
}

const staticMark = "static"

const keyOf = (row: ToolListRow | StaticTool): readonly string[] =>
  "fqid" in row ? ["", staticMark, "", row.fqid] : [row.integration, row.owner, row.connection, row.name]

type Shown = { readonly row: ToolListRow | StaticTool; readonly verdict: PolicyVerdict }

/** Those that are for them. Static ones were chosen before. */
async function shownOf(rows: readonly (ToolListRow | StaticTool)[], filter: ToolFilter, seen: VisibleTools): Promise<Shown[]> {
  const slices = createTimeSlices()
  const shown: Shown[] = []
  let integration = ""
  let isIncluded: ReturnType<VisibleTools["includedIn"]> = null
  for (const row of rows) {
    if (slices.isOver()) await slices.next()
    if (!("fqid" in row)) {
      if (row.integration !== integration) isIncluded = seen.includedIn(row.integration)
      integration = row.integration
      if (isIncluded?.(row.name) === false) continue
    }
    const verdict = verdictOn(subjectOf(row), seen.rules, null)
    // A tool that is blocked for some arguments only can be called, so it is not hidden.
    if (filter.includeBlocked === false && verdict.action === "block" && !verdict.conditional) continue
    shown.push({ row, verdict })
  }
  return shown
}

async function viewTools(shown: readonly Shown[], filter: ToolFilter, seen: VisibleTools, parts: ToolListParts): Promise<ToolView[]> {
  const owners = await pluginIds(seen.principal, shown, parts)
  return shown.map(({ row, verdict }) => ("fqid" in row ? viewStatic(row, filter, verdict) : viewTool(row, filter, verdict, owners)))
}

/** By integration, of those that are made of plugins. */
async function pluginIds(principal: Principal, shown: readonly Shown[], { store }: ToolListParts): Promise<ReadonlyMap<string, string>> {
  const slugs = new Set(shown.flatMap(({ row }) => ("fqid" in row || row.kind !== "plugin" ? [] : [row.integration])))
  const found = await Promise.all([...slugs].map((slug) => store.integrations.get(principal, slug)))
  return new Map(found.flatMap((row) => (row === null ? [] : [[row.slug, pluginIdOf(row)]])))
}

const addressOf = (row: ToolListRow): ToolAddress => ToolAddress.format(toolKeyOf(row))

const subjectOf = (row: ToolListRow | StaticTool): PolicySubject =>
  "fqid" in row
    ? { subject: row.fqid, requiresApproval: row.requiresApproval, alwaysAsks: row.alwaysAsks }
    : { subject: withoutRoot(addressOf(row)), requiresApproval: row.requiresApproval, alwaysAsks: row.isChanged }

function viewTool(row: ToolListRow, filter: ToolFilter, verdict: PolicyVerdict, owners: ReadonlyMap<string, string>): ToolView {
  return {
    address: addressOf(row),
    owner: row.owner,
    integration: row.integration,
    connection: row.connection,
    name: row.name,
    title: row.title,
    pluginId: owners.get(row.integration) ?? row.kind,
    description: row.description,
    static: false,
    policy: verdict.action,
    ...(row.isChanged ? { changed: true } : {}),
    ...(filter.includeAnnotations === true
      ? { mayElicit: row.mayElicit, requiresApproval: row.requiresApproval, approvalDescription: row.approvalDescription }
      : {}),
  }
}

/** The brands are of other shapes of name; a static tool has one of its own. */
const viewStatic = (tool: StaticTool, filter: ToolFilter, verdict: PolicyVerdict): ToolView => ({
  address: tool.fqid as ToolView["address"],
  owner: "org",
  integration: tool.fqid.split(".", 1)[0] as ToolView["integration"],
  connection: staticMark as ToolView["connection"],
  name: tool.fqid.slice(tool.fqid.indexOf(".") + 1) as ToolView["name"],
  title: tool.title,
  pluginId: tool.pluginId,
  description: tool.description,
  static: true,
  policy: verdict.action,
  ...(filter.includeAnnotations === true
    ? { mayElicit: tool.mayElicit, requiresApproval: tool.requiresApproval, approvalDescription: null }
    : {}),
})

function staticTools(filter: ToolFilter, seen: VisibleTools): StaticTool[] {
  const query = filter.query?.toLowerCase() ?? ""
  if (filter.owner === "user" || (filter.connection !== undefined && filter.connection !== staticMark)) return []
  return seen.staticTools
    .filter((tool) => filter.integration === undefined || tool.fqid.startsWith(`${filter.integration}.`))
    .filter((tool) => tool.fqid.toLowerCase().includes(query) || tool.description.toLowerCase().includes(query))
}

const rowFilter = (filter: ToolFilter, { integrations }: VisibleTools): ToolRowFilter => ({
  ...(integrations === null ? {} : { integration: integrations }),
  ...(filter.integration === undefined ? {} : { integration: filter.integration }),
  ...(filter.owner === undefined ? {} : { owner: filter.owner }),
  ...(filter.connection === undefined ? {} : { name: filter.connection }),
  ...(filter.query === undefined || filter.query === "" ? {} : { query: filter.query }),
})

function toKey(parts: readonly string[] | null): ToolKey | null {
  if (parts === null) return null
  const [integration = "", owner = "", connection = "", tool = ""] = parts
  if (!isOwner(owner)) throw new ExecutorError("invalid_request", "The cursor is not from this list; start again without it")
  return { integration: IntegrationSlug.make(integration), owner, connection: ConnectionName.make(connection), tool: ToolName.make(tool) }
}
