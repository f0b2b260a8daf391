// Tests that whoever waits for an execution learns how it settled, wherever it runs, and waits for a human only as long as they said.
import { afterAll, expect, test } from "vitest"
import type { ExecutionRow, ExecutionStore } from "../../store/execution-store.ts"
import { executionRow, outcomeRecord, paused } from "../../store/executions/testing/samples.ts"
import type { NodeOptions } from "../testing/cluster.ts"
import { openCluster } from "../testing/cluster.ts"
import { activeRun, staticTool } from "../testing/samples.ts"
import { waitForAnswer, waitForApproval } from "./await-answer.ts"
import { awaitSettled } from "./await.ts"
import { execute } from "./execute.ts"
import { answerApproval } from "./resume.ts"
import { LeaseLost } from "./run-registry.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp(options: NodeOptions = {}) {
  const parts = cluster.node(options)
  const human = await cluster.human()
  const row = executionRow(human)
  await cluster.executions.journal.append([{ kind: "execution", row }], "now")
  const settle = (run = row.run) => cluster.executions.journal.append([outcomeRecord({ ...row, run })], "now")
  return { parts, human, row, settle }
}

/** Does something after the execution was looked at so often. */
const afterLooks = (count: number, work: () => Promise<void>): NodeOptions => {
  let looks = 0
  return {
    over: (store: ExecutionStore) => ({
      ...store,
      executions: {
        ...store.executions,
        async get(...args) {
          const found = await store.executions.get(...args)
          looks += 1
          if (looks === count) await work()
          return found
        },
      },
    }),
  }
}

test("what runs here is waited for by its promise", async () => {
  const { parts, row } = await setUp()
  const ended = Promise.withResolvers<ExecutionRow>()
  parts.runs.add(activeRun(row, { ended: ended.promise }))
  const waiting = awaitSettled(row, parts)
  ended.resolve({ ...row, status: "completed" })
  expect(await waiting).toMatchObject({ status: "completed" })
})

test("what runs elsewhere is looked at until it has settled", async () => {
  const settled: { work: () => Promise<void> } = { work: async () => {} }
  const { parts, row, settle } = await setUp(afterLooks(2, () => settled.work()))
  settled.work = () => settle()
  expect(await awaitSettled(row, parts)).toMatchObject({ status: "completed" })
})

test("a run that lost its lease here is waited for where it was taken to", async () => {
  const { parts, row, settle } = await setUp()
  parts.runs.add(activeRun(row, { ended: Promise.reject(new LeaseLost("gone")) }))
  await settle()
  expect(await awaitSettled(row, parts)).toMatchObject({ status: "completed" })
})

test("another failure of a run here is the failure of whoever waits", async () => {
  const { parts, row } = await setUp()
  parts.runs.add(activeRun(row, { ended: Promise.reject(new Error("The server is stopping")) }))
  await expect(awaitSettled(row, parts)).rejects.toThrow("The server is stopping")
})

test("the pause from which it is taken up is not where it settles", async () => {
  const settled: { work: () => Promise<void> } = { work: async () => {} }
  const { parts, row, settle } = await setUp(afterLooks(2, () => settled.work()))
  const waiting = { ...row, ...paused(), leaseOwner: null, leaseUntil: null }
  await cluster.executions.journal.append([outcomeRecord(row, paused())], "now")
  settled.work = async () => {
    await cluster.executions.executions.claim(waiting, { owner: "node_2", until: row.leaseUntil ?? "" })
    await settle(2)
  }
  expect(await awaitSettled(waiting, parts)).toMatchObject({ status: "completed", run: 2 })
})

test("an execution that is deleted meanwhile is answered as it was known", async () => {
  const { parts, human } = await setUp()
  const row = executionRow(human)
  expect(await awaitSettled(row, parts)).toEqual(row)
})

const write = staticTool("notes.write", "write", async () => ({ ok: true, data: 1 }))
const signal = new AbortController().signal

test("whoever waits for a human learns whether they have answered when the time is up", async () => {
  const { parts, human } = await setUp({ tools: [write] })
  const { executionId, structured } = await execute(human, { code: `return (await tools.notes.write({})).data` }, parts)
  if (structured.status !== "waiting_for_interaction") throw new Error(structured.status)
  const wait = (ms: number, left = signal) => waitForAnswer(human, executionId, { ms, signal: left }, parts)
  expect(await wait(0)).toMatchObject({ isUnanswered: true, reply: { status: "paused" } })
  expect(await wait(60_000, AbortSignal.abort())).toMatchObject({ isUnanswered: true })
  const waiting = wait(60_000)
  await answerApproval(human, structured.interactions[0]?.approvalId ?? "", { action: "accept" }, parts)
  expect(await waiting).toMatchObject({ isUnanswered: false, reply: { status: "completed" } })
})

test("a question that was not shown yet is not waited for", async () => {
  const { parts, human } = await setUp({ tools: [write] })
  const code = `return (await tools.notes.write({})).data`
  const { executionId } = await execute(human, { code, left: AbortSignal.abort() }, parts)
  expect(await waitForAnswer(human, executionId, { ms: 60_000, signal }, parts)).toMatchObject({
    isUnanswered: false,
    reply: { status: "paused" },
  })
})

test("an approval is waited for until it is answered, and is cancelled where there is none", async () => {
  const { parts, human } = await setUp({ tools: [write] })
  const code = `return (await tools.notes.write({})).ok`
  await execute(human, { code, approval: "throw" }, parts)
  const [row] = await cluster.executions.approvals.list({ ...human, tokenId: null }, {}, { after: null, limit: 1 })
  const wait = (id: string, ms: number) => waitForApproval(human, id, { ms, signal }, parts)
  expect([await wait(row?.id ?? "", 0), await wait("apr_none", 60_000)]).toEqual(["pending", "cancel"])
  const waiting = wait(row?.id ?? "", 60_000)
  await answerApproval(human, row?.id ?? "", { action: "decline" }, parts)
  expect(await waiting).toBe("decline")
})
