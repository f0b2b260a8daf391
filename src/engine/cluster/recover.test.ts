// Tests that an execution survives its node in every state, that nothing is written twice, and that what is due is done at a tick.
import { afterAll, expect, test, vi } from "vitest"
import type { ExecutionReply } from "../../core/execution.ts"
import type { ToolResult } from "../../core/result.ts"
import { allOf, executionRow, later, outcomeRecord } from "../../store/executions/testing/samples.ts"
import type { ExecutionStore } from "../../store/execution-store.ts"
import { answerApproval } from "../executions/resume.ts"
import { execute } from "../executions/execute.ts"
import { leaseMs, openCluster } from "../testing/cluster.ts"
import { gatedTool, staticTool } from "../testing/samples.ts"
import { startRecovery } from "./recover.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp() {
  const writes: string[] = []
  const [slowRead, slowWrite] = [gatedTool("notes.slowRead", "read"), gatedTool("notes.slowWrite", "write")]
  const write = staticTool("notes.write", "write", async ({ args }): Promise<ToolResult> => {
    writes.push(String(args["title"]))
    return { ok: true, data: writes.length }
  })
  const tools = [write, slowRead.tool, slowWrite.tool]
  const human = await cluster.human()
  const [one, two] = [cluster.node({ tools }), cluster.node({ tools })]
  const ticking = [startRecovery(one), startRecovery(two)] as const
  /** The first node runs code, of which everything is approved beforehand. */
  const start = (code: string): Promise<ExecutionReply> => execute(human, { code, autoApprove: true }, one)
  /** The first node is not heard of for longer than its lease; the second one looks. */
  const takeOver = async (): Promise<void> => {
    cluster.clock.advance(leaseMs + 1)
    await ticking[1].tick()
  }
  const stop = () => Promise.all(ticking.map((recovery) => recovery.stop()))
  return { human, one, two, ticking, writes, slowRead, slowWrite, start, takeOver, stop }
}

test("a read that was under way is repeated elsewhere; what was written before is not", async () => {
  const { writes, slowRead, start, takeOver, stop } = await setUp()
  const reply = start(`
    await tools.notes.write({ title: "a" })
    const read = await tools.notes.slowRead({})
    await tools.notes.write({ title: "b" })
    return read.data`)
  await slowRead.calls(1)
  await takeOver()
  await slowRead.calls(2)
  slowRead.answer({ ok: true, data: "read" })
  expect(await reply).toMatchObject({ status: "completed", structured: { result: "read" } })
  expect(writes).toEqual(["a", "b"])
  await stop()
})

test("a node that comes back after it was given up starts no write, and its caller gets the reply of the other", async () => {
  const { writes, slowRead, start, takeOver, stop } = await setUp()
  const reply = start(`
    await tools.notes.write({ title: "before" })
    const read = await tools.notes.slowRead({})
    await tools.notes.write({ title: read.data })
    return read.data`)
  await slowRead.calls(1)
  await takeOver()
  await slowRead.calls(2)
  slowRead.answerOne(0, { ok: true, data: "of the first node" })
  slowRead.answerOne(1, { ok: true, data: "of the second node" })
  expect((await reply).structured).toMatchObject({ result: "of the second node" })
  expect(writes).toEqual(["before", "of the second node"])
  await stop()
})

test("a write that was under way is not repeated: the code learns that nobody knows", async () => {
  const { slowWrite, start, takeOver, ticking, stop } = await setUp()
  const reply = start(`return await tools.notes.slowWrite({})`)
  await slowWrite.calls(1)
  await takeOver()
  // The first node comes back, and finds that the execution is no longer its own.
  await ticking[0].tick()
  expect(slowWrite.signalOf(0)?.aborted).toBe(true)
  expect((await reply).structured).toMatchObject({ result: { ok: false, error: { code: "outcome_unknown" } } })
  slowWrite.answer({ ok: true, data: "too late" })
  expect(slowWrite.count()).toBe(1)
  await stop()
})

