// Registry tools that call MCP servers: publishing asks the server whether its tool only reads, and believes nobody more than it should.
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import { startPlainMcp } from "../servers/mcp-plain.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { draftTool, makeTool } from "./registry-maker.ts"

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.stop())

const mcp = (url: string, name: string, more: Record<string, unknown> = {}) => ({
  implementationType: "mcp",
  implementationConfig: { server_url: url, tool_name: name, ...more },
})
const asksFor = async (slug: string): Promise<boolean> =>
  (await product.client.run(`return await tools.registry.${slug}({})`)).status === "paused"
const hintOf = async (slug: string): Promise<unknown> =>
  (await product.client.registry.find(slug)).configSchema.implementation["annotations"]

test("a tool that its server says only reads is called without asking, and one that does not say is not", async () => {
  const server = await startPlainMcp([
    { name: "look", annotations: { readOnlyHint: true } },
    { name: "change", annotations: { readOnlyHint: false } },
    { name: "silent" },
  ])
  onTestFinished(() => server.close())
  for (const name of ["look", "change", "silent"]) await makeTool(product.client, name, mcp(server.url, name))
  expect([await asksFor("look"), await asksFor("change"), await asksFor("silent")]).toEqual([false, true, true])
  expect([await hintOf("look"), await hintOf("change"), await hintOf("silent")]).toEqual([
    { readOnlyHint: true },
    { readOnlyHint: false },
    undefined,
  ])
  expect(server.calls).toEqual(["look"])
})

test("a server that contradicts what was written is believed where that is stricter, and asked again with each publish", async () => {
  const server = await startPlainMcp([{ name: "claimed", annotations: { readOnlyHint: false } }])
  onTestFinished(() => server.close())
  const annotations = { readOnlyHint: true }
  const id = await makeTool(product.client, "claimed", mcp(server.url, "claimed", { annotations }))
  expect([await hintOf("claimed"), await asksFor("claimed")]).toEqual([{ readOnlyHint: false }, true])
  const { version } = await product.client.registry.publish(id)
  expect(version).toBe("1.0.0")
  server.tools = [{ name: "careful", annotations: { readOnlyHint: true } }]
  await makeTool(product.client, "careful", mcp(server.url, "careful", { annotations: { readOnlyHint: false } }))
  expect([await hintOf("careful"), await asksFor("careful")]).toEqual([{ readOnlyHint: false }, true])
})

test("a server that wants a session is asked in one, with the tool's headers", async () => {
  const server = await startMcpFixture()
  onTestFinished(() => server.close())
  await makeTool(product.client, "header", mcp(server.url, "echo_header", { headers: { "x-planted": "planted-hint-1" } }))
  expect(await hintOf("header")).toEqual({ readOnlyHint: true })
  expect(server.ledger.requests.some(({ headers }) => headers["x-planted"] === "planted-hint-1")).toBe(true)
})

test.each(["hangs up", "lies", "is away"])("a server that %s does not keep a tool from being published", async (what) => {
  const server = await listen(
    createServer((_request, response) => {
      if (what === "hangs up") return void response.destroy()
      response.writeHead(200, { "content-type": "application/json" }).end('{"tools":[{"name":"x","annotations":{"readOnlyHint":true}}]}')
    }),
  )
  if (what === "is away") await server.close()
  else onTestFinished(() => server.close())
  const slug = what.replace(" ", "_")
  const id = await draftTool(product.client, slug, mcp(`${server.url}/mcp`, "x"))
  expect(await product.client.registry.publish(id)).toMatchObject({ status: "published", publishedVersion: "1.0.0" })
  expect(await hintOf(slug)).toBeUndefined()
})
