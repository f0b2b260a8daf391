// A server with tools of every bucket and subtype, for the tests of the registry's page.
import { sampleFunctions } from "../../src/registry/functions/testing/sample-functions.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import { startPlainMcp } from "../servers/mcp-plain.ts"
import { startConsole } from "./console.ts"
import type { Console } from "./console.ts"

export type RegistryPlace = {
  readonly console: Console
  readonly client: Client
  /** Where the ledger's API is. */
  readonly ledgerUrl: string
  readonly mcpUrl: string
  close(): Promise<void>
}

/** Names of tools take no control characters and none that reorder; descriptions do. */
export const hostileName = "<img src=x onerror=alert(1)>"
export const hostileText = `${hostileName}\u202Eevil\u0007\n<script>document.title = "owned"</script>`

const schema = { input: { type: "object", properties: { value: { type: "number" } }, required: ["value"] } }

export async function startRegistryPlace(): Promise<RegistryPlace> {
  const [ledger, mcp] = await Promise.all([startLedger(), startPlainMcp([{ name: "notes_list", description: "Lists the notes." }])])
  const console = await startConsole({ functions: sampleFunctions })
  const client = createClient({ origin: `${console.server.url}/api`, token: console.server.tokens.human })
  await client.integrations.add({ slug: "ledger", name: "Ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
  await client.integrations.add({ slug: "notes", name: "Notes", kind: "mcp", config: { url: mcp.url } })
  await client.connections.create({ integration: "notes" })
  await publishAgent(client, ledger.url)
  await seedTools(client, ledger.url)
  return {
    console,
    client,
    ledgerUrl: ledger.url,
    mcpUrl: mcp.url,
    async close() {
      await console.close()
      await mcp.close()
      await ledger.close()
    },
  }
}

/** Nobody runs it. */
async function publishAgent(client: Client, baseUrl: string): Promise<void> {
  await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl })
  const agent = await client.agents.create({
    slug: "helper",
    name: "Helper",
    instructions: "Help.",
    model: { provider: "local", name: "none" },
    tools: ["ledger.**"],
  })
  await client.agents.publish(agent.id)
}

async function seedTools(client: Client, ledgerUrl: string): Promise<void> {
  const sum = await client.artifacts.create({
    name: "Sum",
    slug: "sum",
    inputs: [{ name: "values", type: "array", required: true }],
    code: "return input.values.reduce((sum, value) => sum + value, 0)",
  })
  await client.pipelines.create({ name: "Handbook", slug: "handbook" })
  await client.registry.create({
    name: "Add up",
    slug: "add_up",
    description: "Adds numbers.",
    implementationType: "artifact",
    artifactId: sum.id,
  })
  const item = await client.registry.create({
    name: "Read one item",
    slug: "read_item",
    description: "Reads an item of the ledger.",
    schema: { input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }, output: { type: "object" } },
    implementationType: "http",
    implementationConfig: { method: "GET", url: `${ledgerUrl}/items/{name}`, headers: { "x-api-key": "s3cret-value" } },
    executionConfig: { timeout_s: 5, max_concurrency: 2 },
  })
  await client.registry.publish(item.id, { reason: "First" })
  const double = await client.registry.create({
    name: "Double",
    slug: "double_it",
    description: "Doubles a number.",
    schema,
    implementationType: "function",
    implementationConfig: { function_name: "double" },
  })
  await client.registry.publish(double.id)
  await client.registry.update(double.id, { status: "deprecated", replacedBy: "read_item" })
  await client.registry.create({
    name: hostileName,
    slug: "hostile",
    description: hostileText,
    schema: { input: { type: "object", properties: { "</pre><b>\u202E": { type: "string", description: hostileText } } } },
    implementationType: "custom",
    implementationConfig: { code: "return '<b>' + input.value" },
  })
}
