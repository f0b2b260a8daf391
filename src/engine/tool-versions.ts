// Lists the versions of a tool, with how much each was used in the last 30 days.
//
// A call used the version that was current when it was made; the audit has every call with its time, also when its
// execution is forgotten. Each family of tools knows its own history: tools of connections have the changes that syncs
// recorded, tools made here their snapshots, and static tools come with Executor and have one version.
import { ToolAddress, withoutRoot } from "../core/address.ts"
import { decodeCursor, pageSize, toPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Page, PageRequest } from "../core/page.ts"
import type { Principal } from "../core/principal.ts"
import type { DefinitionDiff } from "../core/registry/diff.ts"
import type { ToolVersionView } from "../core/registry/tool-version.ts"
import { checkAccess } from "../catalog/tools/access.ts"
import type { ToolAccessParts } from "../catalog/tools/access.ts"
import { hiddenTool } from "../catalog/tools/visible-tools.ts"
import { isShown } from "../catalog/policies/evaluator.ts"
import { executorCommand } from "../io/executor-command.ts"
import type { ToolUsage } from "../store/audit-store.ts"
import type { ConnectionRow, ToolKey } from "../store/store.ts"
import type { ToolChangeRow } from "../store/tool-changes/tool-change-store.ts"
import type { EngineParts } from "./engine-parts.ts"
import { visibilityOf } from "./execution-access.ts"

export type ToolVersionParts = Pick<EngineParts, "executions" | "store" | "clock" | "limits"> & ToolAccessParts

export async function toolVersions(
  principal: Principal,
  address: string,
  request: PageRequest,
  parts: ToolVersionParts,
): Promise<Page<ToolVersionView>> {
  const access = await checkAccess(principal, address, parts)
  if (access.ok) {
    const { tool } = access
    if (tool.kind === "static") return staticVersion(principal, tool.tool.fqid, request, parts)
    if (tool.found.integration.kind === "registry")
      return madeVersions(principal, { ...tool.found.tool, tool: tool.found.tool.name }, request, parts)
    return importedVersions(principal, { ...tool.found.tool, tool: tool.found.tool.name }, tool.found.connection, request, parts)
  }
  const { code, message, details } = access.error
  const removed = code === "tool_not_found" ? await findRemoved(principal, address, parts) : null
  if (removed === null) throw new ExecutorError(code, message, details)
  return importedVersions(principal, removed.key, removed.connection, request, parts)
}

/** A tool of a connection, also one that is gone; others have no history of this kind. */
export async function importedTool(principal: Principal, address: string, parts: ToolVersionParts): Promise<Removed> {
  const access = await checkAccess(principal, address, parts)
  if (!access.ok) {
    const { code, message, details } = access.error
    const removed = code === "tool_not_found" ? await findRemoved(principal, address, parts) : null
    if (removed === null) throw new ExecutorError(code, message, details)
    return removed
  }
  const { tool } = access
  if (tool.kind === "static") throw new ExecutorError("invalid_request", "A tool that comes with Executor has one version alone")
  if (tool.found.integration.kind === "registry")
    throw new ExecutorError(
      "invalid_request",
      `Compare the versions of a tool that was made here with '${executorCommand} registry diff ${tool.found.tool.name} <from> <to>'`,
    )
  return { key: { ...tool.found.tool, tool: tool.found.tool.name }, connection: tool.found.connection }
}

type Removed = { readonly key: ToolKey; readonly connection: ConnectionRow }

/** A tool that its source no longer has keeps its history, for whom it was there. */
async function findRemoved(principal: Principal, address: string, parts: ToolVersionParts): Promise<Removed | null> {
  const full = ToolAddress.check(withoutRoot(address))
  const access = await parts.access.of(principal)
  if (!full.ok || access === null || hiddenTool(full.value.integration, full.value.tool, access) !== null) return null
  if (!isShown(withoutRoot(ToolAddress.format(full.value)), await parts.policyEvaluator.rules(access.principal))) return null
  const [last] = await parts.store.toolChanges.list(principal, full.value, { after: null, limit: 1 })
  const connection = last === undefined ? null : await parts.store.connections.get(principal, full.value)
  return connection === null ? null : { key: full.value, connection }
}

