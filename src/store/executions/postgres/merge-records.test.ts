// Tests that folded records mean what they would one after the other.
import { describe, expect, it } from "vitest"
import type { JournalRecord } from "../../execution-store.ts"
import { mergeRecords } from "./merge-records.ts"
import {
  approvalRow,
  auditRow,
  callRow,
  doneCall,
  eventRow,
  executionRow,
  later,
  newScope,
  outcome,
  outcomeRecord,
} from "../testing/samples.ts"

const scope = newScope()
const row = executionRow(scope)
const execution: JournalRecord = { kind: "execution", row }
const call = (one = callRow(row)): JournalRecord => ({ kind: "call", row: one })

const valuesOf = (records: readonly JournalRecord[]) =>
  mergeRecords(records).map((folded) => Object.fromEntries(Object.entries(folded).map(([kind, rows]) => [kind, [...rows.values()]])))
const nothing = { execution: [], call: [], event: [], approval: [], audit: [], shown: [], outcome: [] }

describe("folding", () => {
  it("keeps the latest of a call, until it is done", () => {
    const done = doneCall(row)
    expect(valuesOf([call(), call(done), call({ ...done, state: "waiting" }), call({ ...done, answerJson: '"other"' })])).toEqual([
      { ...nothing, call: [done] },
    ])
  })

  it("keeps the first of an event and of an audit entry", () => {
    const entry = auditRow(scope, later(0))
    const records: JournalRecord[] = [
      { kind: "event", row: eventRow(row, 0) },
      { kind: "event", row: eventRow(row, 0, { atMs: 9 }) },
      { kind: "audit", row: entry },
      { kind: "audit", row: { ...entry, action: "forged" } },
    ]
    expect(valuesOf(records)).toEqual([{ ...nothing, event: [eventRow(row, 0)], audit: [entry] }])
  })

  it("keeps an answered approval", () => {
    const pending = approvalRow(scope)
    const answered = { ...pending, status: "accept" as const }
    const records = [pending, answered, pending].map((one): JournalRecord => ({ kind: "approval", row: one }))
    expect(valuesOf(records)).toEqual([{ ...nothing, approval: [answered] }])
  })

  it("keeps the latest pause that was shown", () => {
    const shown = (pause: number, questions: number | null = null) => ({
      tenant: row.tenant,
      executionId: row.id,
      viewer: "alice/tok_1",
      pause,
      questions,
    })
    const folded = (...rows: ReturnType<typeof shown>[]) => valuesOf(rows.map((one): JournalRecord => ({ kind: "shown", row: one })))
    expect(folded(shown(1), shown(3), shown(2))).toEqual([{ ...nothing, shown: [shown(3)] }])
    expect(folded(shown(3, 20), shown(3, 40), shown(3, 20))).toEqual([{ ...nothing, shown: [shown(3, 40)] }])
    expect(folded(shown(3), shown(3, 20), shown(2, 60))).toEqual([{ ...nothing, shown: [shown(3)] }])
  })

  it("makes an outcome a part of its new execution", () => {
    const ended = { ...row, ...outcome(), leaseOwner: null, leaseUntil: null }
    expect(valuesOf([execution, outcomeRecord(row)])).toEqual([{ ...nothing, execution: [ended] }])
  })

  it("begins another statement for what cannot be joined", () => {
    const next = { ...row, run: 2 }
    expect(mergeRecords([outcomeRecord(row), outcomeRecord(next)])).toHaveLength(2)
    expect(mergeRecords([execution, outcomeRecord(next)])).toHaveLength(2)
    expect(mergeRecords([outcomeRecord(row), execution])).toHaveLength(2)
    expect(mergeRecords([execution, outcomeRecord(row), call(), outcomeRecord(executionRow(scope))])).toHaveLength(1)
  })

  it("keeps apart what only looks alike", () => {
    const one = callRow(executionRow(scope, { id: "a" }), { key: "b,c" })
    const other = callRow(executionRow(scope, { id: "a,b" }), { key: "c" })
    expect(valuesOf([call(one), call(other)])).toEqual([{ ...nothing, call: [one, other] }])
  })
})
