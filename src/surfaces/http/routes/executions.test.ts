// Executions over HTTP: what starts and what does not, what is kept of them, and who sees which.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionReply, ExecutionSummary } from "../../../core/execution.ts"
import type { ResultPiece } from "../../../core/executor-api.ts"
import type { Page } from "../../../core/page.ts"
import { listen } from "../../../../test/servers/listen.ts"
import { createServer } from "node:http"
import type { ExecutionServer } from "../testing/executions.ts"
import { resultOf, startExecutionServer } from "../testing/executions.ts"

let server: ExecutionServer
beforeAll(async () => {
  server = await startExecutionServer()
})
afterEach(() => void (server.ledger.entries.length = 0))
afterAll(() => server.close())

const post = (body: unknown, token = server.tokens.human) => server.call("POST", "/api/executions", { token, body })

describe("running code", () => {
  test("what the code returned, logged and emitted", async () => {
    const { status, body } = await post({ code: `console.warn("careful"); emit({ a: 1 }); return { n: 1 }` })
    expect(status).toBe(200)
    expect(body).toEqual({
      executionId: expect.stringMatching(/^exe_/),
      status: "completed",
      text: expect.stringContaining("[warn] careful"),
      structured: { status: "completed", result: { n: 1 }, logs: [{ level: "warn", text: "careful" }], emitted: [{ a: 1 }] },
      isError: false,
    })
  })

  test.each([
    ["const x = ;", "syntax", 60_000],
    ["throw new TypeError('no')", "thrown", 60_000],
    ["await new Promise((done) => setTimeout(done, 60_000))", "timeout", 1000],
  ])("failed code is 200 with its error: %s", async (code, errorCode, timeoutMs) => {
    expect(await post({ code, timeoutMs })).toMatchObject({
      status: 200,
      body: { status: "failed", isError: true, structured: { status: "failed", error: { code: errorCode } } },
    })
  })

  test("results: raw", async () => {
    const reply = await server.run(`return (await tools.ledger.items.get({ name: "a" })).name`, { results: "raw" })
    expect(resultOf(reply)).toBe("a")
  })

  test.each([
    [{}, "'code'"],
    [{ code: 1 }, "'code'"],
    [{ code: "" }, "code is empty"],
    [{ code: " \n" }, "code is empty"],
    [{ code: "return 1", timeoutMs: 0 }, "'timeoutMs'"],
    [{ code: "return 1", timeoutMs: 600_001 }, "'timeoutMs'"],
    [{ code: "return 1", timeoutMs: "5" }, "'timeoutMs'"],
    [{ code: "return 1", results: "json" }, "'results'"],
    [{ code: "return 1", approval: "never" }, "'approval'"],
    [{ code: "return 1", autoApprove: "yes" }, "'autoApprove'"],
    [{ code: "return 1", signal: {} }, "'signal'"],
    [{ code: "return 1", principal: "root" }, "'principal'"],
    [["return 1"], "body"],
    ["null", "body"],
  ])("%j is refused, and nothing is started", async (body, message) => {
    const before = await list()
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", message: expect.stringContaining(message) } },
    })
    expect(await list()).toEqual(before)
  })

  test("code is measured as it is, not as JSON writes it", async () => {
    const limit = 256 * 1024
    const fits = `return 1 //${"\u0001".repeat(limit - 11)}`
    expect(await post({ code: fits })).toMatchObject({ status: 200, body: { structured: { result: 1 } } })
    expect(await post({ code: `${fits} ` })).toMatchObject({ status: 413, body: { error: { code: "payload_too_large" } } })
    expect(await post({ code: "x".repeat(3_000_000) })).toMatchObject({ status: 413, body: { error: { code: "payload_too_large" } } })
  })

  test("an agent may not approve in advance", async () => {
    const answer = await post({ code: "return 1", autoApprove: true }, server.tokens.agent)
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } })
  })

  test("an execution goes on when its client leaves", async () => {
    const leave = new AbortController()
    const code = `await tools.ledger.items.get({ name: "left", delay: 60_000 }); await tools.ledger.items.get({ name: "alone" }); return 1`
    const asked = fetch(`${server.url}/api/executions`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.tokens.human}`, "content-type": "application/json" },
      body: JSON.stringify({ code }),
      signal: leave.signal,
    })
    const { executionId } = await server.findRunning()
    leave.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => server.ledger.underWay()).toContain("left")
    server.ledger.release("left")
    const events = await server.call("GET", `/api/executions/${executionId}/events`)
    expect(events.body).toContain('"status":"completed"')
    expect(server.ledger.entries.map((entry) => entry.name)).toEqual(["left", "alone"])
  })
})

const list = async (query = "", token = server.tokens.human): Promise<readonly ExecutionSummary[]> =>
  ((await server.call("GET", `/api/executions${query}`, { token })).body as Page<ExecutionSummary>).items

describe("history", () => {
  test("newest first, in pages that join to the whole", async () => {
    for (const n of [1, 2, 3, 4, 5]) await server.run(`return ${n}`)
    const all = await list()
    expect(all.slice(0, 2).map((one) => one.code)).toEqual(["return 5", "return 4"])
    const seen: string[] = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body } = await server.call("GET", `/api/executions?limit=2${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`)
      const page = body as Page<ExecutionSummary>
      seen.push(...page.items.map((one) => one.executionId))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(all.map((one) => one.executionId))
  })

  test("filters", async () => {
    const failed = await server.run("throw 1")
    const items = await list("?status=failed&limit=1")
    expect(items).toMatchObject([{ executionId: failed.executionId, status: "failed", principal: { user: "local", kind: "human" } }])
    expect(await list("?principal=colleague")).toEqual([])
    expect((await list("?principal=local&limit=1"))[0]?.executionId).toBe(failed.executionId)
    expect(await server.call("GET", "/api/executions?status=sleeping")).toMatchObject({ status: 400 })
  })

  test("the code of a list is cut, the execution shows all of it and every call", async () => {
    const code = `await tools.ledger.items.get({ name: "h" }); await tools.ledger.items.gett({}); return 1 //${"x".repeat(5000)}`
    const { executionId } = await server.run(code)
    const [first] = await list("?limit=1")
    expect(first?.code.length).toBeLessThan(2000)
    expect(await server.call("GET", `/api/executions/${executionId}`)).toMatchObject({
      status: 200,
      body: {
        code,
        status: "completed",
        structured: { result: 1 },
        calls: [
          { address: "tools.ledger.org.main.items.get", args: { name: "h" }, decision: "allow", status: "done" },
          { status: "done", error: { code: "tool_not_found" } },
        ],
        endedAt: expect.any(String),
      },
    })
  })

  test("a large result is named, and read in pieces that join to the whole", async () => {
    const reply = await server.run(`return Array.from({ length: 40_000 }, (_, n) => ({ n, text: "😀 number " + n }))`)
    expect(reply.structured).toMatchObject({ status: "completed", result: { truncated: true, totalChars: expect.any(Number) } })
    expect(reply.text.length).toBeLessThanOrEqual(30_000)
    let text = ""
    for (let offset: number | null = 0; offset !== null;) {
      const { body } = await server.call("GET", `/api/executions/${reply.executionId}/result?offset=${offset}&length=500001`)
      const piece = body as ResultPiece
      text += piece.text
      offset = piece.nextOffset
    }
    expect(text.length).toBeGreaterThan(1_000_000)
    expect((JSON.parse(text) as { n: number; text: string }[])[39_999]).toEqual({ n: 39_999, text: "😀 number 39999" })
  })

  test.each(["offset=-1", "offset=x", "length=0", "length=1000001", "offset=1.5", "start=0"])("result?%s is refused", async (query) => {
    const { executionId } = await server.run("return 1")
    expect(await server.call("GET", `/api/executions/${executionId}/result?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request" } },
    })
  })

  test("beyond the end there is nothing, and the end is said", async () => {
    const { executionId } = await server.run("return 1")
    expect((await server.call("GET", `/api/executions/${executionId}/result`)).body).toEqual({ text: "1", nextOffset: null })
    expect((await server.call("GET", `/api/executions/${executionId}/result?offset=99`)).body).toEqual({ text: "", nextOffset: null })
  })
})

describe("cancelling", () => {
  test("stops the code and the request upstream", async () => {
    const gone = Promise.withResolvers<void>()
    const upstream = await listen(createServer((request) => void request.on("close", () => gone.resolve())))
    const paths = { "/wait": { get: { operationId: "wait", tags: ["it"], responses: { 200: { description: "Never." } } } } }
    const spec = { openapi: "3.1.0", info: { title: "Slow", version: "1" }, servers: [{ url: upstream.url }], paths }
    await server.call("POST", "/api/integrations", { body: { slug: "slow", kind: "openapi", config: { spec } } })
    await server.call("POST", "/api/connections", { body: { integration: "slow" } })
    const running = server.run(`console.log("before"); await tools.slow.it.wait({}); console.log("after"); return 1`)
    const { executionId } = await server.findRunning()
    const { status, body } = await server.call("POST", `/api/executions/${executionId}/cancel`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      executionId,
      status: "cancelled",
      isError: true,
      structured: { status: "cancelled", error: { code: "cancelled" }, logs: [{ text: "before" }] },
    })
    await gone.promise
    expect(await running).toEqual(body)
    expect(await server.call("POST", `/api/executions/${executionId}/cancel`)).toMatchObject({ status: 200, body: { status: "cancelled" } })
    await upstream.close()
  })

  test("what has ended stays as it is", async () => {
    const reply = await server.run("return 1")
    expect((await server.call("POST", `/api/executions/${reply.executionId}/cancel`)).body).toEqual(reply)
  })
})

describe("limits", () => {
  let small: ExecutionServer
  beforeAll(async () => {
    const limits = { executionJournalBytesMax: 300, executionsRunningMax: 1, executionsQueuedMax: 2 }
    small = await startExecutionServer({ limits })
  })
  afterAll(() => small.close())

  test("too many executions are refused, to be tried again", async () => {
    const code = `await tools.ledger.items.get({ name: "busy", delay: 300 }); return 1`
    const answers = await Promise.all([...Array(8)].map(() => small.call("POST", "/api/executions", { body: { code } })))
    const refused = answers.filter((one) => one.status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(8)
    for (const one of refused) {
      expect(one).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } })
      expect(one.headers.get("retry-after")).toBe("1")
    }
    expect((await small.run("return 1")).status).toBe("completed")
  })

  test("discovery after the budget is spent is refused, and harms nobody", async () => {
    const spend = `for (const name of ["a", "b", "c", "d", "e"]) await tools.ledger.items.get({ name })`
    const reply = await small.run(`${spend}; try { return await tools.search({ query: 5 }) } catch (error) { return error.code }`)
    expect(resultOf(reply)).toBe("budget_exceeded")
    expect((await small.call("GET", "/api/health")).status).toBe(200)
  })
})

describe("who sees which", () => {
  let own: ExecutionReply
  beforeAll(async () => {
    own = await server.run(`return (await tools.ledger.items.create({ name: "private" })).ok`, { token: server.tokens.memberAgent })
  })

  const attempts = (id: string): [method: string, path: string, body?: unknown][] => [
    ["GET", `/api/executions/${id}`],
    ["GET", `/api/executions/${id}/result`],
    ["GET", `/api/executions/${id}/events`],
    ["POST", `/api/executions/${id}/resume`, { action: "decline" }],
    ["POST", `/api/executions/${id}/cancel`],
  ]
  const ids = async (token: string) => (await list("", token)).map((one) => one.executionId)

  test("an agent its own, its human too, an admin all", async () => {
    for (const token of [server.tokens.memberAgent, server.tokens.member, server.tokens.human, server.tokens.colleague]) {
      expect(await ids(token)).toContain(own.executionId)
      expect(await server.call("GET", `/api/executions/${own.executionId}`, { token })).toMatchObject({ status: 200 })
    }
  })

  test.each(["otherAgent", "agent", "stranger"] as const)("for %s it does not exist", async (who) => {
    const token = server.tokens[who]
    expect(await ids(token)).not.toContain(own.executionId)
    for (const [method, path, body] of attempts(own.executionId)) {
      const answer = await server.call(method, path, body === undefined ? { token } : { token, body })
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { error: { code: "not_found" } } })
    }
  })

  test("a human without rights sees nothing of another's", async () => {
    const { executionId } = await server.run("return 1")
    for (const [method, path, body] of attempts(executionId)) {
      const answer = await server.call(method, path, { token: server.tokens.member, ...(body === undefined ? {} : { body }) })
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404 })
    }
  })

  test.each(["exe_nope", "__proto__", "%00", "'%20OR%20'1'='1", "a".repeat(200)])("the id %s is unknown", async (id) => {
    for (const [method, path, body] of attempts(id)) {
      const answer = await server.call(method, path, body === undefined ? {} : { body })
      expect(answer.status, `${method} ${path}`).toBe(404)
    }
  })

  test("a longer id is refused", async () => {
    for (const [method, path, body] of attempts("a".repeat(201))) {
      const answer = await server.call(method, path, body === undefined ? {} : { body })
      expect(answer, `${method} ${path}`).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("'id'") } } })
    }
  })
})
