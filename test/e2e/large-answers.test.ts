// Many large answers at once: they are read one after the other, so that neither memory nor anybody else's requests suffer.
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

/** 6 MB of text that take some hundred megabytes when they are parsed. */
const body = `[${"[],".repeat(2_000_000)}0]`
const calls = 24

let product: Product
let agent: string
let closeUpstream: () => Promise<void>

beforeAll(async () => {
  const upstream = await listen(
    createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(body)
    }),
  )
  closeUpstream = () => upstream.close()
  // Room for a few of them, and by far not for all.
  product = await startProduct({ env: { NODE_OPTIONS: "--max-old-space-size=1024" } })
  const paths = { "/rows": { get: { operationId: "rows/list", parameters: [{ name: "n", in: "query" }], responses: {} } } }
  const spec = { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: upstream.url }], paths }
  await product.client.integrations.add({ slug: "t", kind: "openapi", config: { spec } })
  await product.client.connections.create({ integration: "t" })
  agent = (await product.client.tokens.create({ name: "greedy", kind: "agent" })).token
})
afterAll(async () => {
  await product.stop()
  await closeUpstream()
})

test("one execution that asks for them all does not end the server", async () => {
  const code = `const all = await Promise.allSettled(Array.from({ length: ${calls} }, (_, n) => tools.t.rows.list({ n }))); return all.length`
  const asked = { isOver: false }
  const answered = product.request("POST", "/executions", { code, timeoutMs: 300_000 }, agent).finally(() => (asked.isOver = true))
  while (!asked.isOver) expect((await product.request("GET", "/health")).status).toBe(200)
  // The code's own memory does not hold them, which is its own failure.
  expect(await answered).toMatchObject({ status: 200, body: { structured: { error: { code: "memory_limit" } } } })
  expect(await product.request("POST", "/executions", { code: "return 1" }, agent)).toMatchObject({
    status: 200,
    body: { structured: { status: "completed", result: 1 } },
  })
}, 600_000)
