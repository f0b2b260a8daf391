// Tests which calls of an execution wait for a human, for which an answer that was given before counts, and that a "no" always does.
import { afterAll, expect, test } from "vitest"
import type { ElicitRequest } from "../../core/call/elicit.ts"
import type { Limits } from "../../core/limits.ts"
import type { PolicyVerdict } from "../../catalog/policies/evaluator.ts"
import type { ApprovalAnswerWrite, ApprovalRow, ExecutionRow } from "../../store/execution-store.ts"
import { allOf, executionRow, later } from "../../store/executions/testing/samples.ts"
import { openCluster } from "../testing/cluster.ts"
import { allows, asks, callTarget, gateCall } from "../testing/samples.ts"
import type { ApprovalDecision } from "../gate/approver.ts"
import { pausingApprover } from "./pausing-approver.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp(change: Partial<ExecutionRow> = {}, limits: Partial<Limits> = {}) {
  const parts = cluster.node({ limits })
  const principal = await cluster.agentOf(await cluster.human())
  const execution = executionRow(principal, { tokenId: principal.tokenId, ...change })
  const stored = () => cluster.executions.approvals.list(allOf(execution), {}, { after: null, limit: 9 })
  const open = (rows: ApprovalRow[]) => pausingApprover(principal, execution, rows, parts.executions.journal, parts)
  /** As the next run of the execution has it. */
  const approver = async () => open(await stored())
  const decide = async (call = gateCall(), target = callTarget(), verdict: PolicyVerdict = asks): Promise<ApprovalDecision> =>
    (await approver()).decide(call, target, verdict)
  const answer = async (given: Pick<ApprovalAnswerWrite, "status"> & Partial<ApprovalAnswerWrite>): Promise<void> => {
    const ids = (await stored()).filter(({ status }) => status === "pending").map(({ id }) => id)
    const none = { content: null, remember: null, answeredBy: "alice", answeredAt: later(0) }
    await parts.executions.approvals.answer(execution.tenant, ids, { ...none, ...given })
  }
  return { open, approver, decide, answer, stored }
}

test("the first question is a row of the next pause, and is asked once", async () => {
  const { decide, stored } = await setUp({ pauseCount: 2 })
  const decision = await decide()
  const [row] = await stored()
  expect(row).toMatchObject({ status: "pending", pause: 3, kind: "approval", callKey: "k:0", address: "notes.write" })
  expect(decision).toEqual({ status: "pending", approvalId: row?.id })
  expect([await decide(), await stored()]).toEqual([decision, [row]])
})

test("what policy allows is asked nobody", async () => {
  const { decide, stored } = await setUp()
  expect(await decide(gateCall(), callTarget(), allows)).toEqual({ status: "approved", approvalId: null })
  expect(await stored()).toEqual([])
})

test.each([
  ["accept", { status: "approved" }],
  ["decline", { status: "refused", failure: { error: { code: "approval_declined" } } }],
  ["cancel", { status: "refused", failure: { error: { code: "approval_cancelled" } } }],
  ["expired", { status: "refused", failure: { error: { code: "approval_cancelled" } } }],
] as const)("in the next run, %s counts", async (status, expected) => {
  const { decide, answer } = await setUp()
  await decide()
  await answer({ status })
  expect(await decide()).toMatchObject(expected)
})

test.each([
  ["another call", gateCall({ key: "k:1" }), callTarget()],
  ["other arguments", gateCall({ args: { title: "y" } }), callTarget()],
  ["a changed tool", gateCall(), callTarget({ definitionHash: () => "another hash" })],
])("an answer does not count for %s", async (_name, call, target) => {
  const { decide, answer, stored } = await setUp()
  await decide()
  await answer({ status: "accept" })
  const decision = await decide(call, target)
  expect(decision).toEqual({ status: "pending", approvalId: (await stored())[1]?.id })
})

test.each([
  ["decline", "approval_declined"],
  ["cancel", "approval_cancelled"],
] as const)("%s wins over a rule, an answer for the execution, and approval beforehand", async (status, code) => {
  for (const autoApprove of [false, true]) {
    const { decide, answer, stored } = await setUp({ autoApprove })
    await decide(gateCall(), callTarget({ alwaysAsks: true }))
    await answer({ status })
    await decide(gateCall({ key: "k:1" }), callTarget({ alwaysAsks: true }))
    await answer({ status: "accept", remember: "execution" })
    const changed = callTarget({ definitionHash: () => "another hash" })
    for (const decided of [decide(), decide(gateCall(), callTarget(), allows), decide(gateCall(), changed, allows)])
      expect(await decided).toMatchObject({ status: "refused", failure: { error: { code } } })
    expect(await stored()).toHaveLength(2)
  }
})

test("a rule answers the question that waits, in nobody's name", async () => {
  const { decide, stored } = await setUp()
  await decide()
  expect(await decide(gateCall(), callTarget(), allows)).toEqual({ status: "approved", approvalId: null })
  expect(await stored()).toMatchObject([{ status: "accept", answeredBy: null }])
})

