// Following an execution over a real socket: what is told, when it ends, and what happens to those who leave.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import type { ExecutionEvent } from "../../../core/execution.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { ExecutionServer } from "../testing/executions.ts"
import { interactionsOf, startExecutionServer } from "../testing/executions.ts"

let server: ExecutionServer
/** The streams that the executor has open, by the signal that ends them. */
const open = new Set<AbortSignal>()
const watch = (api: ExecutorApi): ExecutorApi => ({
  ...api,
  executions: {
    ...api.executions,
    async *events(id, signal) {
      if (signal !== undefined) open.add(signal)
      try {
        yield* api.executions.events(id, signal)
      } finally {
        if (signal !== undefined) open.delete(signal)
      }
    },
  },
})

beforeAll(async () => {
  server = await startExecutionServer({ wrap: watch, limits: { requestHeadersMs: 500, requestReceiveMs: 700, requestKeepAliveMs: 500 } })
})
afterEach(() => void (server.ledger.entries.length = 0))
afterAll(() => server.close())

const follow = (id: string, init: { signal?: AbortSignal; method?: string; token?: string } = {}): Promise<Response> =>
  fetch(`${server.url}/api/executions/${id}/events`, {
    method: init.method ?? "GET",
    headers: { authorization: `Bearer ${init.token ?? server.tokens.human}` },
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  })

const eventsIn = (text: string): ExecutionEvent[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)) as ExecutionEvent)

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const readCall = (name: string, delay = 0): string => `await tools.ledger.items.get({ name: "${name}", delay: ${delay} })`

test("calls, logs, emitted values and the pause; then, after the answer, the end", async () => {
  const running = server.run(
    `${readCall("first", 60_000)}; ${readCall("second")}; console.log("hello"); emit({ n: 1 }); return (await tools.ledger.items.create({ name: "w" })).ok`,
  )
  const { executionId } = await server.findRunning()
  const response = await follow(executionId)
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
  expect(response.headers.get("cache-control")).toBe("no-store")
  expect(response.headers.get("x-accel-buffering")).toBe("no")
  await until(() => server.ledger.underWay().includes("first"))
  server.ledger.release("first")
  const text = await response.text()
  const reply = await running
  const events = eventsIn(text)
  expect(text.match(/^event: (.*)$/gm)).toEqual(events.map((event) => `event: ${event.type}`))
  // Whether the start of the first call is told depends on when following began.
  expect(events.slice(events.findIndex((event) => event.type === "call" && event.call.status === "done"))).toMatchObject([
    { type: "call", call: { address: "tools.ledger.org.main.items.get", args: { name: "first" }, status: "done" } },
    { type: "call", call: { args: { name: "second" }, decision: "allow", status: "started", ms: null } },
    { type: "call", call: { args: { name: "second" }, decision: "allow", status: "done", ms: expect.any(Number) } },
    { type: "log", line: { level: "log", text: "hello" } },
    { type: "emit", value: { n: 1 } },
    { type: "call", call: { address: "tools.ledger.org.main.items.create", status: "waiting", decision: "require_approval" } },
    { type: "pause", reply: JSON.parse(JSON.stringify(reply)) as object },
  ])

  const [approval] = interactionsOf(reply)
  const answered = server.call("POST", `/api/approvals/${approval?.approvalId}`, { body: { action: "accept" } })
  const end = (await answered).body
  expect(eventsIn(await (await follow(executionId)).text())).toEqual([{ type: "end", reply: end }])
})

test("the timeouts of the server do not cut a long stream", async () => {
  const running = server.run(`${readCall("long", 2500)}; return 1`)
  const { executionId } = await server.findRunning()
  const events = eventsIn(await (await follow(executionId)).text())
  expect(events.at(-1)).toEqual({ type: "end", reply: await running })
})

const cancel = (id: string) => server.call("POST", `/api/executions/${id}/cancel`)

test("many follow at once, one leaves, the others learn of the end, and nothing is kept of any of them", async () => {
  const running = server.run(`${readCall("shared", 60_000)}; return 1`)
  const { executionId } = await server.findRunning()
  const leave = new AbortController()
  const left = await follow(executionId, { signal: leave.signal })
  const others = [1, 2, 3].map(async () => (await follow(executionId)).text())
  await until(() => open.size === 4)
  leave.abort()
  await expect(left.text()).rejects.toThrow()
  await until(() => open.size === 3)
  await cancel(executionId)
  for (const text of await Promise.all(others)) expect(eventsIn(text).at(-1)).toEqual({ type: "end", reply: await running })
  await until(() => open.size === 0)
})

test("HEAD, and leaving before the answer begins, leave nothing open", async () => {
  const running = server.run(`${readCall("head", 60_000)}; return 1`)
  const { executionId } = await server.findRunning()
  const head = await follow(executionId, { method: "HEAD" })
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "text/event-stream; charset=utf-8", ""])
  await until(() => open.size === 0)
  const leave = new AbortController()
  const early = follow(executionId, { signal: leave.signal }).then((response) => response.text())
  await until(() => open.size === 1)
  leave.abort()
  await expect(early).rejects.toThrow()
  await until(() => open.size === 0)
  await cancel(executionId)
  await running
})

test("refusals are answers with a status", async () => {
  const { executionId } = await server.run("return 1")
  expect((await follow("exe_nope")).status).toBe(404)
  expect((await follow(executionId, { token: "wrong" })).status).toBe(401)
  expect((await follow(executionId, { token: server.tokens.member })).status).toBe(404)
  expect(await server.call("GET", `/api/executions/${executionId}/events?from=0`)).toMatchObject({ status: 400 })
  expect(open.size).toBe(0)
})

test("a server that stops ends its streams before it cuts off what is left", async () => {
  const other = await startExecutionServer({ limits: { shutdownGraceMs: 1000 } })
  const running = other.run(`${readCall("stop", 60_000)}; return 1`).catch((error: unknown) => error)
  const { executionId } = await other.findRunning()
  const headers = { authorization: `Bearer ${other.tokens.human}` }
  const stream = await fetch(`${other.url}/api/executions/${executionId}/events`, { headers })
  const closed = other.close()
  expect(eventsIn(await stream.text()).filter((event) => event.type !== "call")).toEqual([])
  expect(await running).toBeInstanceOf(TypeError)
  await closed
})
