// Tests that a cancelled execution ends wherever it is, with its calls and questions, and that nothing else does.
import { afterAll, expect, test } from "vitest"
import type { Principal } from "../../core/principal.ts"
import { allOf } from "../../store/executions/testing/samples.ts"
import { onNodeSignal } from "../cluster/signals.ts"
import { openCluster } from "../testing/cluster.ts"
import { gatedTool, staticTool } from "../testing/samples.ts"
import { cancelExecution, cancelOfToken } from "./cancel.ts"
import { execute } from "./execute.ts"
import { answerApproval } from "./resume.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp() {
  const write = staticTool("notes.write", "write", async () => ({ ok: true, data: null }))
  const [slow, slowWrite] = [gatedTool("notes.slow", "read"), gatedTool("notes.slowWrite", "write")]
  const tools = [write, slow.tool, slowWrite.tool]
  const human = await cluster.human()
  const [one, two] = [cluster.node({ tools }), cluster.node({ tools })]
  const pause = async (who: Principal = human): Promise<string> =>
    (await execute(who, { code: `return (await tools.notes.write({})).ok` }, one)).executionId
  const start = (code: string, who: Principal = human) => {
    const started = Promise.withResolvers<string>()
    const reply = execute(who, { code, autoApprove: who.kind === "human", onStart: started.resolve }, one)
    return { id: started.promise, reply }
  }
  const { executions, approvals, journal } = cluster.executions
  const stored = (id: string) => executions.get(allOf(human), id)
  const asked = () => approvals.list(allOf(human), {}, { after: null, limit: 20 })
  const calls = (id: string) => journal.calls(human, id, 0)
  return { human, one, two, slow, slowWrite, pause, start, stored, asked, calls }
}

test("a pause ends with its question and its call, and nobody can answer it any more", async () => {
  const { human, one, two, pause, asked, calls } = await setUp()
  const id = await pause()
  expect(await cancelExecution(human, id, two)).toMatchObject({ status: "cancelled", isError: true })
  const [row] = await asked()
  expect(row).toMatchObject({ status: "cancel", answeredBy: null })
  expect(await calls(id)).toMatchObject([{ state: "done", errorCode: "approval_cancelled" }])
  await expect(answerApproval(human, row?.id ?? "", { action: "accept" }, one)).rejects.toMatchObject({ code: "already_answered" })
})

test("code that runs here stops; of a write under way nobody knows", async () => {
  const { human, one, slowWrite, start } = await setUp()
  const { id, reply } = start(`await tools.notes.slowWrite({}); return 1`)
  await slowWrite.calls(1)
  const cancelled = await cancelExecution(human, await id, one)
  expect(cancelled).toMatchObject({
    status: "cancelled",
    structured: { error: { calls: [{ tool: "notes.slowWrite", outcome: "unknown" }] } },
  })
  expect(await reply).toEqual(cancelled)
})

test("code that runs on another node stops there, and its caller learns by whom", async () => {
  const { human, one, two, slow, start, stored } = await setUp()
  const stop = onNodeSignal(one)
  const { id, reply } = start(`await tools.notes.write({}); await tools.notes.slow({}); return 1`)
  await slow.calls(1)
  expect((await cancelExecution(human, await id, two)).status).toBe("cancelled")
  expect(await reply).toMatchObject({ status: "cancelled", text: expect.stringContaining("cancelled by a human") })
  expect(await stored(await id)).toMatchObject({ status: "cancelled" })
  stop()
})

test("code that runs takes back what it asked, and leaves no call waiting", async () => {
  const { human, one, slow, start, asked, calls } = await setUp()
  const agent = await cluster.agentOf(human)
  const { id, reply } = start(`tools.notes.write({}); await tools.notes.slow({}); return 1`, agent)
  await slow.calls(1)
  await cancelExecution(human, await id, one)
  expect((await reply).status).toBe("cancelled")
  expect(await asked()).toMatchObject([{ status: "cancel" }])
  expect(await calls(await id)).toContainEqual(
    expect.objectContaining({ path: "notes.write", state: "done", errorCode: "approval_cancelled" }),
  )
})

test("two who cancel at once are both told that it is cancelled", async () => {
  const { human, one, two, pause } = await setUp()
  const id = await pause()
  const replies = await Promise.all([one, two, two].map((node) => cancelExecution(human, id, node)))
  expect(replies.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"])
})

test("what has ended stays as it ended", async () => {
  const { human, one } = await setUp()
  const { executionId } = await execute(human, { code: "return 7" }, one)
  expect(await cancelExecution(human, executionId, one)).toMatchObject({ status: "completed", structured: { result: 7 } })
})

test("nobody cancels what they may not see, be it stored or not", async () => {
  const { human, one, slow, start, pause } = await setUp()
  const { id, reply } = start(`await tools.notes.slow({}); return 1`)
  await slow.calls(1)
  for (const stranger of [{ ...human, user: "bob" }, await cluster.human(), await cluster.agentOf(human)])
    for (const executionId of [await id, await pause()])
      await expect(cancelExecution(stranger, executionId, one)).rejects.toMatchObject({ code: "not_found" })
  slow.answer({ ok: true, data: null })
  expect((await reply).status).toBe("completed")
})

test("more executions of a revoked token than a page holds are all cancelled", async () => {
  const { human, pause, stored } = await setUp()
  const agent = await cluster.agentOf(human)
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push(await pause(agent))
  await cancelOfToken(human, agent.tokenId ?? "", cluster.node({ limits: { pageSizeMax: 2 } }))
  for (const id of ids)
    expect(await stored(id)).toMatchObject({ status: "cancelled", error: expect.stringContaining("its token was revoked") })
})

test("a token that is revoked leaves nothing behind, wherever it is, and others go on", async () => {
  const { human, one, two, slow, start, pause, stored } = await setUp()
  const [lost, kept] = [await cluster.agentOf(human), await cluster.agentOf(human)]
  const paused = [await pause(lost), await pause(kept)]
  const running = [start(`await tools.notes.slow({}); return 1`, lost), start(`await tools.notes.slow({}); return 2`, kept)]
  await slow.calls(2)
  const stop = onNodeSignal(one)
  await cancelOfToken(human, lost.tokenId ?? "", two)
  await cancelOfToken(human, lost.tokenId ?? "", one)
  slow.answer({ ok: true, data: null })
  expect((await Promise.all(running.map(({ reply }) => reply))).map(({ status }) => status)).toEqual(["cancelled", "completed"])
  expect((await Promise.all(paused.map(stored))).map((row) => row?.status)).toEqual(["cancelled", "paused"])
  stop()
})