test("an answer for the execution answers the question that waits, in the same human's name", async () => {
  const { decide, answer, stored } = await setUp()
  await decide()
  await answer({ status: "accept", remember: "execution", answeredBy: "boss" })
  await decide(gateCall({ key: "k:1" }), callTarget({ alwaysAsks: true }))
  expect(await decide(gateCall({ key: "k:1" }))).toEqual({ status: "approved", approvalId: (await stored())[0]?.id })
  expect((await stored())[1]).toMatchObject({ status: "accept", answeredBy: "boss" })
})

test("a human who declines between the reading of the rows and the call is heard", async () => {
  const { decide, answer, open, stored } = await setUp()
  await decide()
  const approver = open(await stored())
  await answer({ status: "decline" })
  expect(await approver.decide(gateCall(), callTarget(), allows)).toMatchObject({ failure: { error: { code: "approval_declined" } } })
})

test("an answer for the whole execution counts for every call of the tool, and for no other", async () => {
  const { decide, answer, stored } = await setUp()
  await decide()
  await answer({ status: "accept", remember: "execution" })
  const [row] = await stored()
  expect(await decide(gateCall({ key: "k:1", args: { title: "other" } }))).toEqual({ status: "approved", approvalId: row?.id })
  expect(await decide(gateCall({ key: "k:2" }), callTarget({ address: "notes.delete" }))).toMatchObject({ status: "pending" })
  expect(await decide(gateCall({ key: "k:3" }), callTarget({ alwaysAsks: true }))).toMatchObject({ status: "pending" })
})

test("what was approved beforehand is recorded as used, but not for a tool that always asks", async () => {
  const { decide, stored } = await setUp({ autoApprove: true })
  expect(await decide()).toMatchObject({ status: "approved" })
  const [row] = await stored()
  expect(row).toMatchObject({ status: "accept", pause: 0, answeredBy: "alice", usedAt: row?.createdAt })
  expect(await decide(gateCall({ key: "k:1" }), callTarget({ alwaysAsks: true }))).toMatchObject({ status: "pending" })
})

test("a principal who has too much waiting may not ask", async () => {
  const { decide, stored } = await setUp({}, { approvalsPendingPerExecutionMax: 1 })
  await decide()
  expect(await decide(gateCall({ key: "k:1" }))).toMatchObject({ status: "refused", failure: { error: { code: "budget_exceeded" } } })
  expect(await stored()).toHaveLength(1)
})

test("calls side by side do not ask more than one execution may", async () => {
  const { approver, stored } = await setUp({}, { approvalsPendingPerExecutionMax: 2 })
  const one = await approver()
  const decisions = await Promise.all([0, 1, 2, 3].map((n) => one.decide(gateCall({ key: `k:${n}` }), callTarget(), asks)))
  expect(decisions.map(({ status }) => status)).toEqual(["pending", "pending", "refused", "refused"])
  expect(await stored()).toHaveLength(2)
})

const form = (message: string, state?: string): ElicitRequest => ({
  kind: "form",
  message,
  requestedSchema: { type: "object" },
  ...(state === undefined ? {} : { state }),
})

test("a tool's questions are answered in the order in which it asks them again", async () => {
  const { approver, answer, stored } = await setUp()
  const ask = async (asked: Set<string>, message: string) => (await approver()).question(gateCall(), callTarget(), asked, form(message))
  expect(await ask(new Set(), "Name?")).toEqual({ status: "pending", approvalId: (await stored())[0]?.id })
  await answer({ status: "accept", content: '{"name":"Ada"}' })
  const asked = new Set<string>()
  expect(await ask(asked, "Name?")).toEqual({ status: "answered", answer: { action: "accept", content: { name: "Ada" } } })
  // The same question twice is two questions.
  expect(await ask(asked, "Name?")).toEqual({ status: "pending", approvalId: (await stored())[1]?.id })
  await answer({ status: "decline" })
  const again = new Set<string>()
  await ask(again, "Name?")
  expect(await ask(again, "Name?")).toEqual({ status: "answered", answer: { action: "decline" } })
})

test("an answer counts for the question that the human saw, not for another in its place", async () => {
  const { approver, answer } = await setUp()
  await (await approver()).question(gateCall(), callTarget(), new Set(), form("Delete 1 file?"))
  await answer({ status: "accept" })
  const question = (await approver()).question(gateCall(), callTarget(), new Set(), form("Delete all files?"))
  expect(await question).toMatchObject({ status: "pending" })
})

test("a tool that has a state goes on from it, past the questions before", async () => {
  const { approver, answer, stored } = await setUp()
  expect((await approver()).resumption(gateCall())).toEqual({ asked: [], state: null })
  await (await approver()).question(gateCall(), callTarget(), new Set(), form("First?", "round 1"))
  await answer({ status: "accept" })
  const [first] = await stored()
  await (await approver()).question(gateCall(), callTarget(), new Set([first?.id ?? ""]), form("Second?", "round 2"))
  expect((await approver()).resumption(gateCall())).toEqual({ asked: [first?.id], state: "round 2" })
  expect((await approver()).resumption(gateCall({ key: "k:1" }))).toEqual({ asked: [], state: null })
})
