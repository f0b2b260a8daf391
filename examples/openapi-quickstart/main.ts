// An API goes through the catalog from end to end: add it, connect it, list its tools, read a schema, call it.
import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ToolAddress, createExecutor } from "toolplane"
import { startOrdersApi } from "./orders-api.ts"

const api = await startOrdersApi("s3cret-token")
const dataDir = mkdtempSync(join(tmpdir(), "executor-quickstart-"))
const executor = await createExecutor({ dataDir })

// The source is read once; each of its operations becomes a tool.
await executor.integrations.add({ slug: "orders", kind: "openapi", config: { spec: `${api.url}/openapi.json` } })

// A connection binds the credential and produces the tools.
await executor.connections.create({ integration: "orders", auth: { template: "bearer", values: { token: "s3cret-token" } } })

const tools = await executor.tools.list({ integration: "orders" })
console.log(tools.map((tool) => `${tool.address}  ${tool.description}`).join("\n"))
assert.deepEqual(
  tools.map((tool) => tool.address),
  ["tools.orders.org.main.orders.create", "tools.orders.org.main.orders.list"],
)

const schema = await executor.tools.schema("tools.orders.org.main.orders.create")
console.log(schema?.inputTypeScript)
assert.deepEqual(schema?.inputSchema["required"], ["item", "quantity"])

// Calls that change data need a human's approval; here the caller is the human.
const order = { item: "coffee", quantity: 3 }
const waiting = await executor.execute(ToolAddress.make("tools.orders.org.main.orders.create"), order)
assert.equal(!waiting.ok && waiting.error.code, "approval_required")
const created = await executor.execute(ToolAddress.make("tools.orders.org.main.orders.create"), order, { approve: "auto" })
console.log(created)
assert.deepEqual(created.ok && created.data, { id: 2, item: "coffee", quantity: 3 })

// A short path is enough if only one connection has the tool.
const listed = await executor.execute("orders.orders.list", { item: "cof" })
assert.deepEqual(listed.ok && listed.data, [{ id: 2, item: "coffee", quantity: 3 }])

// Invalid arguments are rejected before anything is sent.
const refused = await executor.execute("orders.orders.create", { item: "coffee" })
console.log(refused)
assert.equal(!refused.ok && refused.error.code, "invalid_arguments")
assert.equal(!refused.ok && refused.error.message, "Missing required parameter 'quantity'")

// Code can do all of this at once, and pauses when it needs a human.
const run = await executor.run(`
  const [first] = await tools.orders.orders.list({ item: "tea" }).unwrap()
  return (await tools.orders.orders.create({ item: first.item, quantity: first.quantity + 1 })).data.id`)
assert.equal(run.status, "paused")
const done = await executor.resume(run.executionId, { action: "accept" })
console.log(done.text)
assert.equal(done.text, "3")

await executor.close()
await api.close()
rmSync(dataDir, { recursive: true })
