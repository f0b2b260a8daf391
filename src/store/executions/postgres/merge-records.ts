// Many records become few rows: what one statement can write, because each row occurs once in it.
//
// PostgreSQL refuses to change a row twice in a statement, and an update does not see what the same statement inserts.
// So a later record of a row takes the place of an earlier one, by the rules of `shapes.ts`, and the outcome of an
// execution whose row is new becomes a part of that row. What cannot be joined begins another statement.
import type { AuditRow } from "../../audit-store.ts"
import { cancelledAloneRun } from "../../execution-store.ts"
import type { ApprovalRow, CallRow, EventRow, ExecutionOutcome, ExecutionRow, JournalRecord, ShownRow } from "../../execution-store.ts"

export type OutcomeRow = ExecutionOutcome & { readonly tenant: string; readonly executionId: string; readonly run: number }

/** By key. */
export type MergedRecords = {
  readonly execution: Map<string, ExecutionRow>
  readonly call: Map<string, CallRow>
  readonly event: Map<string, EventRow>
  readonly approval: Map<string, ApprovalRow>
  readonly audit: Map<string, AuditRow>
  readonly shown: Map<string, ShownRow>
  readonly outcome: Map<string, OutcomeRow>
}

const empty = (): MergedRecords => ({
  execution: new Map(),
  call: new Map(),
  event: new Map(),
  approval: new Map(),
  audit: new Map(),
  shown: new Map(),
  outcome: new Map(),
})

export function mergeRecords(records: Iterable<JournalRecord>): MergedRecords[] {
  let current = empty()
  const folded = [current]
  for (const record of records) {
    if (join(current, record)) continue
    current = empty()
    folded.push(current)
    join(current, record)
  }
  return folded
}

/** False when the record must wait for what is there already. */
function join(folded: MergedRecords, record: JournalRecord): boolean {
  switch (record.kind) {
    case "execution":
      return joinExecution(folded, record.row)
    case "outcome":
      return joinOutcome(folded, record)
    case "call": {
      const key = keyOf(record.row.tenant, record.row.executionId, record.row.key)
      const before = folded.call.get(key)
      if (before === undefined || before.run < record.row.run || (before.run === record.row.run && before.state !== "done"))
        folded.call.set(key, record.row)
      return true
    }
    case "event": {
      const key = keyOf(record.row.tenant, record.row.executionId, String(record.row.position))
      const before = folded.event.get(key)
      if (before === undefined || before.run < record.row.run) folded.event.set(key, record.row)
      return true
    }
    case "approval": {
      const key = keyOf(record.row.tenant, record.row.id)
      const before = folded.approval.get(key)
      if (before === undefined || before.status === "pending") folded.approval.set(key, record.row)
      return true
    }
    case "audit": {
      const key = keyOf(record.row.tenant, record.row.id)
      if (!folded.audit.has(key)) folded.audit.set(key, record.row)
      return true
    }
    case "shown": {
      const key = keyOf(record.row.tenant, record.row.executionId, record.row.viewer)
      const before = folded.shown.get(key)
      if (before === undefined || showsMore(record.row, before)) folded.shown.set(key, record.row)
      return true
    }
  }
}

/** As the store decides it too. */
const showsMore = (row: ShownRow, before: ShownRow): boolean =>
  row.pause === before.pause
    ? (row.questions ?? Number.POSITIVE_INFINITY) > (before.questions ?? Number.POSITIVE_INFINITY)
    : row.pause > before.pause

function joinExecution({ execution, outcome }: MergedRecords, row: ExecutionRow): boolean {
  const key = keyOf(row.tenant, row.id)
  if (outcome.has(key)) return false
  const before = execution.get(key)
  const isTooLate = row.run >= cancelledAloneRun && before !== undefined && before.endedAt !== null
  if (before === undefined || (before.run <= row.run && !isTooLate)) execution.set(key, row)
  return true
}

function joinOutcome({ execution, outcome: outcomes }: MergedRecords, record: JournalRecord & { kind: "outcome" }): boolean {
  const { tenant, executionId, run, outcome } = record
  const key = keyOf(tenant, executionId)
  const row = execution.get(key)
  if (row !== undefined && row.run !== run) return false
  if (row !== undefined) {
    execution.set(key, { ...row, ...outcome, leaseOwner: null, leaseUntil: null })
    return true
  }
  if (outcomes.has(key)) return false
  outcomes.set(key, { ...outcome, tenant, executionId, run })
  return true
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts)
