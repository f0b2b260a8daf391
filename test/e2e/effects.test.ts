// What third parties say of their tools does not open the gate: MCP servers, plugins that declare nothing, and stores of an older version.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startPlainMcp } from "../servers/mcp-plain.ts"
import type { PlainMcp } from "../servers/mcp-plain.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const config = `
const any = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }
const tool = (path, more = {}) => ({ path, name: "One Thing", description: path, inputSchema: any, handler: () => path, ...more })
const paths = ["list", "list_all", "get.items", "check", "listen", "delete_all", "get_or_create", "check_in", "fetch_and_delete", "stats.mine"]
export default { plugins: [{ id: "hello", name: "Hello", description: "Hello.", tools: [
  ...paths.map((path) => tool("hello." + path)),
  tool("hello.run", { destructive: false }),
  tool("hello.get_rid", { destructive: true }),
] }] }
`
const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-effects-"))
let server: PlainMcp
let product: Product

beforeAll(async () => {
  writeFileSync(join(dataDir, "executor.config.mjs"), config)
  server = await startPlainMcp([
    { name: "read_notes", annotations: { readOnlyHint: true } },
    { name: "add_notes", annotations: { destructiveHint: false } },
    { name: "tidy_up", annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true } },
    { name: "drop_notes", annotations: {} },
    { name: "list_notes" },
  ])
  product = await startProduct({ dataDir })
})
afterAll(async () => {
  await product.stop()
  await server.close()
})

const policies = async (integration: string): Promise<Record<string, string>> =>
  Object.fromEntries((await product.client.tools.list({ integration })).map((tool) => [tool.name, tool.policy]))

const expected = {
  read_notes: "allow",
  add_notes: "require_approval",
  tidy_up: "require_approval",
  drop_notes: "require_approval",
  list_notes: "require_approval",
}

test("tools of an MCP server ask, unless it says that they only read", async () => {
  await product.client.integrations.add({ slug: "notes", kind: "mcp", config: { transport: "http", url: server.url } })
  await product.client.connections.create({ integration: "notes" })
  expect(await policies("notes")).toEqual(expected)
  expect(await product.client.run("return await tools.notes.add_notes({})")).toMatchObject({ status: "paused" })
  expect(server.calls).toEqual([])
  expect(await product.client.run("return (await tools.notes.read_notes({})).ok")).toMatchObject({ structured: { result: true } })
  expect(await product.client.policies.explain({ address: "notes.org.main.add_notes", args: {} })).toMatchObject({
    verdict: "require_approval",
    message: "No rule matches, so the effect of the call decides: it may change data and requires approval.",
  })
})

test("a plugin's tool that declares nothing is a read only by its verb, and the log names those that ask", async () => {
  expect(await policies("hello")).toEqual({
    list: "allow",
    list_all: "allow",
    "get.items": "require_approval",
    check: "allow",
    listen: "require_approval",
    delete_all: "require_approval",
    get_or_create: "require_approval",
    check_in: "require_approval",
    fetch_and_delete: "require_approval",
    "stats.mine": "require_approval",
    run: "allow",
    get_rid: "require_approval",
  })
  expect(await product.client.run("return await tools.hello.delete_all({})")).toMatchObject({ status: "paused" })
  expect(product.output()).toContain("'hello.delete_all' does not declare `destructive`, so every call requires approval")
  expect(product.output()).not.toContain("'hello.get_rid' does not declare")
  expect(product.output()).not.toContain("'hello.list' does not declare")
})

test("what version 0.1.0 stored as allowed asks, and what a human accepted is not changed by that", async () => {
  const older = mkdtempSync(join(tmpdir(), "executor-e2e-effects-"))
  writeFileSync(join(older, "executor.db"), gunzipSync(readFileSync(join(import.meta.dirname, "../fixtures/store-0.1.0.db.gz"))))
  const upgraded = await startProduct({ dataDir: older })
  const { client } = upgraded
  const policyOf = async (name: string): Promise<string | undefined> =>
    (await client.tools.list({ integration: "notes" })).find((tool) => tool.name === name)?.policy
  expect(await Promise.all(["read_notes", "add_notes", "drop_notes"].map(policyOf))).toEqual([
    "allow",
    "require_approval",
    "require_approval",
  ])
  expect(await client.run("return await tools.notes.add_notes({})")).toMatchObject({ status: "paused" })

  // The same tools, read anew by this version.
  server.tools = [
    { name: "read_notes", annotations: { readOnlyHint: true } },
    { name: "add_notes", annotations: { destructiveHint: false } },
    { name: "drop_notes" },
  ]
  await client.integrations.update("notes", { config: { transport: "http", url: server.url } })
  const connection = { integration: "notes", owner: "org", name: "main" } as const
  const read = await client.connections.update(connection, { confirmOrigins: [new URL(server.url).origin] })
  expect(read).toMatchObject({ status: "ready", toolCount: 3, changedTools: [] })
  expect(await policyOf("add_notes")).toBe("require_approval")

  // Of the old GraphQL tools it was not known that their queries read.
  await client.tools.list({ integration: "shop" })
  const query = `return (await tools.shop.graphql({ query: "{ count }" })).ok`
  await expect.poll(async () => (await client.run(query)).status).toBe("completed")
  await upgraded.stop()
})
