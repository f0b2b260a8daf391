// Tests that a call that cannot wait is refused with the id of an approval, and passes once after a human accepted it.
import { afterAll, expect, test } from "vitest"
import type { Approve } from "../../core/executor-api.ts"
import type { ApprovalAnswerWrite } from "../../store/execution-store.ts"
import { allOf, approvalRow, executionRow, later } from "../../store/executions/testing/samples.ts"
import { openCluster } from "../testing/cluster.ts"
import { allows, asks, callTarget, gateCall } from "../testing/samples.ts"
import type { ApprovalDecision } from "../gate/approver.ts"
import { nonPausingApprover } from "./non-pausing-approver.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp(approve?: Approve) {
  const parts = cluster.node()
  const principal = await cluster.agentOf(await cluster.human())
  const approver = nonPausingApprover(principal, null, approve, parts)
  const ask = (call = gateCall(), target = callTarget()) => approver.decide(call, target, asks)
  const answer = (ids: readonly string[], status: ApprovalAnswerWrite["status"]) =>
    parts.executions.approvals.answer(principal.tenant, ids, {
      status,
      content: null,
      remember: null,
      answeredBy: "alice",
      answeredAt: later(0),
    })
  const rows = () => cluster.executions.approvals.list(allOf(principal), {}, { after: null, limit: 9 })
  return { parts, principal, ask, answer, rows, approver }
}

const idOf = (decision: ApprovalDecision): string => {
  if (decision.status !== "refused") throw new Error(`The call was ${decision.status}`)
  return (decision.failure.error.details as { approvalId: string }).approvalId // as `approval_required` has it
}

test("whoever asks again before there is an answer gets the same id", async () => {
  const { ask, rows } = await setUp()
  const first = await ask()
  expect(first).toMatchObject({ status: "refused", failure: { error: { code: "approval_required" } } })
  expect(idOf(await ask())).toBe(idOf(first))
  expect(await rows()).toMatchObject([{ id: idOf(first), pause: 0, executionId: null, status: "pending" }])
  expect(idOf(await ask(gateCall({ args: { title: "y" } })))).not.toBe(idOf(first))
})

test("an accepted call passes once, however many try at once", async () => {
  const { ask, answer } = await setUp()
  const id = idOf(await ask())
  await answer([id], "accept")
  const decisions = await Promise.all([ask(), ask(), ask()])
  expect(decisions.filter(({ status }) => status === "approved")).toEqual([{ status: "approved", approvalId: id }])
  const [refused] = decisions.filter(({ status }) => status === "refused")
  expect(idOf(refused as ApprovalDecision)).not.toBe(id) // two of three are refused
})

test("a refusal is told once", async () => {
  const { ask, answer } = await setUp()
  await answer([idOf(await ask())], "decline")
  expect(await ask()).toMatchObject({ status: "refused", failure: { error: { code: "approval_declined" } } })
  expect(await ask()).toMatchObject({ status: "refused", failure: { error: { code: "approval_required" } } })
})

test("a refusal is told once although a rule made since would allow the call", async () => {
  const { ask, answer, approver, rows } = await setUp()
  await answer([idOf(await ask())], "decline")
  expect(await approver.decide(gateCall(), callTarget(), allows)).toMatchObject({ failure: { error: { code: "approval_declined" } } })
  expect(await approver.decide(gateCall(), callTarget(), allows)).toEqual({ status: "approved", approvalId: null })
  expect(await rows()).toHaveLength(1)
})

test("an acceptance does not count for a tool that changed since", async () => {
  const { ask, answer } = await setUp()
  await answer([idOf(await ask())], "accept")
  expect(await ask(gateCall(), callTarget({ definitionHash: () => "another hash" }))).toMatchObject({ status: "refused" })
  expect(await ask()).toMatchObject({ status: "approved" })
})

test("a request that ran out is asked anew", async () => {
  const { ask, parts } = await setUp()
  const id = idOf(await ask())
  cluster.clock.advance(parts.limits.pausedMsMax + 1)
  expect(idOf(await ask())).not.toBe(id)
})

test("an answer for the whole execution counts in it, unless the tool always asks", async () => {
  const { parts, principal } = await setUp()
  const execution = executionRow(principal)
  const row = approvalRow(principal, {
    executionId: execution.id,
    address: "notes.write",
    status: "accept",
    remember: "execution",
    pause: 0,
  })
  await parts.executions.journal.append([{ kind: "approval", row }], "now")
  const approver = nonPausingApprover(principal, execution.id, undefined, parts)
  expect(await approver.decide(gateCall(), callTarget(), asks)).toEqual({ status: "approved", approvalId: row.id })
  expect(await approver.decide(gateCall(), callTarget({ alwaysAsks: true }), asks)).toMatchObject({ status: "refused" })
  const other = nonPausingApprover(principal, "exe_other", undefined, parts)
  expect(await other.decide(gateCall(), callTarget(), asks)).toMatchObject({ status: "refused" })
})

test("the caller answers on the spot, and nothing is stored", async () => {
  const said: unknown[] = []
  const { ask, rows } = await setUp(async (question) => {
    said.push(question)
    return said.length === 1
  })
  expect(await ask()).toEqual({ status: "approved", approvalId: null })
  expect(await ask()).toMatchObject({ status: "refused", failure: { error: { code: "approval_declined" } } })
  expect(said[0]).toEqual({ address: "notes.write", args: { title: "x" }, message: "Allow 'Write a note' (notes.write)?" })
  expect(await rows()).toEqual([])
})

test("what a caller approves beforehand does not cover a tool that always asks", async () => {
  const { ask } = await setUp("auto")
  expect(await ask()).toEqual({ status: "approved", approvalId: null })
  expect(await ask(gateCall(), callTarget({ alwaysAsks: true }))).toMatchObject({ failure: { error: { code: "approval_required" } } })
})

test("a tool's own question is refused: nobody can answer it here", async () => {
  const { approver } = await setUp()
  const request = { kind: "form", message: "Name?", requestedSchema: { type: "object" } } as const
  expect(await approver.question(gateCall(), callTarget(), new Set(), request)).toMatchObject({
    status: "refused",
    failure: { error: { code: "approval_required", details: { question: { kind: "form", message: "Name?" } } } },
  })
  expect(approver.resumption(gateCall())).toEqual({ asked: [], state: null })
})
