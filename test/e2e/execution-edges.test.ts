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

test("a write under way when an answer arrives is waited for", async () => {
  await executor.policies.create({
    owner: "org",
    pattern: "ledger.org.main.items.create",
    action: "allow",
    when: [{ arg: "name", op: "like", value: "free*" }],
  })
  const running = executor.run(`
    const asked = tools.ledger.items.create({ name: "asked" })
    const slow = await tools.ledger.items.create({ name: "free", delay: 800 })
    return [slow.ok, (await asked).ok]`)
  await executor.approvals.answer(await firstApproval(), { action: "accept" })
  expect(resultOf(await running)).toEqual([true, true])
  expect(writes().toSorted()).toEqual(["asked", "free"])
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

test("an answer after the time is up runs nothing", async () => {
  const impatient = await createExecutor({ dataDir, limits: { ...limits, pausedMsMax: 50 } })
  const paused = await impatient.run(`return (await tools.ledger.items.create({ name: "late" })).ok`)
  const thrown = await impatient.run(`return (await tools.ledger.items.create({ name: "later" })).error.details.approvalId`, {
    approval: "throw",
  })
  await sleep(80)
  expect((await impatient.resume(paused.executionId, { action: "accept" })).structured).toMatchObject({
    error: { code: "approval_expired" },
  })
  for (const action of ["accept", "decline"] as const)
    expect((await impatient.resume(paused.executionId, { action })).structured).toMatchObject({ error: { code: "approval_expired" } })
  await expect(impatient.approvals.answer(String(resultOf(thrown)), { action: "accept" })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("expired before it was answered"),
  })
  expect((await impatient.approvals.list()).items).toEqual([])
  expect((await impatient.executions.get(paused.executionId)).calls).toMatchObject([
    { status: "done", error: { code: "approval_cancelled" } },
  ])
  expect(writes()).toEqual([])
  await impatient.close()
})

test("a question whose time is up when the code comes to wait for it ends the execution", async () => {
  const impatient = await createExecutor({ dataDir, limits: { ...limits, pausedMsMax: 50 } })
  const late = await impatient.run(
    `const asked = tools.ledger.items.create({ name: "too late" })
    for (let i = 0; i < 10; i++) await tools.ledger.items.get({ name: "meanwhile" + i, delay: 100 })
    return (await asked).ok`,
  )
  expect(late).toMatchObject({ status: "failed", structured: { error: { code: "approval_expired" } } })
  expect(writes()).toEqual([])
  await impatient.close()
})

test("the same request without an answer is one request", async () => {
  const ask = `return (await tools.ledger.items.create({ name: "again" })).error.details.approvalId`
  const [first, second] = [await executor.run(ask, { approval: "throw" }), await executor.run(ask, { approval: "throw" })]
  expect(resultOf(second)).toBe(resultOf(first))
  await executor.approvals.answer(String(resultOf(first)), { action: "decline" })
})

test("without ids a repeated answer is the same, and another one is refused", async () => {
  const { executionId, structured } = await executor.run(
    `return (await Promise.all(["a", "b", "c"].map((name) => tools.ledger.items.create({ name })))).map((one) => one.ok)`,
  )
  const ids = structured.status === "waiting_for_interaction" ? structured.interactions.map((one) => one.approvalId) : []
  for (const approvalId of ids) await executor.resume(executionId, { action: "accept", approvalId })
  expect(resultOf(await executor.resume(executionId, { action: "accept" }))).toEqual([true, true, true])
  await expect(executor.resume(executionId, { action: "decline" })).rejects.toMatchObject({ code: "already_answered" })
  expect((await executor.executions.get(executionId)).calls.map((call) => call.approval)).toEqual(
    ids.map((approvalId) => ({ approvalId, answer: "accept", by: "local" })),
  )
  const answers = (await executor.audit.list({ limit: 50 })).items.filter(
    (one) => one.action === "approval.accept" && one.executionId === executionId,
  )
  expect(answers).toHaveLength(3)
})

test("wrong values are refused before anything is stored", async () => {
  const { executionId } = await executor.run(`return (await tools.ledger.items.create({ name: "x" })).ok`)
  const wrong = (value: unknown): Promise<unknown> => executor.resume(executionId, value as { action: "accept" }) // what a caller without types may pass
  await expect(wrong({ action: "yes" })).rejects.toMatchObject({ code: "invalid_request" })
  await expect(wrong({})).rejects.toMatchObject({ code: "invalid_request" })
  await expect(executor.run(5 as unknown as string)).rejects.toMatchObject({ code: "invalid_request" }) // as above
  await expect(executor.run("1", { results: "foo" as "raw" })).rejects.toMatchObject({ code: "invalid_request" }) // as above
  expect(resultOf(await executor.resume(executionId, { action: "accept" }))).toBe(true)
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
