// Imports and refreshes survive kill -9 in the middle: the store opens every time, and no catalog is half-written.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startProduct } from "../e2e/product.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"

const rounds = process.env["EXECUTOR_CHAOS_FULL"] === undefined ? 20 : 200
const toolsPerVersion = 300
const dataDir = mkdtempSync(join(tmpdir(), "executor-chaos-"))
let source: Listening
let version = 0

/** Every version has as many tools, each named after it: a mixture of two would show. */
const documentOf = (n: number): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Chaos", version: String(n) },
    servers: [{ url: "https://example.com" }],
    components: { schemas: { Thing: { type: "object", properties: { [`v${n}`]: { type: "string" } } } } },
    paths: Object.fromEntries(
      Array.from({ length: toolsPerVersion }, (_, i) => [
        `/v${n}/${i}`,
        {
          get: {
            operationId: `v${n}/op${i}`,
            responses: { 200: { description: "", content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } },
          },
        },
      ]),
    ),
  })

beforeAll(async () => {
  source = await listen(
    createServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end(documentOf(version++))),
  )
})
afterAll(async () => {
  await source.close()
  rmSync(dataDir, { recursive: true })
})

test(`${rounds} rounds`, async () => {
  for (let round = 0; round < rounds; round++) {
    const product = await startProduct({ dataDir })
    const work = churn(product.client, round)
    await untilFetched(version + 1 + (round % 4))
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 300))
    await product.kill("SIGKILL")
    await work
    checkStore()
  }
  const product = await startProduct({ dataDir })
  const tools = await product.client.tools.list({ integration: "steady" })
  expect(tools).toHaveLength(toolsPerVersion)
  await product.kill("SIGTERM")
}, 1_800_000)

/** In the middle of the work, however fast the machine is. */
async function untilFetched(count: number): Promise<void> {
  const deadline = Date.now() + 20_000
  const isFetched = (): boolean => version >= count
  while (!isFetched() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 3))
}

/** Until the server is gone. */
async function churn(client: Awaited<ReturnType<typeof startProduct>>["client"], round: number): Promise<void> {
  try {
    if (round === 0 || (await client.integrations.list()).items.every((row) => row.slug !== "steady")) {
      await client.integrations.add({ slug: "steady", kind: "openapi", config: { spec: `${source.url}/doc` } })
    }
    const connected = (await client.connections.list({ integration: "steady" })).items
    if (connected.length === 0) await client.connections.create({ integration: "steady" })
    for (let i = 0; ; i++) {
      await client.connections.refresh({ integration: "steady", owner: "org", name: "main" })
      await client.integrations.add({ slug: `extra_${round}_${i}`, kind: "openapi", config: { spec: `${source.url}/doc` } })
      await client.connections.create({ integration: `extra_${round}_${i}` })
      await client.integrations.remove(`extra_${round}_${i}`)
    }
  } catch {
    // The server was killed in the middle of a request, which is the point.
  }
}

function checkStore(): void {
  const database = new DatabaseSync(join(dataDir, "executor.db"), { readOnly: false })
  try {
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
    const sets = database
      .prepare(
        "SELECT tool_set_id, count(*) AS n, count(DISTINCT substr(name, 1, instr(name, '.'))) AS versions FROM tools GROUP BY tool_set_id",
      )
      .all()
    for (const set of sets) expect(set).toMatchObject({ n: toolsPerVersion, versions: 1 })
    const known = new Set(sets.map((set) => set["tool_set_id"]))
    for (const row of database.prepare("SELECT tool_set_id FROM connections WHERE tool_set_id IS NOT NULL").all())
      expect(known).toContain(row["tool_set_id"])
    for (const row of database.prepare("SELECT tool_set_id FROM integrations WHERE tool_set_id IS NOT NULL").all())
      expect(known).toContain(row["tool_set_id"])
    const dangling = database
      .prepare(
        "SELECT count(*) AS n FROM tools t LEFT JOIN schemas s ON s.tenant_id = t.tenant_id AND s.schema_hash = t.input_schema_hash WHERE s.schema_hash IS NULL",
      )
      .get()
    expect(dangling).toEqual({ n: 0 })
  } finally {
    database.close()
  }
  expect(readFileSync(join(dataDir, "token"), "utf8").trim()).toMatch(/^exh_/)
}
