// Tests what an execution takes from the record of another: answers without calls, until it makes a call of its own.
import { afterAll, expect, test } from "vitest"
import type { ExecutionReply } from "../../../core/execution.ts"
import { openCluster } from "../../testing/cluster.ts"
import { staticTool } from "../../testing/samples.ts"
import { auditOf } from "../../audit/read.ts"
import { pageCalls } from "../../call-details.ts"
import { execute } from "../execute.ts"
import { showExecution } from "../history.ts"
import { resumeExecution } from "../resume.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

function ledger() {
  const calls: string[] = []
  const tool = (name: string, effect: "read" | "write") =>
    staticTool(`notes.${name}`, effect, async ({ args }) => {
      calls.push(`${name} ${JSON.stringify(args)}`)
      return name === "missing"
        ? { ok: false, error: { code: "upstream_error", message: "Not Found", status: 404 } }
        : { ok: true, data: calls.length }
    })
  return { calls, parts: cluster.node({ tools: [tool("read", "read"), tool("missing", "read"), tool("write", "write")] }) }
}

const resultOf = ({ structured }: ExecutionReply): unknown => ("result" in structured ? structured.result : structured)

const code = `const a = await tools.notes.read({ title: "a" })
const missing = await tools.notes.missing({ title: "b" })
const id = crypto.randomUUID()
const c = await tools.notes.write({ title: id })
return [a.data, missing.error.code, id, c.data]`

test("the same calls get the same answers, and reach nothing", async () => {
  const { calls, parts } = ledger()
  const human = await cluster.human()
  const first = await execute(human, { code, autoApprove: true }, parts)
  expect(calls).toHaveLength(3)
  const second = await execute(human, { code: `${code}.reverse()`, replayOf: first.executionId }, parts)
  expect(second.status).toBe("completed")
  expect(resultOf(second)).toEqual((resultOf(first) as unknown[]).toReversed())
  expect(calls).toHaveLength(3)
  expect(await showExecution(human, second.executionId, parts)).toMatchObject({ replayOf: first.executionId })
  const entries = async (executionId: string): Promise<number> => (await auditOf(human, parts).list({ executionId })).items.length
  await expect.poll(() => entries(first.executionId)).toBe(3)
  expect(await entries(second.executionId)).toBe(0)
  const { items } = await pageCalls(human, second.executionId, {}, parts)
  expect(items.map(({ path, replayed, replayedFrom, decision }) => [path, replayed, replayedFrom, decision])).toEqual(
    ["notes.read", "notes.missing", "notes.write"].map((path) => [path, true, first.executionId, "none"]),
  )
})

test("from the first other call on, everything is made, and asked about: no approval is taken over", async () => {
  const { calls, parts } = ledger()
  const human = await cluster.human()
  const first = await execute(
    human,
    {
      code: `for (const title of ["a", "b"]) await tools.notes.write({ title })\nawait tools.notes.read({ title: "c" })`,
      autoApprove: true,
    },
    parts,
  )
  const before = calls.length
  const forked = await execute(
    human,
    {
      code: `await tools.notes.write({ title: "a" })\nawait tools.notes.write({ title: "other" })\nawait tools.notes.write({ title: "b" })\nreturn (await tools.notes.read({ title: "c" })).data`,
      replayOf: first.executionId,
    },
    parts,
  )
  expect(forked.status).toBe("paused")
  expect(calls).toHaveLength(before)
  const asked = (reply: ExecutionReply): unknown =>
    "interactions" in reply.structured ? reply.structured.interactions.map(({ args }) => args) : []
  expect(asked(forked)).toEqual([{ title: "other" }])
  const again = await resumeExecution(human, forked.executionId, { action: "accept" }, parts)
  expect(asked(again)).toEqual([{ title: "b" }])
  const last = await resumeExecution(human, forked.executionId, { action: "accept" }, parts)
  expect(last.status).toBe("completed")
  expect(calls.slice(before)).toEqual(['write {"title":"other"}', 'write {"title":"b"}', 'read {"title":"c"}'])
})

test("only what its reader may read, what has ended, and what is code", async () => {
  const { parts } = ledger()
  const human = await cluster.human()
  const agent = await cluster.agentOf(human)
  const own = await execute(human, { code: "return 1" }, parts)
  await expect(execute(agent, { code: "return 1", replayOf: own.executionId }, parts)).rejects.toMatchObject({ code: "not_found" })
  await expect(execute(human, { code: "return 1", replayOf: "exe_none" }, parts)).rejects.toMatchObject({ code: "not_found" })
  const paused = await execute(human, { code: "return await tools.notes.write({ title: 'a' })" }, parts)
  await expect(execute(human, { code: "return 1", replayOf: paused.executionId }, parts)).rejects.toMatchObject({ code: "conflict" })
})

test("a refusal that says nothing about now is not taken over, and from there on calls are made", async () => {
  const { calls, parts } = ledger()
  const human = await cluster.human()
  const asking = `const a = await tools.notes.read({ title: "a" })
const refused = await tools.notes.write({ title: "b" })
const c = await tools.notes.read({ title: "c" })
return [a.data, refused.ok ? "written" : refused.error.code, c.data]`
  const first = await execute(human, { code: asking, approval: "throw" }, parts)
  expect(resultOf(first)).toEqual([1, "approval_required", 2])
  const second = await execute(human, { code: asking, autoApprove: true, replayOf: first.executionId }, parts)
  expect(resultOf(second)).toEqual([1, "written", 4])
  expect(calls).toEqual(['read {"title":"a"}', 'read {"title":"c"}', 'write {"title":"b"}', 'read {"title":"c"}'])
})
