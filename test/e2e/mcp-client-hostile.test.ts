// An MCP server that sends what no honest one would: in its lists, its answers and its questions.
import { createServer } from "node:http"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"

type Rpc = { readonly id?: number; readonly method?: string; readonly params?: { readonly name?: string } }

const folder = mkdtempSync(join(tmpdir(), "executor-mcp-hostile-"))
let executor: Executor
let server: Listening
let tools: unknown[] = []
/** What `tools/call` answers; a function writes the answer itself. */
let result: unknown = {}
/** What `tools/call` refuses with before it answers. */
let refusals: unknown[] = []
/** How many log messages a call's answer comes after, in one stream. */
let messagesBefore = 0
let count = 0
let slug = ""

const readOnly = { readOnlyHint: true }
const plain = { name: "plain", description: "Plain.", inputSchema: { type: "object" }, annotations: readOnly }

const event = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`
const logged = event({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "still here" } })

/** Speaks the revision before the newest, without sessions. */
function answer({ method }: Rpc): unknown {
  if (method === "initialize")
    return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "h\u0000ostile", version: "1" } }
  if (method === "tools/list") return { tools }
  return method === "tools/call" ? result : null
}

beforeAll(async () => {
  server = await listen(
    createServer((request, response) => {
      void (async () => {
        let text = ""
        for await (const chunk of request) text += String(chunk)
        const rpc = (text === "" ? {} : JSON.parse(text)) as Rpc // what our client sends
        const isKnown = ["initialize", "tools/list", "tools/call"].includes(rpc.method ?? "")
        if (rpc.id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end()
        const refusal = rpc.method === "tools/call" ? refusals.shift() : isKnown ? undefined : { code: -32601, message: "no" }
        const body = refusal === undefined ? { result: answer(rpc) } : { error: refusal }
        if (rpc.method === "tools/call" && messagesBefore > 0)
          return response
            .writeHead(200, { "content-type": "text/event-stream" })
            .end(logged.repeat(messagesBefore) + event({ jsonrpc: "2.0", id: rpc.id, ...body }))
        return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, ...body }))
      })()
    }),
  )
  executor = await createExecutor({ dataDir: join(folder, "data"), limits: { responseBytesMax: 500_000, callTimeoutMs: 10_000 } })
})
afterAll(async () => {
  await executor.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  count += 1
  slug = `hostile${count}`
  tools = [plain]
  refusals = []
  messagesBefore = 0
})

async function connect() {
  await executor.integrations.add({ slug, kind: "mcp", config: { transport: "http", url: `${server.url}/mcp` } })
  return executor.connections.create({ integration: slug })
}

async function call(): Promise<unknown> {
  const run = await executor.run(`return await tools.${slug}.plain({})`)
  return run.structured.status === "completed" ? run.structured.result : run.structured
}

function nested(depth: number): unknown {
  let schema: unknown = { type: "string" }
  for (let n = 0; n < depth; n += 1) schema = { type: "object", properties: { a: schema } }
  return schema
}

test("tools with impossible names, schemas and texts become callable tools, or a clear error", async () => {
  const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as unknown // own members of these names
  tools = [
    plain,
    { ...plain, description: "Twice." },
    { ...plain, name: "a\u0000b\u001b[31m", description: `\u0000${"d".repeat(100_000)}`, title: "t".repeat(5000) },
    { ...plain, name: "x".repeat(3000) },
    { ...plain, name: "proto", inputSchema: { type: "object", properties } },
    { ...plain, name: "deep", inputSchema: nested(60) },
    { ...plain, name: "remote", inputSchema: { type: "object", properties: { a: { $ref: "http://127.0.0.1:1/schema" } } } },
    { ...plain, name: "loop", inputSchema: { type: "object", properties: { a: { $ref: "#" } } } },
    { ...plain, name: "slow", inputSchema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } } },
  ]
  expect(await connect()).toMatchObject({ status: "ready", toolCount: 8 })
  for (const tool of await executor.tools.list({ integration: slug })) {
    expect(tool.description.length).toBeLessThanOrEqual(20_000)
    expect(tool.title.length).toBeLessThanOrEqual(200)
    expect(`${tool.description}${tool.title}`).not.toContain("\u0000")
    expect((await executor.tools.schema(tool.address))?.inputTypeScript).toEqual(expect.any(String))
  }
  result = { content: [] }
  const run = await executor.run(`return await tools.${slug}.slow({ a: "${"a".repeat(50)}!" })`)
  expect(run.structured).toMatchObject({ result: { ok: true, data: null } })
})

test.each([
  ["no tools at all", "not a list"],
  ["a tool without a name", [{ inputSchema: { type: "object" } }]],
  ["a schema that is none", [{ ...plain, inputSchema: "anything" }]],
])("%s: the connection says what is wrong", async (_, listed) => {
  tools = listed as unknown[] // that is the point
  expect(await connect()).toMatchObject({ status: "error", toolCount: 0, error: expect.any(String) })
})

test("a schema nested beyond all measure is an error of its own server", async () => {
  tools = [{ ...plain, name: "deep", inputSchema: nested(800) }]
  expect(await connect()).toMatchObject({ status: "error", error: expect.stringContaining("nested too deeply") })
})

test("more schemas than a document may have are refused", async () => {
  tools = Array.from({ length: 30 }, (_, n) => ({ ...plain, name: `t${n}`, description: "x".repeat(30_000) }))
  expect(await connect()).toMatchObject({ status: "error", error: expect.stringContaining("more than 500000 bytes") })
})

test.each([
  ["an unknown kind of content", { content: [{ type: "hologram", data: "x" }] }, "upstream_error"],
  ["no content", { content: "none" }, "upstream_error"],
  ["too much", { content: [{ type: "text", text: "x".repeat(600_000) }] }, "response_too_large"],
  ["an error without words", { isError: true, content: [] }, "upstream_error"],
])("%s in an answer is an error", async (_, given, code) => {
  await connect()
  result = given
  expect(await call()).toMatchObject({ ok: false, error: { code } })
})

test("what is no base64 is still a file, of what can be read of it", async () => {
  await connect()
  result = { content: [{ type: "image", data: "aGk=", mimeType: "image/\u0000png" }] }
  expect(await call()).toMatchObject({ ok: true, data: { _tag: "ToolFile", byteLength: 2 } })
})

test("structured content cannot reach what all objects have", async () => {
  await connect()
  result = { content: [], structuredContent: JSON.parse('{"__proto__":{"polluted":true},"n":null}') as unknown } // own members of these names
  expect(await call()).toMatchObject({ ok: true, data: { n: null } })
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test("a page that was visited does not count for the same page with another query", async () => {
  await connect()
  const visit = (url: string) => ({
    code: -32042,
    message: "Visit",
    data: { elicitations: [{ mode: "url", message: "Sign in", url, elicitationId: "1" }] },
  })
  const pages = ["https://example.com/consent?scope=read", "https://example.com/consent?scope=admin"]
  refusals = pages.map(visit)
  result = { content: [{ type: "text", text: "signed in" }] }
  const { executionId, structured: first } = await executor.run(`return await tools.${slug}.plain({})`)
  expect(first).toMatchObject({ interactions: [{ kind: "url", url: pages[0] }] })
  const { structured: second } = await executor.resume(executionId, { action: "accept" })
  expect(second).toMatchObject({ interactions: [{ kind: "url", url: pages[1] }] })
  const { structured: done } = await executor.resume(executionId, { action: "accept" })
  expect(done).toMatchObject({ result: { ok: true, data: "signed in" } })
})

test("thousands of messages before an answer are read in turns, and everything else goes on in between", async () => {
  await connect()
  result = { content: [{ type: "text", text: "at last" }] }
  messagesBefore = 2500
  let turns = 0
  let isOver = false
  const look = (): void => {
    turns += 1
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  expect(await call()).toMatchObject({ ok: true, data: "at last" })
  isOver = true
  expect(turns).toBeGreaterThan(messagesBefore / 20)
})
