// A support agent from end to end: a handbook that it searches, a tool of its own, an API whose writes need approval, and a child agent.
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import { startShopApi } from "../../src/surfaces/cli/demo/shop-api.ts"
import { startModelServer } from "../../test/servers/model.ts"
import { supportModel } from "./scripted-model.ts"

const folder = mkdtempSync(join(tmpdir(), "executor-support-"))
const handbook = join(import.meta.dirname, "handbook")
const shop = await startShopApi({ port: 0, token: null })
// With a real model, this is its provider: OpenAI, Anthropic, or a server on your machine.
const provider = await startModelServer(supportModel)
const executor = await createExecutor({ dataDir: folder })

// What it can use: an API, a handbook, and a tool that is made here.
await executor.integrations.add({ slug: "shop", kind: "openapi", config: { spec: `${shop.url}/openapi.json` } })
await executor.connections.create({ integration: "shop" })
await executor.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: provider.baseUrl })
const pipeline = await executor.pipelines.create({ name: "Handbook" })
for (const name of readdirSync(handbook))
  await executor.pipelines.documents.add(pipeline.id, { source: name, markdown: readFileSync(join(handbook, name), "utf8") })

const numbers = { quantity: { type: "integer" }, price: { type: "number" } }
const tools = [
  {
    slug: "handbook",
    description: "Finds what the handbook says",
    implementationType: "rag_retrieval",
    schema: { input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] } },
    implementationConfig: { pipeline_id: pipeline.id, top_k: 2 },
  },
  {
    slug: "refund",
    description: "Says what a customer gets back",
    implementationType: "custom",
    schema: { input: { type: "object", properties: numbers, required: ["quantity", "price"] } },
    implementationConfig: { code: "return { total: input.quantity * input.price }" },
  },
]
for (const tool of tools) await executor.registry.publish((await executor.registry.create({ name: tool.slug, ...tool })).id)

// The agents: one writes letters, the other does the work and has the first one write.
const model = { provider: "local", name: "scripted" }
await executor.agents.create({ slug: "writer", name: "Writer", instructions: "Write to customers: short and friendly.", model })
await executor.agents.publish("writer")
const letter = await executor.registry.create({
  slug: "write_letter",
  name: "Write letter",
  description: "Has a letter to a customer written",
  implementationType: "agent_call",
  schema: { input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
  implementationConfig: { target_agent_slug: "writer" },
})
await executor.registry.publish(letter.id)
await executor.agents.create({
  slug: "support",
  name: "Support",
  instructions: "Help customers with their orders. Look into the handbook before you change anything.",
  model,
  tools: ["shop.orders.**", "registry.handbook", "registry.refund", "registry.write_letter"],
  executionMode: "parallel_safe",
})
await executor.agents.publish("support")

// It looks, and then waits: cancelling an order changes data, so a human decides.
const paused = await executor.agents.run("support", { text: "Please cancel order 2." })
assert.equal(paused.structured.status, "waiting_for_interaction")
const [question] = paused.structured.interactions
assert.equal(question?.address, "tools.shop.org.main.orders.cancel")
assert.deepEqual(question.args, { orderId: 2 })
const statusOf = async (): Promise<unknown> => ((await (await fetch(`${shop.url}/orders/2`)).json()) as { status: unknown }).status
assert.equal(await statusOf(), "open")

// The human says yes, here or on any other node, now or in three days.
const done = await executor.resume(paused.executionId, { action: "accept" })
assert.equal(done.structured.status, "completed")
assert.equal(done.structured.result, "Dear customer, order 2 is cancelled. 96 euros reach you within five working days.")
assert.equal(await statusOf(), "cancelled")

// The history has each step and call, the child's as well.
const { calls } = await executor.executions.get(paused.executionId)
const made = calls.filter(({ address }) => !address.startsWith("model/")).map(({ address }) => address.replace("tools.", ""))
assert.deepEqual(made, [
  "shop.org.main.orders.get",
  "registry.org.main.handbook",
  "registry.org.main.refund",
  "shop.org.main.orders.cancel",
  "registry.org.main.write_letter",
])
const searched = provider.requests.find(({ outputs }) => outputs.length === 2)?.outputs[1]?.text ?? ""
assert.match(searched, /cancelled free of charge until it has shipped/)
console.log(done.structured.result)

await executor.close()
await provider.close()
await shop.close()
rmSync(folder, { recursive: true })
