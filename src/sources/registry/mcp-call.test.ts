// Tests calls of MCP servers by their address: those that know one method, and those that want a session.
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { openAnswerTurn } from "../../io/answer-turn.ts"
import { silentLog } from "../../io/log.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { callMcpServer } from "./mcp-call.ts"

type Rpc = { readonly id?: unknown; readonly method: string; readonly params?: Record<string, unknown> }
type Answer = (message: Rpc, request: IncomingMessage, response: ServerResponse) => void

const seen: { method: string; params: unknown; headers: IncomingMessage["headers"] }[] = []
let answer: Answer = () => {}
const server = createServer((request, response) => {
  void text(request).then((body) => {
    if (body === "") return response.writeHead(request.method === "DELETE" ? 200 : 405).end()
    const message = JSON.parse(body) as Rpc
    seen.push({ method: message.method, params: message.params, headers: request.headers })
    return answer(message, request, response)
  })
})
const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
const result = (id: unknown, value: unknown) => ({ jsonrpc: "2.0", id, result: value })
const failure = (id: unknown, code: number, message: string) => ({ jsonrpc: "2.0", id, error: { code, message } })

let serverUrl = ""
const network = createNetwork({ allowPrivateHosts: ["127.0.0.1"], trustLiteralUrls: false, limits: defaultLimits, log: silentLog })
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})
beforeEach(() => void seen.splice(0))
afterAll(async () => {
  await network.close()
  server.closeAllConnections()
  server.close()
})

const call = (timeoutMs = 10_000) =>
  callMcpServer({
    serverUrl,
    toolName: "add",
    args: { a: 1 },
    headers: { "x-tenant": "t" },
    outbound: network.outbound({ literalUrls: [] }),
    limits: defaultLimits,
    timeoutMs,
    signal: new AbortController().signal,
    answerTurn: openAnswerTurn("test", defaultLimits),
    version: "1.0.0",
    log: silentLog,
    redact: (said) => said,
  })

describe("a server that knows tools/call alone", () => {
  test("is sent that one request", async () => {
    answer = ({ id }, _, response) => json(response, 200, result(id, { content: [{ type: "text", text: "3" }] }))
    expect(await call()).toEqual({ ok: true, data: "3" })
    expect(seen).toMatchObject([{ method: "tools/call", params: { name: "add", arguments: { a: 1 } }, headers: { "x-tenant": "t" } }])
  })

  test("answers with structured content alone", async () => {
    answer = ({ id }, _, response) => json(response, 200, result(id, { structuredContent: { sum: 3 } }))
    expect(await call()).toEqual({ ok: true, data: { sum: 3 } })
  })

  test("answers on a stream that stays open", async () => {
    answer = ({ id }, _, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: {} })}\n\n`)
      response.write(`event: message\ndata: ${JSON.stringify(result(id, { content: [{ type: "text", text: "3" }] }))}\n\n`)
    }
    expect(await call()).toEqual({ ok: true, data: "3" })
  })

  test.each([
    [
      "an error of the tool",
      200,
      (id: unknown) => result(id, { content: [{ type: "text", text: "no such a" }], isError: true }),
      "no such a",
    ],
    ["a tool that is not there", 200, (id: unknown) => failure(id, -32602, "Unknown tool: add"), "Unknown tool"],
    ["an error after the call", 200, (id: unknown) => failure(id, -32603, "the disk is full"), "disk is full"],
    ["another answer", 200, () => ({ hello: 1 }), "JSON-RPC"],
    ["an answer to somebody else", 200, () => result("other", { content: [] }), "JSON-RPC"],
    ["no result", 200, (id: unknown) => result(id, { content: "x" }), "no result"],
  ])("says %s, and is asked once", async (_name, status, body, message) => {
    answer = ({ id }, _, response) => json(response, status, body(id))
    expect(await call()).toMatchObject({ ok: false, error: { code: "upstream_error", message: expect.stringContaining(message) } })
    expect(seen).toHaveLength(1)
  })

  test.each([
    [401, "auth_required"],
    [429, "rate_limited"],
    [500, "upstream_error"],
    [302, "upstream_error"],
  ])("answers %i", async (status, code) => {
    answer = (_message, _, response) => json(response, status, {}, { location: "http://127.0.0.1:1/" })
    expect(await call()).toMatchObject({ ok: false, error: { code } })
    expect(seen).toHaveLength(1)
  })

  test("does not answer in time", async () => {
    answer = () => {}
    expect(await call(100)).toMatchObject({ ok: false, error: { code: "timeout" } })
  })
})

test("a server that wants a session gets one, and calls the tool once", async () => {
  let calls = 0
  answer = ({ id, method, params }, request, response) => {
    if (method === "initialize")
      return json(
        response,
        200,
        result(id, { protocolVersion: params?.["protocolVersion"], capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
        { "mcp-session-id": "s1" },
      )
    if (request.headers["mcp-session-id"] !== "s1") return json(response, 400, failure(null, -32000, "Bad Request: Server not initialized"))
    if (id === undefined) return void response.writeHead(202).end()
    if (method === "tools/list") return json(response, 200, result(id, { tools: [{ name: "add", inputSchema: { type: "object" } }] }))
    calls += 1
    return json(response, 200, result(id, { content: [{ type: "text", text: "3" }] }))
  }
  expect(await call()).toEqual({ ok: true, data: "3" })
  expect(calls).toBe(1)
})