async function importedVersions(
  principal: Principal,
  key: ToolKey,
  connection: ConnectionRow,
  request: PageRequest,
  parts: ToolVersionParts,
): Promise<Page<ToolVersionView>> {
  const size = pageSize(request, parts.limits)
  const after = readPosition(request)
  // The change after the last one of the page before says when the first one of this page ended.
  const read = await parts.store.toolChanges.list(principal, key, { after: after === null ? null : after + 1, limit: size + 2 })
  const rows = withFirst(read, after, connection)
  const shown = after === null ? rows : rows.filter(({ version }) => version < after)
  const untilOf = new Map(rows.slice(1).map(({ version }, index) => [version, rows[index]?.at ?? null]))
  const page = toPage(
    shown,
    size,
    ({ version }) => [String(version)],
    (row) => row,
  )
  const items: ToolVersionView[] = []
  for (const row of page.items) {
    const usage = row.change === "removed" ? unused : await usageOf(principal, key, row.at, untilOf.get(row.version) ?? null, parts)
    items.push({ ...viewChange(row), ...usage })
  }
  return { items, nextCursor: page.nextCursor }
}

/** Of a tool that was made here: its snapshots, whose differences `registry diff` tells. */
async function madeVersions(
  principal: Principal,
  key: ToolKey,
  request: PageRequest,
  parts: ToolVersionParts,
): Promise<Page<ToolVersionView>> {
  const size = pageSize(request, parts.limits)
  const after = readPosition(request)
  const made = await parts.store.registryTools.findBySlug(principal, key.tool)
  if (made === null) return { items: [], nextCursor: null }
  // The one after the last of the page before says when the first of this page ended.
  const rows = await parts.store.toolVersions.list(principal, made.id, { after: after === null ? null : after + 1, limit: size + 2 })
  const shown = after === null ? rows : rows.filter(({ position }) => position < after)
  const untilOf = new Map(rows.slice(1).map(({ position }, index) => [position, rows[index]?.at ?? null]))
  const page = toPage(
    shown,
    size,
    ({ position }) => [String(position)],
    (row) => row,
  )
  const items: ToolVersionView[] = []
  for (const { version, position, at } of page.items) {
    const usage = await usageOf(principal, key, at, untilOf.get(position) ?? null, parts)
    items.push({ version, at, change: position === 1 ? "added" : "changed", diff: null, ...usage })
  }
  return { items, nextCursor: page.nextCursor }
}

/** What was there when its connection was made has no row for that. */
function withFirst(rows: readonly ToolChangeRow[], after: number | null, connection: ConnectionRow): readonly ToolChangeRow[] {
  const last = rows.at(-1)
  const first: ToolChangeRow = { tool: "", version: 1, at: connection.createdAt, change: "added", diff: null }
  if (last === undefined) return after === null ? [first] : []
  return last.version === 2 ? [...rows, first] : rows
}

const viewChange = ({ version, at, change, diff }: ToolChangeRow): Omit<ToolVersionView, keyof Usage> => ({
  version: String(version),
  at,
  change,
  diff: diff === null ? null : (JSON.parse(diff) as DefinitionDiff), // written by a sync
})

function readPosition(request: PageRequest): number | null {
  const [text] = decodeCursor(request.cursor, 1) ?? []
  if (text === undefined) return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new ExecutorError("invalid_request", "The cursor is not from this list; start again without it")
}

async function staticVersion(
  principal: Principal,
  fqid: string,
  request: PageRequest,
  { executions, clock, limits }: ToolVersionParts,
): Promise<Page<ToolVersionView>> {
  pageSize(request, limits)
  if (readPosition(request) !== null) return { items: [], nextCursor: null }
  const usage = viewUsage(await executions.audit.usage(visibilityOf(principal), fqid, lastDays(clock.now(), null, null)))
  return { items: [{ version: "1", at: null, change: "added", diff: null, ...usage }], nextCursor: null }
}

type Usage = Pick<ToolVersionView, "callsLast30Days" | "callersLast30Days">

const viewUsage = ({ calls, callers }: ToolUsage): Usage => ({ callsLast30Days: calls, callersLast30Days: callers })
const unused = viewUsage({ calls: 0, callers: 0 })

/** Another member's connection may have the same address as one of one's own. */
async function usageOf(
  principal: Principal,
  key: ToolKey,
  from: string,
  until: string | null,
  { executions, clock }: ToolVersionParts,
): Promise<Usage> {
  const who = visibilityOf(principal)
  const whose = key.owner === "user" ? { ...who, user: principal.user } : who
  const time = lastDays(clock.now(), from, until)
  return time.from >= time.to ? unused : viewUsage(await executions.audit.usage(whose, ToolAddress.format(key), time))
}

const dayMs = 24 * 3600 * 1000

/** The part of a version's time that is within the last 30 days. */
function lastDays(now: Date, from: string | null, until: string | null): { readonly from: string; readonly to: string } {
  const earliest = new Date(now.getTime() - 30 * dayMs).toISOString()
  return { from: from === null || from < earliest ? earliest : from, to: until ?? new Date(now.getTime() + dayMs).toISOString() }
}
