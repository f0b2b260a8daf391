// Answers that concern more than one call, or an execution that never paused: what the inbox and the history say of them.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"

let ledger: Ledger
let executor: Executor
const dataDir = mkdtempSync(join(tmpdir(), "executor-answers-"))

beforeAll(async () => {
  ledger = await startLedger()
  executor = await createExecutor({ dataDir })
  await executor.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await executor.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await executor.close()
  await ledger.close()
  rmSync(dataDir, { recursive: true })
})

const waiting = async (executionId: string) => (await executor.approvals.list()).items.filter((one) => one.executionId === executionId)

async function firstApproval() {
  for (;;) {
    const [one] = (await executor.approvals.list()).items
    if (one !== undefined) return one
    await sleep(20)
  }
}

test("an answer for the whole execution answers what waits beside it", async () => {
  const paused = await executor.run(
    `return Promise.all(["x", "y", "z"].map(async (name) => (await tools.ledger.items.create({ name })).ok))`,
  )
  const [first, second] = await waiting(paused.executionId)
  const ended = await executor.approvals.answer(first?.approvalId ?? "", { action: "accept", remember: "execution" })
  expect(ended.structured).toMatchObject({ result: [true, true, true] })
  expect(await waiting(paused.executionId)).toEqual([])
  await expect(executor.approvals.answer(second?.approvalId ?? "", { action: "decline" })).rejects.toMatchObject({
    code: "already_answered",
  })
  const { calls } = await executor.executions.get(paused.executionId)
  expect(calls.map((call) => call.approval?.answer)).toEqual(["accept", "accept", "accept"])
})

test("an answer to code that never paused can be repeated, and is in its history", async () => {
  const running = executor.run(`
    let made
    tools.ledger.items.create({ name: "meanwhile" }).then((one) => (made = one.ok))
    while (made === undefined) await new Promise((next) => setTimeout(next, 30))
    return made`)
  const { approvalId, executionId } = await firstApproval()
  await executor.approvals.answer(approvalId, { action: "accept" })
  expect((await running).structured).toMatchObject({ status: "completed", result: true })
  expect(await executor.resume(executionId ?? "", { action: "accept", approvalId })).toMatchObject({ status: "completed" })
  await expect(executor.resume(executionId ?? "", { action: "decline", approvalId })).rejects.toMatchObject({ code: "already_answered" })
  const { calls } = await executor.executions.get(executionId ?? "")
  expect(calls).toMatchObject([{ status: "done", approval: { approvalId, answer: "accept" } }])
})

test("cancelled code leaves no call waiting", async () => {
  const running = executor.run(`
    tools.ledger.items.create({ name: "never" })
    for (;;) await new Promise((next) => setTimeout(next, 30))`)
  const { executionId } = await firstApproval()
  await executor.executions.cancel(executionId ?? "")
  expect((await running).status).toBe("cancelled")
  await expect
    .poll(async () => (await executor.executions.get(executionId ?? "")).calls)
    .toMatchObject([{ status: "done", error: { code: "approval_cancelled" } }])
  expect(await waiting(executionId ?? "")).toEqual([])
})
