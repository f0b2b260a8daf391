// What sources list of themselves: the secrets they were read with and characters that hide text are in nothing that is kept or shown.
import { createServer } from "node:http"
import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { connectMcp } from "./mcp-client.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const databaseUrl = "postgres://u:TOPSECRETpassword@db.example/x"
const bearer = "bearer-token-0123456789abcdef"
const header = "config-header-0123456789abcdef"
const hidden = "\u001b[31m\u202e\u200b\u{e0041}\u0007"
const family = "👩\u200d👧"
const persian = "می\u200cخواهم"

let product: Product
let http: Listening

/** A server whose words hold what it knows, as a program with one file would be written. */
const program = `
const url = process.env.DB_URL
const hidden = ${JSON.stringify(hidden)}
const inputSchema = { type: "object", properties: { table: { type: "string", description: "In " + url + hidden, default: url, enum: [url, "b"], examples: [url] } } }
const tools = [
  { name: "query", title: "Query " + url + hidden, description: "Queries " + url + hidden + "\\n\\tsecond line ${family} ${persian}", inputSchema, annotations: { readOnlyHint: true, title: url } },
  { name: "as_" + Buffer.from(url).toString("hex"), description: "named", inputSchema: { type: "object" } },
]
const answers = {
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo: { name: "db " + url, version: "1" }, instructions: "Use " + url + hidden },
  "tools/list": { tools },
  "prompts/list": { prompts: [{ name: "p", description: "For " + url }] },
  "resources/list": { resources: [{ uri: "db://x", name: "n", description: "At " + url }] },
}
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) }))
})
`

function remote(authorization: string, method: string): unknown {
  if (method === "initialize")
    return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "remote", version: "1" } }
  if (method !== "tools/list") return null
  return {
    tools: [
      { name: "whoami", description: `Called with ${authorization}`, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
    ],
  }
}

beforeAll(async () => {
  http = await listen(
    createServer((request, response) => {
      void (async () => {
        let text = ""
        for await (const chunk of request) text += String(chunk)
        const { authorization = "" } = request.headers
        const sent = String(request.headers["x-key"])
        const json = (body: unknown): void => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
        if (request.url === "/openapi.json")
          return json({
            openapi: "3.1.0",
            info: { title: `API of ${sent}`, version: "1", description: `${sent}${hidden}` },
            servers: [{ url: http.url }],
            paths: {
              "/a": {
                get: {
                  operationId: "a/get",
                  summary: `Get ${hidden}it`,
                  description: `Sent ${sent}${hidden}`,
                  parameters: [
                    {
                      name: "b",
                      in: "query",
                      description: `${sent}${hidden}`,
                      schema: { type: "string", default: sent, enum: ["application/json", "\r\n", sent] },
                    },
                  ],
                  responses: {
                    200: { description: "", content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
                  },
                },
              },
            },
            components: {
              schemas: { Thing: { type: "object", description: `Thing ${sent}${hidden}`, properties: { c: { type: "string" } } } },
            },
          })
        const rpc = JSON.parse(text || "{}") as { id?: number; method?: string } // what our client sends
        if (rpc.id === undefined) return void response.writeHead(request.method === "POST" ? 202 : 405).end()
        const result = remote(authorization, rpc.method ?? "")
        return json({ jsonrpc: "2.0", id: rpc.id, ...(result === null ? { error: { code: -32601, message: "no" } } : { result }) })
      })()
    }),
  )
  product = await startProduct()
  const file = join(product.dataDir, "server.cjs")
  writeFileSync(file, program)
  const { integrations, connections } = product.client
  await integrations.add({
    slug: "db",
    kind: "mcp",
    config: { transport: "stdio", command: process.execPath, args: [file], env: { DB_URL: databaseUrl } },
  })
  expect(await connections.create({ integration: "db" })).toMatchObject({ status: "ready" })
  await integrations.add({ slug: "remote", kind: "mcp", config: { transport: "http", url: `${http.url}/mcp` } })
  await connections.create({ integration: "remote", auth: { template: "bearer", values: { token: bearer } } })
  await integrations.add({
    slug: "api",
    kind: "openapi",
    config: { spec: `${http.url}/openapi.json`, headers: { "X-Key": header, Accept: "application/json" } },
  })
  await connections.create({ integration: "api" })
})
afterAll(async () => {
  await product.stop()
  await http.close()
})

const secrets = [databaseUrl, "TOPSECRETpassword", Buffer.from(databaseUrl).toString("hex"), bearer, header]
// oxlint-disable-next-line no-control-regex -- what must not be there
const hiding = /\u001b|\\u001b|\u202e|\u200b|\udb40|\u0007|\\u0007/

function expectClean(shown: unknown): void {
  const text = typeof shown === "string" ? shown : JSON.stringify(shown)
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(text).not.toMatch(hiding)
}

const places = [
  "/tools?includeAnnotations=true",
  "/tools/search?query=query",
  "/tools/search?query=get",
  "/integrations",
  "/connections",
  "/integrations/db",
  "/integrations/api",
]
test.each([...places, ...["db.query", "remote.whoami", "api.a.get"].map((path) => `/tools/schema?address=${path}`)])(
  "GET %s",
  async (path) => {
    const { status, body } = await product.request("GET", path)
    expect(status).toBe(200)
    expectClean(body)
  },
)

test("agents find and describe clean tools, and their prompts and resources are redacted", async () => {
  const run = await product.client.run(`return [
    await tools.search({ query: "query table" }), await tools.describe.tool({ path: "db.query" }), await tools.describe.tool({ path: "api.a.get" }),
    await tools.catalog.tools({}), await tools.discover({ query: "query", includeSchemas: true }), await tools.executor.sources.list({}),
    await tools.db.prompts.list({}), await tools.db.resources.list({}),
  ]`)
  expect(run.status).toBe("completed")
  expectClean(run)
  expect(JSON.stringify(run.structured)).toContain("Queries ***")
})

test("clients of the pass-through see the same", async () => {
  const { token } = await product.client.tokens.create({ name: "agent", kind: "agent" })
  for (const slug of ["db", "remote", "api"]) {
    const client = await connectMcp(`${product.url}/mcp/direct/${slug}`, { era: "modern", token })
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(1)
    expectClean(tools)
    await client.close()
  }
})

test("words, line ends, joined emoji, other scripts and plain settings stay; a tool with a secret for a name is left out with a warning", async () => {
  const schema = await product.client.tools.schema("tools.api.org.main.a.get")
  expect(schema?.inputSchema).toMatchObject({ properties: { b: { default: "***", enum: ["application/json", "\r\n", "***"] } } })
  const tools = await product.client.tools.list({ integration: "db" })
  expect(tools.filter(({ name }) => name.startsWith("as_"))).toEqual([])
  expect(tools.find(({ name }) => name === "query")?.description).toBe(`Queries ***[31m\n\tsecond line ${family} ${persian}`)
  expect((await product.client.integrations.get("db")).facts.warnings).toMatchObject([{ message: expect.stringContaining("left out") }])
})

test("a preview shows no more, and nothing of it is in the store", async () => {
  const config = { spec: `${http.url}/openapi.json`, headers: { "X-Key": header } }
  expectClean((await product.request("POST", "/integrations/preview", { kind: "openapi", config })).body)
  await product.kill("SIGTERM")
  const files = readdirSync(product.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const entry of files) {
    const text = readFileSync(join(entry.parentPath, entry.name)).toString("latin1")
    for (const secret of [bearer, header, "TOPSECRETpassword"]) expect(text.includes(secret)).toBe(false)
  }
})
