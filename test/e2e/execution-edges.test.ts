// Executions at their edges: answers at awkward moments, ends with work under way, budgets that span pauses.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import type { ExecutionReply } from "../../src/core/execution.ts"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"

let ledger: Ledger
let executor: Executor
const dataDir = mkdtempSync(join(tmpdir(), "executor-edges-"))
const limits = { executionJournalBytesMax: 3_000_000, pageBytesMax: 1_000_000, pausedMsMax: 600_000 }

beforeAll(async () => {
  ledger = await startLedger()
  executor = await createExecutor({ dataDir, limits })
  await executor.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await executor.connections.create({ integration: "ledger" })
  const when = [{ arg: "name", op: "like", value: "free*" }] as const
  await executor.policies.create({ owner: "org", pattern: "ledger.org.main.items.create", action: "allow", when })
})
afterEach(() => void (ledger.entries.length = 0))
afterAll(async () => {
  await executor.close()
  await ledger.close()
  rmSync(dataDir, { recursive: true })
})

const writes = (): string[] => ledger.entries.filter((entry) => entry.method !== "GET").map((entry) => entry.name)
const resultOf = (reply: ExecutionReply): unknown =>
  reply.structured.status === "waiting_for_interaction" ? "paused" : (reply.structured.error ?? reply.structured.result)

async function firstApproval(): Promise<string> {
  for (;;) {
    const [waiting] = (await executor.approvals.list()).items
    if (waiting !== undefined) return waiting.approvalId
    await sleep(20)
  }
}

test("an answer reaches code that goes on meanwhile, and nothing happens twice", async () => {
  const polling = executor.run(`
    let answer
    let reads = 0
    tools.ledger.items.create({ name: "asked" }).then((one) => (answer = one))
    while (!answer && reads < 200) { await tools.ledger.items.get({ name: "r" + reads++ }); await new Promise((next) => setTimeout(next, 50)) }
    return [answer?.ok ?? "never", reads < 200]`)
  const accepted = executor.approvals.answer(await firstApproval(), { action: "accept" })
  expect(resultOf(await polling)).toEqual([true, true])
  expect((await accepted).status).toBe("completed")
  expect(writes()).toEqual(["asked"])
  const reads = ledger.entries.filter((entry) => entry.method === "GET").map((entry) => entry.name)
  expect(new Set(reads).size).toBe(reads.length)
})

test("code that is stopped takes its requests along, and a write among them is uncertain", async () => {
  const run = await executor.run(
    `await Promise.all([tools.ledger.items.get({ name: "read", delay: 60_000 }), tools.ledger.items.create({ name: "free", delay: 60_000 })])`,
    { timeoutMs: 5000 },
  )
  expect(run.structured).toMatchObject({ status: "failed", error: { code: "timeout" } })
  await expect
    .poll(async () => (await executor.executions.get(run.executionId)).calls.map((call) => [call.status, call.error?.code]))
    .toEqual([
      ["done", "timeout"],
      ["done", "outcome_unknown"],
    ])
})

test("the journal's budget counts refused calls, kept values and earlier runs", async () => {
  const big = `"x".repeat(900_000)`
  const refused = await executor.run(
    `const codes = []; for (let at = 0; at < 6; at++) codes.push((await tools.ledger.absent({ at, big: ${big} })).error.code); return codes`,
  )
  expect(resultOf(refused)).toEqual([
    "tool_not_found",
    "tool_not_found",
    "tool_not_found",
    "budget_exceeded",
    "budget_exceeded",
    "budget_exceeded",
  ])
  const kept = await executor.run(
    `await store("big", ${big}); let loads = 0; try { for (;;) { await load("big"); loads++ } } catch (error) { return [error.code, loads] }`,
  )
  expect(resultOf(kept)).toEqual(["budget_exceeded", 3])
  const code = `const take = () => tools.ledger.absent({ big: ${big} })
    await take(); await take(); await tools.ledger.items.create({ name: "asks" }); await take()
    return (await take()).error.code`
  const { executionId } = await executor.run(code)
  expect(resultOf(await executor.resume(executionId, { action: "accept" }))).toBe("budget_exceeded")
  const view = await executor.executions.get(refused.executionId)
  expect(view.calls.map((call) => (call.args as { truncated?: boolean }).truncated === true)).toEqual([false, true, true, true, true, true])
})

test("one execution's searches leave room for others", async () => {
  const greedy = executor.run(
    `return (await Promise.all(Array.from({ length: 300 }, (_, at) => tools.search({ query: "item " + at })))).length`,
  )
  let others = 0
  const over = greedy.then(() => "over" as const)
  while ((await Promise.race([over, executor.run("return 1")])) !== "over") others += 1
  expect(resultOf(await greedy)).toBe(300)
  expect(others).toBeGreaterThan(3)
})

test("a result is read in pieces that are whole characters", async () => {
  const { executionId } = await executor.run(`return "a😀b"`)
  const pieces: string[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const piece = await executor.executions.result(executionId, { offset, length: 1 })
    pieces.push(piece.text)
    offset = piece.nextOffset
  }
  expect(pieces).toEqual(['"', "a", "😀", "b", '"'])
})

test("a text that is cut says which part of it is, and where the rest is", async () => {
  const chatty = await executor.run(`for (let i = 0; i < 900; i++) console.log("l".repeat(100)); return "kept"`)
  expect(chatty.text).toMatch(/^kept\n\nLogs:\nlll/)
  expect(chatty.text).toMatch(/\n\[warn\] … \d+ lines are left out here; log less, or return the values\.\n/)
  const both = await executor.run(`for (let i = 0; i < 900; i++) console.log("l".repeat(100)); return "r".repeat(50000)`)
  expect(both.text).toMatch(/^The result is too long to show: 50000 characters\. .*\nIt begins:\nr+\n/)
  for (const { text } of [chatty, both]) expect(text.length).toBeLessThanOrEqual(30_000)
})
