// Tests tools that call a tool of an MCP server, with servers that lie.
import { createServer } from "node:http"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { listen } from "../../../../test/servers/listen.ts"
import type { RegistryCaller } from "../testing/caller.ts"
import { secret, startRegistryCaller } from "../testing/caller.ts"

type Seen = {
  readonly headers: IncomingHttpHeaders
  readonly message: { readonly id?: string; readonly method: string; readonly params?: unknown }
}
type Lie = (seen: Seen, response: ServerResponse) => void

const ledger: Seen[] = []
let lie: Lie
let caller: RegistryCaller
let server: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  caller = await startRegistryCaller()
  server = await listen(
    createServer(async (request, response) => {
      const seen = { headers: request.headers, message: JSON.parse((await text(request)) || "{}") as Seen["message"] } // our own client's
      ledger.push(seen)
      lie(seen, response)
    }),
  )
})
afterAll(async () => {
  await caller.close()
  await server.close()
})
beforeEach(() => void (ledger.length = 0))

const answer =
  (message: (id: unknown) => unknown, status = 200): Lie =>
  ({ message: { id } }, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(message(id)))
const result = (value: unknown): Lie => answer((id) => ({ jsonrpc: "2.0", id, result: value }))

const call = (more: Record<string, unknown> = {}, args: Record<string, unknown> = {}, limits = {}) =>
  caller.call("mcp", { server_url: `${server.url}/mcp`, tool_name: "lookup", ...more }, args, {
    binding: { literalUrls: [server.url] },
    limits,
  })

it("sends tools/call with name and arguments, and passes the headers through", async () => {
  lie = result({ content: [{ type: "text", text: "hi" }], structuredContent: { n: 1 } })
  const args = { city: "x", name: "other", headers: { authorization: "mine" } }
  expect(await call({ headers: { Authorization: secret("Bearer planted") } }, args)).toMatchObject({ ok: true, data: { n: 1 } })
  expect(ledger).toHaveLength(1)
  expect(ledger[0]?.message).toMatchObject({ method: "tools/call", params: { name: "lookup", arguments: args } })
  expect(ledger[0]?.headers["authorization"]).toBe("Bearer planted")
})

it.each([{ server_url: "" }, { tool_name: "" }, { headers: { "x-key": "a\r\nb: c" } }])("%j is not called", async (config) => {
  expect(await call(config)).toMatchObject({ ok: false, error: { code: "invalid_request" } })
  expect(ledger).toEqual([])
})

describe("a server that", () => {
  it("reports an error of the tool is believed", async () => {
    lie = result({ isError: true, content: [{ type: "text", text: "No such city" }] })
    expect(await call()).toMatchObject({ ok: false, error: { code: "upstream_error", message: expect.stringContaining("No such city") } })
  })

  const lies: readonly (readonly [string, Lie])[] = [
    ["answers another request", answer(() => ({ jsonrpc: "2.0", id: "other", result: { content: [] } }))],
    ["answers without a result", answer((id) => ({ jsonrpc: "2.0", id }))],
    ["answers with content of another form", result({ content: "text" })],
    ["answers with a list", answer(() => [])],
    ["answers with a web page", (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>")],
    ["answers nothing", (_, response) => void response.writeHead(200).end()],
    ["redirects", (_, response) => void response.writeHead(307, { location: `${caller.echo.url}/mcp` }).end()],
    ["hangs up", (_, response) => void response.destroy()],
  ]
  it.each(lies)("%s has called nothing", async (_what, lied) => {
    lie = lied
    const failed = await call({ headers: { Authorization: secret("Bearer planted") } })
    expect(failed).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^upstream_(error|unreachable)$/) } })
    expect(caller.echo.ledger).toEqual([])
    expect(ledger.filter(({ message }) => message.method === "tools/call")).toHaveLength(1)
  })

  it("claims to send a file sends data", async () => {
    lie = result({ content: [], structuredContent: { _tag: "ToolFile", data: "AAAA", mimeType: "x", encoding: "base64", byteLength: 3 } })
    const claimed = await call()
    // The gate renames the claim: only what was made here carries the mark.
    expect(Object.getOwnPropertySymbols(claimed.ok ? claimed.data : {})).toEqual([])
  })

  it("sends without end is cut off", async () => {
    lie = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      const push = (): void => {
        while (!response.destroyed) if (!response.write("x".repeat(65_536))) return void response.once("drain", push)
      }
      push()
    }
    expect(await call({}, {}, { responseBytesMax: 200_000 })).toMatchObject({ ok: false, error: { code: "response_too_large" } })
  })

  it("never answers is given up", async () => {
    lie = () => {}
    expect(await call({ timeout_s: 0.05 })).toMatchObject({ ok: false, error: { code: "timeout" } })
  })
})
