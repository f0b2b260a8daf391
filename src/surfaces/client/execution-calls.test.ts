// Code mode through the client, against the real server: the same surface as in-process.
import { createServer } from "node:http"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { listen } from "../../../test/servers/listen.ts"
import type { ExecutionServer } from "../http/testing/executions.ts"
import { interactionsOf, startExecutionServer } from "../http/testing/executions.ts"
import type { Client, ExecutionEvent } from "./index.ts"
import { createClient, ExecutorError } from "./index.ts"

let server: ExecutionServer
let client: Client
let agent: Client
beforeAll(async () => {
  server = await startExecutionServer()
  client = createClient({ origin: `${server.url}/api`, token: server.tokens.human })
  agent = createClient({ origin: `${server.url}/api`, token: server.tokens.agent })
})
afterEach(() => void (server.ledger.entries.length = 0))
afterAll(() => server.close())

const collect = async (events: AsyncIterable<ExecutionEvent>): Promise<ExecutionEvent[]> => {
  const all: ExecutionEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

test("run, pause, answer, history", async () => {
  const paused = await agent.run(`return (await tools.ledger.items.create({ name: "c" })).data.name`, {
    timeoutMs: 30_000,
    results: "envelope",
  })
  expect(paused.status).toBe("paused")
  const [interaction] = interactionsOf(paused)
  await expect(agent.resume(paused.executionId, { action: "accept" })).rejects.toMatchObject({ code: "forbidden" })
  expect((await client.approvals.list({ limit: 100 })).items.map((one) => one.approvalId)).toContain(interaction?.approvalId)
  expect((await client.approvals.list({ executionId: paused.executionId })).items).toMatchObject([{ approvalId: interaction?.approvalId }])
  expect((await client.approvals.list({ executionId: "exe_absent" })).items).toEqual([])
  const done = await client.approvals.answer(interaction?.approvalId ?? "", { action: "accept" })
  expect(done).toMatchObject({ status: "completed", structured: { result: "c" } })
  expect(await client.resume(paused.executionId, { action: "accept" })).toEqual(done)
  await expect(client.resume(paused.executionId, { action: "decline" })).rejects.toMatchObject({ code: "already_answered" })

  expect(await agent.executions.get(paused.executionId)).toMatchObject({
    ...done,
    calls: [{ status: "done" }],
    principal: { kind: "agent" },
  })
  expect((await client.executions.list({ status: "completed", principal: "local", limit: 1 })).items).toMatchObject([
    { executionId: paused.executionId, callCount: 1 },
  ])
  const { principal } = await agent.executions.get(paused.executionId)
  const ofToken = await client.executions.list({ principal: principal.tokenId ?? "" })
  expect(ofToken.items.map((one) => one.executionId)).toContain(paused.executionId)
  const calls = await client.audit.list({ executionId: paused.executionId, action: "call", outcome: "ok" })
  expect(calls.items).toMatchObject([{ subject: "tools.ledger.org.main.items.create", executionId: paused.executionId }])
  expect(await client.executions.result(paused.executionId, { offset: 1, length: 1 })).toEqual({ text: "c", nextOffset: 2 })
  expect(await client.executions.cancel(paused.executionId)).toEqual(done)
  expect(server.writes()).toEqual(["c"])
})

test("policies, audit and search", async () => {
  const rule = await client.policies.create({
    owner: "org",
    pattern: "ledger.*",
    action: "block",
    when: [{ arg: "name", op: "eq", value: "x" }],
  })
  expect(await client.policies.list()).toEqual([rule])
  expect(await client.policies.update(rule.id, { action: "require_approval", when: [] })).toMatchObject({
    action: "require_approval",
    when: [],
  })
  expect(await agent.policies.explain({ address: "ledger.items.get", args: { name: "x" } })).toMatchObject({
    verdict: "require_approval",
    rule: { id: rule.id },
  })
  await expect(agent.policies.remove(rule.id)).rejects.toMatchObject({ code: "forbidden" })
  await expect(client.policies.remove(rule.id)).resolves.toBeUndefined()
  expect((await client.audit.list({ limit: 2 })).items.map((line) => [line.action, line.outcome])).toEqual([
    ["policy.remove", "ok"],
    ["policy.remove", "forbidden"],
  ])
  await expect(agent.audit.list()).rejects.toMatchObject({ code: "forbidden" })
  expect((await client.tools.search({ query: "create an item", limit: 1 })).items).toMatchObject([{ integration: "ledger" }])
})

describe("events", () => {
  const slow = `await tools.ledger.items.get({ name: "slow", delay: 60_000 }); console.log("hi"); return 1`

  test("as they happen, until the end", async () => {
    const running = client.run(slow)
    const { executionId } = await server.findRunning()
    const begun = Promise.withResolvers<void>()
    const watched: typeof fetch = (...request) => fetch(...request).finally(() => begun.resolve())
    const follower = createClient({ origin: `${server.url}/api`, token: server.tokens.human, fetch: watched })
    const followed = collect(follower.executions.events(executionId))
    await begun.promise
    await expect.poll(() => server.ledger.underWay()).toContain("slow")
    server.ledger.release("slow")
    expect((await followed).slice(-3)).toMatchObject([
      { type: "call", call: { status: "done" } },
      { type: "log", line: { text: "hi" } },
      { type: "end", reply: JSON.parse(JSON.stringify(await running)) as object },
    ])
  })

  test("leaving the loop, or the signal, ends them without an error", async () => {
    const running = client.run(slow)
    const { executionId } = await server.findRunning()
    const leave = new AbortController()
    const followed = collect(client.executions.events(executionId, leave.signal))
    const early = client.executions.events(executionId)[Symbol.asyncIterator]()
    const first = early.next()
    setTimeout(() => leave.abort(), 300)
    expect((await followed).filter((event) => event.type !== "call")).toEqual([])
    await client.executions.cancel(executionId)
    await first
    await early.return?.()
    expect(await collect(client.executions.events(executionId, AbortSignal.abort()))).toEqual([])
    expect(await running).toMatchObject({ status: "cancelled" })
  })

  test("a refusal is the server's error", async () => {
    await expect(collect(client.executions.events("exe_nope"))).rejects.toMatchObject({ code: "not_found" })
    await expect(collect(client.executions.events(".."))).rejects.toMatchObject({ code: "invalid_request" })
  })

  test.each([
    [200, "text/event-stream", "event: log\ndata: {}\n\n", "upstream_unreachable", "before it ended or paused"],
    [200, "text/event-stream", 'event: error\ndata: {"error":{"code":"internal","message":"Oops"}}\n\n', "internal", "Oops"],
    [200, "text/event-stream", "event: end\ndata: {broken\n\n", "upstream_unreachable", "before it ended or paused"],
    [200, "application/json", "{}", "internal", "without events"],
    [502, "text/html", "<h1>Bad gateway</h1>", "internal", "is not an Executor API"],
  ])("another server that answers %i %s %s", async (status, type, body, code, message) => {
    const other = await listen(createServer((_, response) => response.writeHead(status, { "content-type": type }).end(body)))
    const confused = createClient({ origin: `${other.url}/api`, token: "x" })
    const error: unknown = await collect(confused.executions.events("exe_1")).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ExecutorError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
    await other.close()
  })
})

test("a signal ends the waiting, not the execution", async () => {
  const leave = new AbortController()
  const running = client.run(`await tools.ledger.items.get({ name: "on", delay: 60_000 }); return "done"`, { signal: leave.signal })
  const { executionId } = await server.findRunning()
  leave.abort(new Error("enough"))
  await expect(running).rejects.toThrow("enough")
  await expect.poll(() => server.ledger.underWay()).toContain("on")
  server.ledger.release("on")
  const events = await collect(client.executions.events(executionId))
  expect(events.at(-1)).toMatchObject({ type: "end", reply: { structured: { result: "done" } } })
})
