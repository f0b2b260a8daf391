// An MCP server that never answers, and one that is deployed anew: lists answer at once with the true state, a refresh sees what is there.
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startPlainMcp } from "../servers/mcp-plain.ts"
import type { PlainMcp } from "../servers/mcp-plain.ts"
import { openCli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const program = join(import.meta.dirname, "..", "servers", "mcp-stubborn.ts")
const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-dead-"))
let server: PlainMcp
let product: Product

beforeAll(async () => {
  server = await startPlainMcp(null)
  product = await startProduct({ dataDir, env: { EXECUTOR_LIMITS: JSON.stringify({ mcpServerStartMs: 3000 }) } })
})
afterAll(async () => {
  await product.stop()
  await server.close()
})

const connection = { integration: "files", owner: "org", name: "main" } as const

test("whoever connects it is told how long was waited, and what the program said last", async () => {
  const config = { transport: "stdio", command: process.execPath, args: [program, "mute"], env: { SECRET_TOKEN: "hunter2hunter2" } }
  await product.client.integrations.add({ slug: "files", kind: "mcp", config })
  const made = await product.client.connections.create({ integration: "files" })
  expect(made.status).toBe("error")
  const [, seconds, hint] =
    /^The server did not answer within ([\d.]+) s\. (.*)\. It is still running; its last output:\nstarting with \*\*\*/.exec(
      made.error ?? "",
    ) ?? []
  expect(Number(seconds)).toBeGreaterThanOrEqual(3)
  expect(hint).toBe(`If it needs longer to start, run: ./executor integrations update <slug> --config '{"timeoutSeconds":60}'`)
})

test("lists answer with the connection's state, and do not wait for it", async () => {
  // The server is started anew, so that nothing but the stored state tells of the failure.
  await product.kill("SIGTERM")
  product = await startProduct({ dataDir, env: { EXECUTOR_LIMITS: JSON.stringify({ mcpServerStartMs: 120_000 }) } })
  const before = await product.client.connections.get(connection)
  const listed = await product.request("GET", "/tools?integration=files")
  expect(listed.body).toMatchObject({
    items: [],
    unready: [{ address: "tools.files.org.main", status: "error", error: expect.stringContaining("did not answer within") }],
  })
  const { structured } = await product.client.run("return await tools.executor.sources.list({ query: 'files' })")
  expect(structured).toMatchObject({
    result: { items: [{ slug: "files", toolCount: 0, connections: [], unready: [{ address: "tools.files.org.main", status: "error" }] }] },
  })
  await product.client.tools.search({ query: "read a file" })
  const cli = openCli(dataDir)
  const list = await cli.run(["tools", "list", "--integration", "files"])
  expect(list.stderr).toMatch(/files\.org\.main: error: The server did not answer within/)
  expect(list.stderr).toMatch(/Try again: \S*executor connections refresh files\.org\.main/)
  expect((await cli.run(["tools", "sources"])).stdout).toMatch(/^files +mcp +0 +files\.org\.main \(error\)/m)
  // The source is read again behind all of this, and nobody waited for the end of it.
  expect(await product.client.connections.get(connection)).toEqual(before)
  await product.client.connections.remove(connection)
})

test("a refresh of a server that was deployed anew sees what it gained and lost", async () => {
  const key = { integration: "plain", owner: "org", name: "main" } as const
  await product.client.integrations.add({ slug: "plain", kind: "mcp", config: { transport: "http", url: server.url } })
  expect(await product.client.connections.create({ integration: "plain" })).toMatchObject({ status: "ready", toolCount: 0 })
  const before = server.initialized
  server.tools = [{ name: "hello", annotations: { readOnlyHint: true } }]
  expect(await product.client.connections.refresh(key)).toMatchObject({ status: "ready", toolCount: 1 })
  expect(server.initialized).toBeGreaterThan(before)
  server.tools = null
  expect(await product.client.connections.refresh(key)).toMatchObject({ status: "ready", toolCount: 0 })
})
