// Tests which approvals a call leaves behind when it goes on without their answer, and what becomes of them.
import { expect, test } from "vitest"
import { approvalRow, callRow, executionRow, later } from "../../store/executions/testing/samples.ts"
import type { ApprovalRow, CallRow } from "../../store/execution-store.ts"
import { closeAsked } from "./close.ts"

const execution = executionRow({ tenant: "t", user: "alice" })
const asked = (id: string, change: Partial<ApprovalRow> = {}): ApprovalRow =>
  approvalRow({ tenant: "t", user: "alice" }, { id, callKey: "k:0", pause: 1, ...change })
const clock = { now: () => new Date(later(9)), monotonicMs: () => 0 }

function close(rows: ApprovalRow[], change: Partial<CallRow>): string[] {
  return closeAsked(callRow(execution, { key: "k:0", ...change }), rows, clock).map(({ id, status }) => `${id} ${status}`)
}

test("a call that starts accepts its approval, by whoever's answer let it", () => {
  const answered = asked("apr_0", { status: "accept", answeredBy: "bob", callKey: "other:0" })
  const rows = [answered, asked("apr_1")]
  expect(close(rows, { state: "started", approvalId: "apr_0" })).toEqual(["apr_1 accept"])
  expect(rows).toEqual([
    answered,
    asked("apr_1", { createdAt: rows[1]?.createdAt ?? "", status: "accept", answeredBy: "bob", answeredAt: later(9) }),
  ])
})

test("a call that starts by a rule accepts in nobody's name", () => {
  const rows = [asked("apr_1")]
  close(rows, { state: "started", approvalId: null })
  expect(rows[0]).toMatchObject({ status: "accept", answeredBy: null })
})

test("a call that asks anew withdraws what it asked before, and nothing else", () => {
  const rows = [asked("apr_1"), asked("apr_2"), asked("frm_1", { kind: "form" })]
  expect(close(rows, { state: "waiting", approvalId: "apr_2" })).toEqual(["apr_1 cancel"])
})

test("a tool's own questions are open while it runs, and withdrawn when it is done", () => {
  const rows = [asked("frm_1", { kind: "form" })]
  expect(close(rows, { state: "started" })).toEqual([])
  expect(close(rows, { state: "done" })).toEqual(["frm_1 cancel"])
  expect(close(rows, { state: "done" })).toEqual([])
})

test("other calls' approvals, and what a human answered, stay as they are", () => {
  const rows = [asked("apr_1", { callKey: "other:0" }), asked("apr_2", { status: "decline", answeredBy: "bob" })]
  expect(close(rows, { state: "done" })).toEqual([])
})
