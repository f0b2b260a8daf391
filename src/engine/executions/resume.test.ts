// Tests that an answer moves the execution that waits for it once, whoever gives it, wherever, and however often.
import { afterAll, expect, test } from "vitest"
import type { ExecutionReply } from "../../core/execution.ts"
import type { ElicitationMode } from "../../core/token.ts"
import type { ToolResult } from "../../core/result.ts"
import { allOf } from "../../store/executions/testing/samples.ts"
import { executeTool } from "../execute-tool.ts"
import { openCluster } from "../testing/cluster.ts"
import { gatedTool, staticTool } from "../testing/samples.ts"
import { execute } from "./execute.ts"
import { answerApproval, relayAnswers, relayApproval, resumeExecution } from "./resume.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp() {
  const writes: string[] = []
  const write = staticTool("notes.write", "write", async ({ args }): Promise<ToolResult> => {
    writes.push(String(args["title"]))
    return { ok: true, data: writes.length }
  })
  const ask = staticTool("notes.ask", "read", async ({ elicit }): Promise<ToolResult> => {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
    const answer = await elicit({ kind: "form", message: "Name?", requestedSchema: schema })
    return { ok: true, data: answer }
  })
  const [slow, free] = [gatedTool("notes.slow", "read"), gatedTool("notes.free", "write")]
  const tools = [write, { ...ask, mayElicit: true }, slow.tool, { ...free.tool, requiresApproval: false }]
  const human = await cluster.human()
  const agent = await cluster.agentOf(human)
  const [one, two] = [cluster.node({ tools }), cluster.node({ tools })]
  const pause = (code = `return (await tools.notes.write({ title: "a" })).data`): Promise<ExecutionReply> => execute(agent, { code }, one)
  const approvals = () => cluster.executions.approvals.list(allOf(human), {}, { after: null, limit: 20 })
  const audited = async (action: string) => cluster.executions.audit.list(allOf(human), { action }, { after: null, limit: 20 })
  return { writes, slow, free, human, agent, one, two, pause, approvals, audited }
}

const accept = { action: "accept" } as const

test("an accepted call is made on whichever node the answer comes to", async () => {
  const { human, two, pause, writes, approvals } = await setUp()
  const { executionId, status } = await pause()
  expect([status, writes]).toEqual(["paused", []])
  expect(await resumeExecution(human, executionId, accept, two)).toMatchObject({ status: "completed", structured: { result: 1 } })
  expect(await approvals()).toMatchObject([{ status: "accept", answeredBy: "alice" }])
})

test("a declined call is not made, and the code goes on with the refusal", async () => {
  const { human, one, pause, writes, audited } = await setUp()
  const { executionId } = await pause(`return (await tools.notes.write({ title: "a" })).error.code`)
  const reply = await resumeExecution(human, executionId, { action: "decline" }, one)
  expect([reply.structured, writes]).toMatchObject([{ result: "approval_declined" }, []])
  expect(await audited("approval.decline")).toMatchObject([{ subject: "notes.write", executionId }])
})

test("two answers at once, on two nodes: both get the reply of the one run", async () => {
  const { human, one, two, pause, writes } = await setUp()
  const { executionId } = await pause()
  const replies = await Promise.all([one, two, one].map((node) => resumeExecution(human, executionId, accept, node)))
  expect(replies.map(({ status }) => status)).toEqual(["completed", "completed", "completed"])
  expect(writes).toEqual(["a"])
})

test("an answer that is repeated when all is over gets the same reply", async () => {
  const { human, one, two, pause, writes } = await setUp()
  const { executionId } = await pause()
  const first = await resumeExecution(human, executionId, accept, one)
  expect(await resumeExecution(human, executionId, accept, two)).toEqual(first)
  expect(writes).toEqual(["a"])
})

