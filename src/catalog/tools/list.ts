// Lists the tools that a principal can call: metadata only, never a schema.
import { ConnectionName, IntegrationSlug, ToolAddress, ToolName, isOwner, withoutRoot } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { isAdmin } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolFilter, ToolView } from "../../core/tool.ts"
import { toolPages } from "../../store/all-rows.ts"
import { toolKeyOf } from "../../store/store.ts"
import type { ToolKey, ToolListRow, ToolRowFilter } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { decodeCursor, pageSize, toPage } from "../../core/cursor.ts"
import { pluginIdOf } from "../integrations/integration.ts"
import { verdictOn } from "../policies/evaluator.ts"
import type { PolicyVerdict, PolicyEvaluator, PolicySubject } from "../policies/evaluator.ts"
import type { StaticTool, StaticTools } from "../static-tool.ts"
import type { StaleSync } from "../connections/stale-sync.ts"

const batchRows = 2000

export type ToolListParts = CatalogParts & {
  readonly staleSync: StaleSync
  readonly policyEvaluator: PolicyEvaluator
  readonly staticTools: StaticTools
}

/** Tools of connections come first, static ones after them. */
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
  const rows = isPast ? [] : await parts.store.tools.list(principal, rowFilter(filter), { after: toKey(position), limit: size + 1 })
  const fixed = staticTools(principal, filter, parts).filter((tool) => !isPast || tool.fqid > (position[3] ?? ""))
  const all: readonly (ToolListRow | StaticTool)[] = [...rows, ...fixed.slice(0, size + 1 - rows.length)]
  const cut = toPage(all, size, keyOf, (row) => row)
  return { items: await viewTools(principal, cut.items, filter, parts), nextCursor: cut.nextCursor }
}

/** `signal`: nobody wants the list any more. */
export async function listTools(principal: Principal, filter: ToolFilter, parts: ToolListParts, signal?: AbortSignal): Promise<ToolView[]> {
  await parts.staleSync.run(principal)
  const views: ToolView[] = []
  for await (const rows of toolPages(principal, rowFilter(filter), parts.store, batchRows)) {
    signal?.throwIfAborted()
    views.push(...(await viewTools(principal, rows, filter, parts)))
  }
  return [...views, ...(await viewTools(principal, staticTools(principal, filter, parts), filter, parts))]
}

const staticMark = "static"

const keyOf = (row: ToolListRow | StaticTool): readonly string[] =>
  "fqid" in row ? ["", staticMark, "", row.fqid] : [row.integration, row.owner, row.connection, row.name]

async function viewTools(
  principal: Principal,
  rows: readonly (ToolListRow | StaticTool)[],
  filter: ToolFilter,
  parts: ToolListParts,
): Promise<ToolView[]> {
  const rules = await parts.policyEvaluator.rules(principal)
  const owners = await pluginIds(principal, rows, parts)
  const slices = createTimeSlices()
  const views: ToolView[] = []
  for (const row of rows) {
    if (slices.isOver()) await slices.next()
    const verdict = verdictOn(subjectOf(row), rules, null)
    // A tool that is blocked for some arguments only can be called, so it is not hidden.
    if (filter.includeBlocked === false && verdict.action === "block" && !verdict.conditional) continue
    views.push("fqid" in row ? viewStatic(row, filter, verdict) : viewTool(row, filter, verdict, owners))
  }
  return views
}

/** By integration, of those that are made of plugins. */
async function pluginIds(
  principal: Principal,
  rows: readonly (ToolListRow | StaticTool)[],
  { store }: ToolListParts,
): Promise<ReadonlyMap<string, string>> {
  const slugs = new Set(rows.flatMap((row) => ("fqid" in row || row.kind !== "plugin" ? [] : [row.integration])))
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

function staticTools(principal: Principal, filter: ToolFilter, parts: ToolListParts): StaticTool[] {
  const query = filter.query?.toLowerCase() ?? ""
  if (filter.owner === "user" || (filter.connection !== undefined && filter.connection !== staticMark)) return []
  return parts.staticTools
    .list()
    .filter((tool) => tool.audience === "everyone" || isAdmin(principal))
    .filter((tool) => filter.integration === undefined || tool.fqid.startsWith(`${filter.integration}.`))
    .filter((tool) => tool.fqid.toLowerCase().includes(query) || tool.description.toLowerCase().includes(query))
}

const rowFilter = (filter: ToolFilter): ToolRowFilter => ({
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
