// What an agent reads before it does anything: `tools/list` of the MCP host, beside listing every tool.
//
// A token is taken to be four characters of JSON, the usual estimate for English and code; a tokenizer would move all
// rows by the same few percent. The last row's schemas are those of a sample, scaled.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConnectionName, IntegrationSlug, ToolName } from "../src/core/address.ts"
import { localHuman } from "../src/core/principal.ts"
import { sha256 } from "../src/io/ids.ts"
import { silentLog } from "../src/io/log.ts"
import { openProduct } from "../src/preset/product.ts"
import type { Product } from "../src/preset/product.ts"
import { readSettings } from "../src/local/settings.ts"
import { instructionsText } from "../src/core/text/inventory.ts"
import { toolDefinitions } from "../src/surfaces/mcp/tools/definitions.ts"
import { table } from "./measure.ts"

const charsPerToken = 4
const sampleMax = 300
const rows: string[][] = []

await measure("0 tools", async () => {})
await measure("GitHub", async (product) => {
  const path = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")
  const api = product.core.as(localHuman)
  await api.integrations.add({ slug: "github", kind: "openapi", config: { spec: readFileSync(path, "utf8") } })
  await api.connections.create({ integration: "github", auth: { template: "none" } })
})
await measure("100,000 tools in 50 integrations", async (product) => {
  for (let integration = 0; integration < 50; integration += 1) await putTools(product, `service_${integration}`, 2000)
})
table(["catalog", "tools", "tools/list tokens", "with search_tools", "instructions", "first ms", "next ms", "listing every tool"], rows)

async function measure(name: string, fill: (product: Product) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-tokens-"))
  const options = {
    isLoopbackOnly: true,
    startsWarm: false,
    log: silentLog,
    approvalUrl: () => null,
    pagesUrl: () => null,
    publicUrl: () => null,
  }
  const product = await openProduct(readSettings({ EXECUTOR_DATA_DIR: dataDir }), options)
  await fill(product)
  const startedMs = performance.now()
  const inventory = await product.core.host.inventory(localHuman)
  const firstMs = performance.now() - startedMs
  const list = (discovery: "code" | "tools") =>
    toolDefinitions(inventory, { mode: "browser", results: "envelope", discovery, direct: null }, product.limits)
  const againMs = performance.now()
  await product.core.host.inventory(localHuman)
  const nextMs = performance.now() - againMs
  rows.push([
    name,
    inventory.toolCount.toLocaleString("en"),
    tokens({ tools: list("code") }),
    tokens({ tools: list("tools") }),
    tokens(instructionsText(inventory)),
    firstMs.toFixed(0),
    nextMs.toFixed(2),
    await everyTool(product),
  ])
  await product.core.close()
  rmSync(dataDir, { recursive: true })
}

/** As a client would be sent them: name, description and input schema. */
async function everyTool(product: Product): Promise<string> {
  const api = product.core.as(localHuman)
  const tools = (await api.tools.list()).filter((tool) => !tool.static)
  const step = Math.max(1, Math.floor(tools.length / sampleMax))
  const sample = tools.filter((_, index) => index % step === 0)
  let chars = 0
  for (const { address, description } of sample) {
    const schema = await api.tools.schema(address)
    const inputSchema = { ...schema?.inputSchema, ...(schema === null ? {} : { $defs: schema.schemaDefinitions }) }
    chars += JSON.stringify({ name: address, description, inputSchema }).length
  }
  const all = sample.length === 0 ? 0 : (chars / sample.length) * tools.length
  return Math.round(all / charsPerToken).toLocaleString("en")
}

function tokens(value: unknown): string {
  return Math.round(JSON.stringify(value).length / charsPerToken).toLocaleString("en")
}

/** Tools without a document: what matters here is how many there are. */
async function putTools({ store }: Product, name: string, count: number): Promise<void> {
  const slug = IntegrationSlug.make(name)
  const schema = JSON.stringify({ type: "object", properties: { id: { type: "string" }, limit: { type: "integer" } }, required: ["id"] })
  const tools = Array.from({ length: count }, (_, index) => ({
    name: ToolName.make(`group${index % 40}.operation${index}`),
    title: `Operation ${index}`,
    summary: "Does something",
    description: `Does something with a thing of ${name}, number ${index}`,
    effect: "read" as const,
    requiresApproval: false,
    approvalDescription: null,
    mayElicit: false,
    deprecated: false,
    tags: [],
    inputSchema: schema,
    outputSchema: null,
    binding: "{}",
  }))
  const id = sha256(name)
  const now = "2026-01-01T00:00:00.000Z"
  await store.toolSets.put(localHuman, { id, tools, definitions: new Map() })
  await store.integrations.put(localHuman, {
    slug,
    kind: "openapi",
    name,
    description: "",
    config: "{}",
    configRevisedAt: now,
    documentHash: null,
    toolSetId: id,
    toolSetSyncedAt: now,
    facts: "{}",
    createdAt: now,
  })
  await store.connections.put(localHuman, {
    integration: slug,
    owner: "org",
    name: ConnectionName.make("main"),
    template: "none",
    placements: "[]",
    bound: "[]",
    origins: "[]",
    status: "ready",
    error: null,
    toolSetId: id,
    toolsSyncedAt: now,
    changedTools: "[]",
    createdAt: now,
  })
}