test("a request whose reply was lost, sent again, approves nothing that was not shown", async () => {
  const { human, one, two, pause, writes, approvals } = await setUp()
  const { executionId } = await pause(`await tools.notes.write({ title: "a" }); await tools.notes.write({ title: "b" }); return 1`)
  const lost = { ...accept, signal: AbortSignal.abort() }
  expect((await resumeExecution(human, executionId, lost, one)).status).toBe("paused")
  const again = await resumeExecution(human, executionId, accept, two)
  expect([again.status, writes]).toEqual(["paused", ["a"]])
  expect((await approvals()).map(({ status }) => status)).toEqual(["accept", "pending"])
  expect((await resumeExecution(human, executionId, accept, two)).status).toBe("completed")
  expect(writes).toEqual(["a", "b"])
})

test("named approvals alone are answered, and the code waits for the rest", async () => {
  const { human, one, pause, writes, approvals } = await setUp()
  const { executionId } = await pause(`
    const both = await Promise.all(["a", "b"].map((title) => tools.notes.write({ title })))
    return both.map((one) => one.ok)`)
  const [first] = await approvals()
  const reply = await resumeExecution(human, executionId, { ...accept, approvalId: first?.id ?? "" }, one)
  expect([reply.status, writes]).toEqual(["paused", ["a"]])
  await expect(resumeExecution(human, executionId, { ...accept, approvalIds: ["apr_none"] }, one)).rejects.toMatchObject({
    code: "not_found",
  })
  expect(await resumeExecution(human, executionId, accept, one)).toMatchObject({ structured: { result: [true, true] } })
})

test("an agent may refuse what it asked for, and never approve it", async () => {
  const { agent, one, pause, writes } = await setUp()
  const { executionId } = await pause(`return (await tools.notes.write({ title: "a" })).ok`)
  await expect(resumeExecution(agent, executionId, accept, one)).rejects.toMatchObject({ code: "forbidden" })
  expect(await resumeExecution(agent, executionId, { action: "decline" }, one)).toMatchObject({ structured: { result: false } })
  expect(writes).toEqual([])
})

test("an execution of somebody else is not there", async () => {
  const { human, one, pause, approvals } = await setUp()
  const { executionId } = await pause()
  const [row] = await approvals()
  for (const stranger of [{ ...human, user: "bob" }, await cluster.human(), await cluster.agentOf(human)]) {
    await expect(resumeExecution(stranger, executionId, { action: "decline" }, one)).rejects.toMatchObject({ code: "not_found" })
    await expect(answerApproval(stranger, row?.id ?? "", { action: "decline" }, one)).rejects.toMatchObject({ code: "not_found" })
  }
})

test("an answer that comes too late ends the execution, and again says so", async () => {
  const { human, one, two, pause, writes, approvals } = await setUp()
  const { executionId } = await pause()
  cluster.clock.advance(one.limits.pausedMsMax + 1)
  const late = await resumeExecution(human, executionId, accept, one)
  expect(late).toMatchObject({ status: "failed", text: expect.stringContaining("Nobody answered in time") })
  const [row] = await approvals()
  expect(await answerApproval(human, row?.id ?? "", accept, two)).toEqual(late)
  expect([row?.status, writes]).toEqual(["expired", []])
})

test("what a human entered reaches the tool; what does not fit its form changes nothing", async () => {
  const { human, one, pause } = await setUp()
  const { executionId } = await pause(`return (await tools.notes.ask({})).data`)
  await expect(resumeExecution(human, executionId, { ...accept, content: { name: 7 } }, one)).rejects.toMatchObject({
    code: "invalid_request",
  })
  const reply = await resumeExecution(human, executionId, { ...accept, content: { name: "Ada" } }, one)
  expect(reply.structured).toMatchObject({ result: { action: "accept", content: { name: "Ada" } } })
})

