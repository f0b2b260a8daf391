// Tests that what nobody answered is withdrawn, and that an answer that came first stays.
import { afterAll, expect, test } from "vitest"
import { systemClock } from "../../io/clock.ts"
import { createMemoryDatabase } from "../../store/executions/testing/memory.ts"
import { allOf, approvalRow, later, newScope } from "../../store/executions/testing/samples.ts"
import { withdrawApprovals } from "./withdraw.ts"

const database = await createMemoryDatabase()
afterAll(() => database.close())

test("an answer that came after the rows were read is kept", async () => {
  const executions = database.open()
  const scope = newScope()
  const rows = ["apr_1", "apr_2", "apr_3"].map((id) =>
    approvalRow(scope, { id, ...(id === "apr_3" ? { status: "decline" as const } : {}) }),
  )
  await executions.journal.append(
    rows.map((row) => ({ kind: "approval", row })),
    "now",
  )
  const answer = { status: "accept", content: null, remember: null, answeredBy: "bob", answeredAt: later(1) } as const
  await executions.approvals.answer(scope.tenant, ["apr_1"], answer)
  await withdrawApprovals(rows, "expired", { executions, clock: systemClock })
  const now = await executions.approvals.list(allOf(scope), {}, { after: null, limit: 9 })
  expect(now.map(({ status, answeredBy }) => [status, answeredBy])).toEqual([
    ["accept", "bob"],
    ["expired", null],
    ["decline", null],
  ])
})

test("with nothing open, nothing is written", async () => {
  const executions = database.open()
  const answer = (): never => {
    throw new Error("nothing to withdraw")
  }
  const parts = { executions: { ...executions, approvals: { ...executions.approvals, answer } }, clock: systemClock }
  await withdrawApprovals([approvalRow(newScope(), { status: "accept" })], "cancel", parts)
  await withdrawApprovals([], "cancel", parts)
})