test("a node that renews its leases keeps its executions", async () => {
  const { slowRead, start, ticking, stop } = await setUp()
  const reply = start(`await tools.notes.write({}); return (await tools.notes.slowRead({})).data`)
  await slowRead.calls(1)
  for (let renewals = 0; renewals < 3; renewals += 1) {
    cluster.clock.advance(leaseMs * 0.6)
    await ticking[0].tick()
    await ticking[1].tick()
  }
  slowRead.answer({ ok: true, data: "once" })
  expect((await reply).structured).toMatchObject({ result: "once" })
  expect(slowRead.count()).toBe(1)
  await stop()
})

test("a question that nobody answered in time ends its execution, in the audit too", async () => {
  const { human, one, ticking, writes, stop } = await setUp()
  const { executionId, status } = await execute(human, { code: `await tools.notes.write({ title: "x" })` }, one)
  expect(status).toBe("paused")
  cluster.clock.advance(one.limits.pausedMsMax + 1)
  await ticking[1].tick()
  const { executions, approvals, audit } = cluster.executions
  expect(await executions.get(allOf(human), executionId)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("approval_expired"),
  })
  const page = { after: null, limit: 9 }
  expect(await approvals.list(allOf(human), {}, page)).toMatchObject([{ status: "expired" }])
  expect(await audit.list(allOf(human), { action: "execution.expire" }, page)).toMatchObject([{ subject: executionId, user: "alice" }])
  expect(writes).toEqual([])
  await stop()
})

test("an execution whose answer was taken by a process that died goes on elsewhere", async () => {
  const { human, one, ticking, writes, stop } = await setUp()
  const { executionId } = await execute(human, { code: `await tools.notes.write({ title: "x" }); return 1` }, one)
  const [approval] = await cluster.executions.approvals.list(allOf(human), { executionId }, { after: null, limit: 9 })
  const answer = { status: "accept", content: null, remember: null, answeredBy: "alice", answeredAt: later(0) } as const
  await cluster.executions.approvals.answer(human.tenant, [approval?.id ?? ""], answer)
  await ticking[1].tick()
  await vi.waitFor(async () =>
    expect(await cluster.executions.executions.get(allOf(human), executionId)).toMatchObject({ status: "completed", result: "1" }),
  )
  expect(writes).toEqual(["x"])
  // Whoever answers once more is told how it ended.
  expect(await answerApproval(human, approval?.id ?? "", { action: "accept" }, one)).toMatchObject({ status: "completed" })
  await stop()
})

test("what runs for a token that was revoked elsewhere is cancelled at the next tick", async () => {
  const { human, one, ticking, slowRead, stop } = await setUp()
  const agent = await cluster.agentOf(human)
  const reply = execute(agent, { code: `return await tools.notes.slowRead({})` }, one)
  await slowRead.calls(1)
  await cluster.store.tokens.remove(human, agent.tokenId ?? "")
  await ticking[0].tick()
  expect(await reply).toMatchObject({ status: "cancelled", text: expect.stringContaining("its token was revoked") })
  await stop()
})

test("history that is old enough is deleted, now and then", async () => {
  const human = await cluster.human()
  const old = executionRow(human, { createdAt: later(0) })
  await cluster.executions.journal.append([{ kind: "execution", row: old }, outcomeRecord(old, { endedAt: later(1) })], "now")
  const recovery = startRecovery(cluster.node({ limits: { historyMs: 1, historyKeptMin: 0 } }))
  const stored = () => cluster.executions.executions.get(allOf(human), old.id)
  await recovery.tick()
  expect(await stored()).not.toBeNull()
  await recovery.tick()
  expect(await stored()).toBeNull()
  await recovery.stop()
})

test("a tick that fails is tried again", async () => {
  let looks = 0
  const over = (store: ExecutionStore): ExecutionStore => ({
    ...store,
    leases: {
      ...store.leases,
      takeExpired(...args) {
        looks += 1
        return looks === 1 ? Promise.reject(new Error("The store is away")) : store.leases.takeExpired(...args)
      },
    },
  })
  const recovery = startRecovery(cluster.node({ over }))
  await recovery.tick()
  await recovery.tick()
  expect(looks).toBe(2)
  await recovery.stop()
})