test("an answer while the code still runs lets it begin again with the answer", async () => {
  const { human, agent, one, writes, slow, approvals } = await setUp()
  const code = `const asked = tools.notes.write({ title: "a" }); await tools.notes.slow({}); return (await asked).data`
  const running = execute(agent, { code }, one)
  await slow.calls(1)
  const [row] = await approvals()
  const answered = answerApproval(human, row?.id ?? "", accept, one)
  slow.answer({ ok: true, data: null })
  expect((await Promise.all([running, answered])).map(({ status }) => status)).toEqual(["completed", "completed"])
  expect(writes).toEqual(["a"])
})

test("a write under way when the answer comes is found done, not uncertain", async () => {
  const { human, agent, one, writes, free, approvals } = await setUp()
  const code = `const asked = tools.notes.write({ title: "a" }); const made = await tools.notes.free({}); return [made.ok, (await asked).ok]`
  const running = execute(agent, { code }, one)
  await free.calls(1)
  const [row] = await approvals()
  const answered = answerApproval(human, row?.id ?? "", accept, one)
  free.answer({ ok: true, data: null })
  expect((await running).structured).toMatchObject({ result: [true, true] })
  expect((await answered).status).toBe("completed")
  expect([free.count(), writes]).toEqual([1, ["a"]])
})

test("an answer to code that never paused can be repeated, but not changed", async () => {
  const { human, agent, one, slow, approvals } = await setUp()
  const code = `const asked = tools.notes.write({ title: "a" }); await tools.notes.slow({}); return (await asked).data`
  const running = execute(agent, { code }, one)
  await slow.calls(1)
  const [row] = await approvals()
  const answered = answerApproval(human, row?.id ?? "", accept, one)
  slow.answer({ ok: true, data: null })
  const { executionId } = await running
  await answered
  const resume = (action: "accept" | "decline") => resumeExecution(human, executionId, { action, approvalId: row?.id ?? "" }, one)
  expect(await resume("accept")).toMatchObject({ status: "completed" })
  await expect(resume("decline")).rejects.toMatchObject({ code: "already_answered" })
})

test("without ids a repeated answer is the same, another one is refused, and each is audited once", async () => {
  const { human, one, pause, approvals, audited } = await setUp()
  const { executionId } = await pause(`return (await Promise.all(["a", "b"].map((title) => tools.notes.write({ title })))).length`)
  for (const { id } of await approvals()) await resumeExecution(human, executionId, { ...accept, approvalId: id }, one)
  expect(await resumeExecution(human, executionId, accept, one)).toMatchObject({ structured: { result: 2 } })
  await expect(resumeExecution(human, executionId, { action: "decline" }, one)).rejects.toMatchObject({ code: "already_answered" })
  expect(await audited("approval.accept")).toHaveLength(2)
})

test("an answer for the whole execution answers what waits beside it, in the same human's name", async () => {
  const { human, one, pause, writes, approvals } = await setUp()
  await pause(`return (await Promise.all(["a", "b", "c"].map((title) => tools.notes.write({ title })))).map((made) => made.ok)`)
  const [first, second] = await approvals()
  const reply = await answerApproval(human, first?.id ?? "", { ...accept, remember: "execution" }, one)
  expect(reply.structured).toMatchObject({ result: [true, true, true] })
  expect((await approvals()).map(({ status, answeredBy }) => `${status} ${answeredBy}`)).toEqual(Array(3).fill("accept alice"))
  await expect(answerApproval(human, second?.id ?? "", { action: "decline" }, one)).rejects.toMatchObject({ code: "already_answered" })
  expect(writes).toHaveLength(3)
})

test("a question whose time is up when the code comes to wait for it ends the execution", async () => {
  const { agent, one, slow, writes } = await setUp()
  const code = `const asked = tools.notes.write({ title: "a" }); await tools.notes.slow({}); return (await asked).ok`
  const running = execute(agent, { code }, one)
  await slow.calls(1)
  cluster.clock.advance(one.limits.pausedMsMax + 1)
  slow.answer({ ok: true, data: null })
  expect(await running).toMatchObject({ status: "failed", structured: { error: { code: "approval_expired" } } })
  expect(writes).toEqual([])
})

