// Tests which requests to run code are refused before anything is stored or run, and that a pause leaves nothing of its run on the node.
import { afterAll, expect, test } from "vitest"
import type { ExecutionRequest } from "../../core/execution.ts"
import { allOf } from "../../store/executions/testing/samples.ts"
import { openCluster } from "../testing/cluster.ts"
import { gatedTool, staticTool } from "../testing/samples.ts"
import { execute } from "./execute.ts"
import { showExecution } from "./history.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

test.each([
  ["no text", { code: 5 }, "invalid_request"],
  ["no code", { code: "  " }, "invalid_request"],
  ["too much code", { code: "x".repeat(2000) }, "payload_too_large"],
  ["an unknown option", { code: "1", timeout: 5 }, "invalid_request"],
  ["an unknown mode of results", { code: "1", results: "foo" }, "invalid_request"],
  ["an unknown mode of approval", { code: "1", approval: "never" }, "invalid_request"],
  ["a word for yes", { code: "1", autoApprove: "yes" }, "invalid_request"],
  ["a word for no", { code: "1", wait: "no" }, "invalid_request"],
  ["both to leave and to be waited for", { code: "1", wait: false, cancelOnDisconnect: true }, "invalid_request"],
  ["no time", { code: "1", timeoutMs: 0 }, "invalid_request"],
  ["endless time", { code: "1", timeoutMs: Number.POSITIVE_INFINITY }, "invalid_request"],
])("%s is refused", async (_name, request, code) => {
  const human = await cluster.human()
  const parts = cluster.node({ limits: { codeBytesMax: 1000 } })
  // As callers without a type checker write it.
  await expect(execute(human, request as unknown as ExecutionRequest, parts)).rejects.toMatchObject({ code })
  expect(await cluster.executions.executions.list(allOf(human), {}, { after: null, limit: 1 })).toEqual([])
})

test("an agent does not approve beforehand", async () => {
  const agent = await cluster.agentOf(await cluster.human())
  await expect(execute(agent, { code: "1", autoApprove: true }, cluster.node())).rejects.toMatchObject({ code: "forbidden" })
})

test("code for which there is no memory left is refused, to be tried again", async () => {
  const parts = cluster.node({ limits: { executionsJournalBytesPerPrincipalMax: 10 } })
  const refused = execute(await cluster.human(), { code: "return 'more than ten'" }, parts)
  await expect(refused).rejects.toMatchObject({ code: "rate_limited" })
})

test("what waits for a human is in no registry of the node that ran it", async () => {
  const write = staticTool("notes.write", "write", async () => ({ ok: true, data: 1 }))
  const parts = cluster.node({ tools: [write] })
  const { status, executionId } = await execute(await cluster.human(), { code: "return await tools.notes.write({ title: 'a' })" }, parts)
  expect(status).toBe("paused")
  expect([parts.runs.all(), parts.runs.openCalls()]).toEqual([[], []])
  expect([parts.runs.get(executionId), parts.runs.awaitingAnswer(executionId)]).toEqual([undefined, undefined])
  expect(parts.heldBytes.open("anybody").ofAll()).toBe(0)
})

test("whoever does not wait is told the id at once, and finds what became of it", async () => {
  const read = gatedTool("notes.read", "read")
  const write = staticTool("notes.write", "write", async () => ({ ok: true, data: 1 }))
  const parts = cluster.node({ tools: [read.tool, write] })
  const human = await cluster.human()
  const code = "await tools.notes.read({ title: 'a' })\nreturn await tools.notes.write({ title: 'a' })"
  const { executionId, status } = await execute(human, { code, wait: false }, parts)
  expect(status).toBe("running")
  expect((await showExecution(human, executionId, parts)).status).toBe("running")
  read.answer({ ok: true, data: 1 })
  await expect.poll(async () => (await cluster.executions.executions.get(allOf(human), executionId))?.status).toBe("paused")
})
