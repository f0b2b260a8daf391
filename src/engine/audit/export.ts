// Exports the audit as text, page by page: first the entries outside of the chain, then the chain in its order.
//
// Nothing is kept but one page, and other requests get their turn between two. The first line says what must follow, as
// it is when the export begins: what is recorded meanwhile belongs to the next one.
import { fitsFilter } from "../../core/audit/entry.ts"
import type { AuditExportRequest, AuditFilter } from "../../core/audit/entry.ts"
import { chainStart } from "../../core/audit/chain.ts"
import type { ChainPlace } from "../../core/audit/chain.ts"
import type { ExportHeader, ExportLine } from "../../core/audit/check.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { entryOf } from "../../store/audit-store.ts"
import type { AuditChain, AuditPlace, AuditRow, AuditTime, SealedRow } from "../../store/audit-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { csvHead, csvLine } from "./csv.ts"

const rowsPerPage = 200
/** Counting is cheaper than reading. */
const positionsPerLook = 5000
/** Behind every id of a position. */
const lastId = "\u{10ffff}"

type Section = { readonly after: ChainPlace; readonly through: ChainPlace }
type Parts = Pick<EngineParts, "executions">

/** In pieces of some lines. */
export async function* exportAudit(
  { tenant }: Pick<Principal, "tenant">,
  format: AuditExportRequest["format"],
  filter: AuditFilter,
  parts: Parts,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const { from, to } = filter
  const time: AuditTime = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  const chain = await parts.executions.audit.chain(tenant)
  const slices = createTimeSlices(signal)
  const section = await sectionOf(tenant, time, chain, parts, slices)
  const header: ExportHeader = { tenant, ...section, beginsAt: chain.beginsAt, from: from ?? null, to: to ?? null }
  yield format === "csv" ? csvHead : `${JSON.stringify({ export: header })}\n`
  const write = format === "csv" ? csvLine : (line: ExportLine): string => `${JSON.stringify(line)}\n`
  for await (const lines of pagesOf(header, time, filter, parts)) {
    const text = lines.map(write).join("")
    if (text !== "") yield text
    if (slices.isOver()) await slices.next()
  }
}

/** The filter with its times as entries have them. */
export const readFilter = <Filter extends AuditFilter>({ from, to, ...filter }: Filter): Omit<Filter, "from" | "to"> & AuditTime => ({
  ...filter,
  ...(from === undefined ? {} : { from: readTime(from) }),
  ...(to === undefined ? {} : { to: readTime(to) }),
})

/** A day, or a moment with its time zone. */
const timePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

function readTime(text: string): string {
  const ms = timePattern.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(ms)) return new Date(ms).toISOString()
  throw new ExecutorError("invalid_request", `'${text.slice(0, 40)}' is no time: write 2026-11-01, or 2026-11-01T09:30:00Z`)
}

/** What must be there: everything, or from the first entry of this time to the last one. */
async function sectionOf(
  tenant: string,
  time: AuditTime,
  { pruned, head }: AuditChain,
  { executions: { audit } }: Parts,
  slices: ReturnType<typeof createTimeSlices>,
): Promise<Section> {
  if (time.from === undefined && time.to === undefined) return { after: pruned, through: head }
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (let after = pruned.position; after < head.position; after += positionsPerLook) {
    const found = await audit.findSealed(tenant, time, after, positionsPerLook)
    first = Math.min(first, found?.first ?? first)
    last = Math.max(last, found?.last ?? last)
    if (slices.isOver()) await slices.next()
  }
  if (last === 0) return { after: chainStart, through: chainStart }
  const [begin] = await audit.sealed(tenant, { position: first - 1, id: lastId }, 1)
  const [end] = await audit.sealed(tenant, { position: last - 1, id: lastId }, 1)
  return {
    after: { position: first - 1, hash: begin?.link?.previousHash ?? "" },
    through: { position: last, hash: end?.link?.hash ?? "" },
  }
}

async function* pagesOf(
  header: ExportHeader,
  time: AuditTime,
  filter: AuditFilter,
  { executions: { audit } }: Parts,
): AsyncGenerator<ExportLine[]> {
  const { tenant, after, through } = header
  const isWhole = header.from === null && header.to === null
  for (let place: AuditPlace | null = null; ;) {
    const rows: AuditRow[] = await audit.outside(tenant, time, { after: place, limit: rowsPerPage })
    yield rows.filter((row) => fitsFilter(row, filter)).map((row) => ({ ...entryOf(row), position: null, previousHash: null, hash: null }))
    place = rows.at(-1) ?? null
    if (place === null || rows.length < rowsPerPage) break
  }
  if (through.position === 0 && !isWhole) return
  // From the very first on: what has a place that was deleted long ago was inserted.
  let place: { readonly position: number; readonly id: string } | null = isWhole ? null : { position: after.position, id: lastId }
  let expected = after.position + 1
  for (;;) {
    const rows = await audit.sealed(tenant, place, rowsPerPage)
    const lines: ExportLine[] = []
    const [first] = rows
    if (isWhole && first?.link && first.link.position > expected) lines.push(...prunedLine((await audit.chain(tenant)).pruned, expected))
    lines.push(...rows.filter((row) => (row.link?.position ?? 0) <= through.position).map((row) => lineOf(row, filter)))
    yield lines
    const last = rows.at(-1)
    if (last?.link == null || rows.length < rowsPerPage || last.link.position >= through.position) break
    place = { position: last.link.position, id: last.id }
    expected = last.link.position + 1
  }
  if (isWhole) yield await beyond(tenant, audit)
}

/** Entries that became too old while they were exported. */
const prunedLine = (pruned: ChainPlace, expected: number): ExportLine[] => (pruned.position >= expected ? [{ pruned }] : [])

function lineOf(row: SealedRow, filter: AuditFilter): ExportLine {
  const link = row.link ?? { position: 0, previousHash: "", hash: "" }
  return fitsFilter(row, filter) ? { ...entryOf(row), ...link } : { omitted: link }
}

/** What stands behind the last entry was inserted, unless it was sealed just now. */
async function beyond(tenant: string, audit: Parts["executions"]["audit"]): Promise<ExportLine[]> {
  const { head } = await audit.chain(tenant)
  const [row] = await audit.sealed(tenant, { position: head.position, id: lastId }, 1)
  const isSealed = (row?.link?.position ?? 0) <= (await audit.chain(tenant)).head.position
  return row === undefined || isSealed ? [] : [lineOf(row, {})]
}