test("code that ends without waiting for its question takes it back", async () => {
  const { agent, one, approvals } = await setUp()
  const reply = await execute(agent, { code: `tools.notes.write({ title: "a" }); await tools.search({ query: "x" }); return 1` }, one)
  expect(reply.status).toBe("completed")
  expect(await approvals()).toMatchObject([{ status: "cancel", answeredBy: null }])
})

test("a call that cannot pause passes once after it was answered, although its code is long over", async () => {
  const { human, agent, one, two, writes, approvals } = await setUp()
  const code = `return (await tools.notes.write({ title: "a" })).ok`
  expect(await execute(agent, { code, approval: "throw" }, one)).toMatchObject({ structured: { result: false } })
  const [row] = await approvals()
  const reply = await answerApproval(human, row?.id ?? "", accept, two)
  expect(reply.text).toBe("Accepted: when the same call is made again, it passes once.")
  const results = []
  for (const node of [one, two]) results.push((await execute(agent, { code, approval: "throw" }, node)).structured)
  expect(results).toMatchObject([{ result: true }, { result: false }])
  expect(writes).toEqual(["a"])
})

test("a request outside of code that nobody answered in time cannot be answered", async () => {
  const { human, agent, one, approvals } = await setUp()
  expect(await executeTool(agent, "notes.write", { title: "a" }, {}, one)).toMatchObject({ error: { code: "approval_required" } })
  const [row] = await approvals()
  cluster.clock.advance(one.limits.pausedMsMax + 1)
  await expect(answerApproval(human, row?.id ?? "", accept, one)).rejects.toMatchObject({ code: "conflict" })
  expect(await approvals()).toMatchObject([{ status: "expired" }])
})

test("a client relays a human's answer only as a human allowed it, and only to what was shown", async () => {
  const { agent, one, pause, writes, audited } = await setUp()
  const { executionId } = await pause()
  const relay = (elicitation: readonly ElicitationMode[]) =>
    relayAnswers({ ...agent, elicitation }, executionId, { mode: "model", answers: [accept] }, one)
  await expect(relay(["browser", "native"])).rejects.toMatchObject({ code: "forbidden" })
  expect(writes).toEqual([])
  expect(await relay(["model"])).toMatchObject({ status: "completed" })
  expect(await audited("approval.accept.model")).toMatchObject([{ tokenId: agent.tokenId, principalKind: "agent" }])
})

test("a client that was shown no question is shown it, whatever it relays", async () => {
  const { human, agent, one, writes, slow } = await setUp()
  const left = new AbortController()
  const code = `await tools.notes.slow({}); return (await tools.notes.write({ title: "a" })).data`
  const running = execute(agent, { code, left: left.signal }, one)
  await slow.calls(1)
  left.abort()
  slow.answer({ ok: true, data: null })
  const { executionId } = await running
  const relayed = { mode: "model", answers: [accept] } as const
  const relaying = { ...agent, elicitation: ["model"] } as const
  expect([(await relayAnswers(relaying, executionId, relayed, one)).status, writes]).toEqual(["paused", []])
  expect((await relayAnswers(relaying, executionId, relayed, one)).status).toBe("completed")
  expect(human.user).toBe("alice")
})

test("a relayed answer for a call outside of code is recorded, and the call is made again", async () => {
  const { agent, one, approvals } = await setUp()
  const call = () => executeTool(agent, "notes.write", { title: "a" }, {}, one)
  await call()
  const [row] = await approvals()
  const relay = (elicitation: readonly ElicitationMode[]) =>
    relayApproval({ ...agent, elicitation }, row?.id ?? "", { mode: "native", action: "accept" }, one)
  await expect(relay(["model"])).rejects.toMatchObject({ code: "forbidden" })
  await relay(["native"])
  expect(await call()).toMatchObject({ ok: true })
})
