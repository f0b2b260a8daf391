// Many large answers of MCP servers and to plugins at once: code of others parses them, and still one after the other.
import { mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

/** 6 MB of text that take some hundred megabytes when they are parsed. */
const rows = `[${"[],".repeat(2_000_000)}0]`
const calls = 24

const answers: Record<string, string> = {
  initialize: `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"large","version":"1"}}`,
  "tools/list": `{"tools":[{"name":"rows","description":"All.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`,
  "tools/call": `{"content":[],"structuredContent":{"rows":${rows}}}`,
}
type Rpc = { readonly id?: number; readonly method: string }
const messageTo = ({ id, method }: Rpc): string => {
  const body = answers[method] === undefined ? `"error":{"code":-32601,"message":"no"}` : `"result":${answers[method]}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`
}

/** The same over a pipe. */
const program = `
  const answers = ${JSON.stringify({ ...answers, "tools/call": "" })}
  answers["tools/call"] = '{"content":[],"structuredContent":{"rows":[' + "[],".repeat(2_000_000) + "0]}}"
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    const body = answers[method] === undefined ? '"error":{"code":-32601,"message":"no"}' : '"result":' + answers[method]
    process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + "," + body + "}\\n")
  })`

const config = (url: string): string => `
  const inputSchema = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } }
  const handler = async (ctx) => (await ctx.fetch("${url}/rows")).json()
  const tools = [{ path: "large.rows", name: "Rows", description: "All.", destructive: false, inputSchema, handler }]
  export default { plugins: [{ id: "large", name: "Large", description: "Large.", tools }] }`

let product: Product
let agent: string
let upstream: Listening

beforeAll(async () => {
  upstream = await listen(
    createServer((request, response) => {
      void (async () => {
        let text = ""
        for await (const chunk of request) text += String(chunk)
        if (request.url === "/rows") return response.end(rows)
        if (text === "") return response.writeHead(405).end()
        const rpc = JSON.parse(text) as Rpc // what our client sends
        if (rpc.id === undefined) return response.writeHead(202).end()
        const isStream = request.url === "/events"
        response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" })
        return response.end(isStream ? `data: ${messageTo(rpc)}\n\n` : messageTo(rpc))
      })()
    }),
  )
  // Room for a few of them, and by far not for all.
  const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-"))
  const file = join(dataDir, "large.cjs")
  writeFileSync(join(dataDir, "executor.config.mjs"), config(upstream.url), { mode: 0o600 })
  writeFileSync(file, program)
  const env = { NODE_OPTIONS: "--max-old-space-size=1024", EXECUTOR_ALLOW_PRIVATE_HOSTS: "127.0.0.1" }
  product = await startProduct({ dataDir, env })
  const { integrations, connections } = product.client
  await integrations.add({ slug: "body", kind: "mcp", config: { transport: "http", url: `${upstream.url}/body` } })
  await integrations.add({ slug: "events", kind: "mcp", config: { transport: "http", url: `${upstream.url}/events` } })
  await integrations.add({ slug: "pipe", kind: "mcp", config: { transport: "stdio", command: process.execPath, args: [file] } })
  for (const integration of ["body", "events", "pipe"]) await connections.create({ integration })
  agent = (await product.client.tokens.create({ name: "greedy", kind: "agent" })).token
})
afterAll(async () => {
  await product.stop()
  await upstream.close()
})

test.each([
  ["bodies", "tools.body.rows({})"],
  ["events", "tools.events.rows({})"],
  ["a pipe", "tools.pipe.rows({})"],
  ["a plugin", "tools.large.rows({})"],
])(
  "%s: one execution that asks for them all does not end the server",
  async (_, call) => {
    const code = `const all = await Promise.allSettled(Array.from({ length: ${calls} }, () => ${call})); return all.length`
    const asked = { isOver: false }
    const answered = product.request("POST", "/executions", { code, timeoutMs: 300_000 }, agent).finally(() => (asked.isOver = true))
    while (!asked.isOver) expect((await product.request("GET", "/health")).status).toBe(200)
    // The code's own memory does not hold them, which is its own failure.
    expect(await answered).toMatchObject({ status: 200, body: { structured: { error: { code: "memory_limit" } } } })
  },
  600_000,
)
