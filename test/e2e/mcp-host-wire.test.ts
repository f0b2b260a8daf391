// The MCP endpoint for clients without any library, and for those who send what they should not.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { defaultLimits } from "../../src/core/limits.ts"
import { toResult } from "../../src/surfaces/mcp/tools/result-content.ts"
import { withNextStep } from "../../src/core/text/next-step.ts"
import { createItem, startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"
import { legacySession, modern, post } from "./mcp-wire.ts"
import type { Wire } from "./mcp-wire.ts"

let server: McpTestServer
let wire: Wire
beforeAll(async () => {
  server = await startMcpServer({ limits: { mcpAnswerWaitMs: 5000, mcpSessionsPerPrincipalMax: 3, mcpSessionsMax: 4 } })
  wire = { url: server.mcpUrl, token: server.tokens.agent }
})
afterAll(() => server.close())

const structuredOf = (answer: { message: { result?: Record<string, unknown> } | null }) =>
  answer.message?.result?.["structuredContent"] as { executionId: string; status: string; [key: string]: unknown } // what the host answers

describe("plain JSON-RPC", () => {
  test("runs, pauses, resumes and ends in the newest revision, without any session", async () => {
    const paused = await modern(wire, "tools/call", { name: "execute", arguments: { code: createItem("wire-modern") } })
    expect(paused.status).toBe(200)
    expect(paused.headers.get("mcp-session-id")).toBeNull()
    const { executionId } = structuredOf(paused)
    const resumed = modern(wire, "tools/call", { name: "resume", arguments: { executionId, action: "accept" } })
    await server.approve(executionId)
    expect(structuredOf(await resumed)).toMatchObject({ status: "completed", result: { count: 1 } })
  })

  test("runs, pauses, resumes and ends in an older revision, in a session", async () => {
    const session = await legacySession(wire)
    const paused = await session.send("tools/call", { name: "execute", arguments: { code: createItem("wire-legacy") } })
    const { executionId } = structuredOf(paused)
    const resumed = session.send("tools/call", { name: "resume", arguments: { executionId, action: "accept" } })
    await server.approve(executionId)
    expect(structuredOf(await resumed)).toMatchObject({ status: "completed", result: { count: 1 } })
  })
})

describe("a client that asks its own human", () => {
  const forms = { elicitation: { form: {} } }
  const execute = (code: string) => ({ name: "execute", arguments: { code } })

  test("gets the end of what was answered in a browser meanwhile", async () => {
    const native = { ...wire, token: await server.agent("native") }
    const code = `${createItem("elsewhere").replace(/^return /, "const made = ")}; await new Promise((r) => setTimeout(r, 1500)); return made`
    const asked = await modern(native, "tools/call", execute(code), forms)
    const { requestState, inputRequests } = (asked.message?.result ?? {}) as { requestState?: string; inputRequests?: object } // input_required
    const [approvalId = ""] = Object.keys(inputRequests ?? {})
    const answered = server.call("POST", `/api/approvals/${approvalId}`, { body: { action: "accept" } })
    await expect.poll(() => server.writes()).toContain("elsewhere")
    const inputResponses = { [approvalId]: { action: "accept", content: {} } }
    const next = await modern(native, "tools/call", { ...execute(code), requestState, inputResponses }, forms)
    expect(structuredOf(next)).toMatchObject({ status: "completed", result: { count: 1 } })
    expect((await answered).status).toBe(200)
  })

  test("is never sent to resume, and is told which execution is still running or has no result", async () => {
    const native = { ...wire, token: await server.agent("native") }
    const mute = await modern(native, "tools/call", execute(createItem("no forms")))
    const { executionId } = structuredOf(mute)
    expect(mute.text).not.toMatch(/resume/)
    const read = await modern(native, "tools/call", execute(`return await tools.executor.results.read({ executionId: "${executionId}" })`))
    expect(read.text).toContain(`Execution ${executionId} is still paused`)
    const running = withNextStep(
      { executionId, status: "running", text: "", isError: false, structured: { status: "running", result: null, logs: [], emitted: [] } },
      { mode: "native", command: "executor" },
    )
    expect(running.text).not.toContain("resume")
    expect(toResult(running, defaultLimits).structuredContent).toMatchObject({ status: "running", executionId })
  })
})

describe("who may come in", () => {
  test("nobody without a token, and nobody from a foreign page", async () => {
    for (const token of [null, "exa_wrong", ""]) {
      const answer = await modern({ ...wire, token }, "tools/list", {})
      expect(answer.status).toBe(401)
      expect(answer.headers.get("www-authenticate")).toContain("Bearer")
    }
    expect((await modern({ ...wire, headers: { origin: "http://evil.example" } }, "tools/list", {})).status).toBe(403)
    const cookie = { cookie: `executor_session_${new URL(server.url).port}=${server.tokens.human}` }
    expect((await modern({ ...wire, token: null, headers: cookie }, "tools/list", {})).status).toBe(401)
  })

  test("a session is its token's own", async () => {
    const { id } = await legacySession(wire)
    const request = { jsonrpc: "2.0", id: 9, method: "tools/list", params: {} }
    for (const token of [server.tokens.human, server.tokens.memberAgent, server.tokens.stranger]) {
      const answer = await post({ ...wire, token }, request, { "mcp-session-id": id })
      expect(answer).toMatchObject({ status: 404, message: { error: { code: -32001 } } })
    }
    expect((await post(wire, request, { "mcp-session-id": "mcs_guessed" })).status).toBe(404)
    expect((await post(wire, request, { "mcp-session-id": id })).status).toBe(200)
  })

  test("a session that was ended is gone", async () => {
    const session = await legacySession(wire)
    const headers = { authorization: `Bearer ${wire.token}`, "mcp-session-id": session.id }
    expect((await fetch(wire.url, { method: "DELETE", headers })).status).toBe(200)
    expect((await session.send("tools/list")).status).toBe(404)
    expect((await fetch(wire.url, { headers: { authorization: `Bearer ${wire.token}` } })).status).toBe(405)
  })

  test("the oldest idle session makes way for a new one", async () => {
    const sessions = []
    for (let made = 0; made < 5; made += 1) sessions.push(await legacySession(wire))
    const alive = await Promise.all(sessions.map(async (session) => (await session.send("tools/list")).status))
    expect(alive).toEqual([404, 404, 200, 200, 200])
  })
})

describe("what a stranger may send", () => {
  test.each([
    ["no JSON", "{", 400],
    ["an empty batch", [], 400],
    ["no method", { jsonrpc: "2.0", id: 1 }, 400],
    ["a request before any session", { jsonrpc: "2.0", id: 1, method: "tools/list" }, 400],
  ])("%s is refused", async (_name, body, status) => {
    expect((await post(wire, body)).status).toBe(status)
  })

  test("what is too large is refused, and other types are", async () => {
    const big = await post(wire, { jsonrpc: "2.0", id: 1, method: "tools/list", params: { text: "x".repeat(5 << 20) } })
    expect(big.status).toBe(413)
    expect((await post(wire, "code=1", { "content-type": "application/x-www-form-urlencoded" })).status).toBeGreaterThanOrEqual(400)
  })

  test.each(["/mcp", "/mcp/direct/ledger"])("%s refuses a body of more values than are checked in good time", async (path) => {
    const to = { ...wire, url: `${server.url}${path}` }
    const keys = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, 1]))
    const request = (params: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })
    const hostile = [
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":[${"{},".repeat(1_300_000)}{}]}}`,
      request({ arguments: keys }),
      `[${request({ arguments: keys })}]`,
    ]
    const error = { code: -32000, message: expect.stringContaining(`more than ${defaultLimits.requestValuesMax} values`) }
    for (const body of hostile) expect(await post(to, body)).toMatchObject({ status: 413, message: { id: null, error } })
    expect((await modern(to, "tools/call", { name: "execute", arguments: keys })).status).toBe(413)
    // Not even looked at where it does not say that it is JSON.
    expect((await post(to, hostile[0], { "content-type": "text/plain" })).status).toBe(415)

    expect((await modern(to, "tools/list", {})).message?.result).toHaveProperty("tools")
    const session = await legacySession(to)
    const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" })
    const batch = await post(to, [ping(1), ping(2)], { "mcp-session-id": session.id, "mcp-protocol-version": "2025-03-26" })
    expect(batch.status).toBe(200)
  })

  test("code of nearly the size limit is one value, and runs", async () => {
    const code = `return "${"{},".repeat(80_000)}".length / 80_000`
    const answer = await modern(wire, "tools/call", { name: "execute", arguments: { code } })
    expect(structuredOf(answer)).toMatchObject({ status: "completed", result: 3 })
  })

  test("code that is too large, empty or timed wrongly is an error that says so", async () => {
    for (const [given, reason] of [
      [{ code: "" }, /code is empty/],
      [{ code: "x".repeat(300 * 1024) }, /payload_too_large/],
      [{ code: "return 1", timeoutMs: 10_000_000 }, /timeoutMs/],
      [{}, /code/],
      [{ code: 1 }, /code/],
    ] as const) {
      const answer = await modern(wire, "tools/call", { name: "execute", arguments: given })
      expect(answer.message?.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(reason) }] })
    }
  })

  test("an unknown choice in the query says what there is", async () => {
    const answer = await modern({ ...wire, url: `${wire.url}?results=xml` }, "tools/list", {})
    expect(answer.status).toBe(400)
    expect(answer.text).toContain("envelope, raw")
  })
})
