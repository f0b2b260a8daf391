// What registry tools cost, each beside the same work without the registry, in turns in the same run.
//
// A call of an `http` tool beside the same call through an OpenAPI connection, a `custom` tool beside an execution of the
// same code, a synchronous function beside a bare round trip to a worker thread, and 50,000 tools in lists and searches
// beside 50,000 imported ones.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { createExecutor } from "toolplane"
import { registryFunctions } from "./registry-functions.ts"
import { openCatalogs } from "./registry-catalog.ts"
import { median, quantile, table, timed } from "./measure.ts"

const rounds = 1500
const server = createServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"id":1,"name":"thing"}'))
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const executor = await createExecutor({ dataDir, functions: registryFunctions })

const id = { type: "integer" }
const responses = { 200: { description: "ok" } }
const parameters = [{ name: "id", in: "path", required: true, schema: id }]
await executor.integrations.add({
  slug: "things",
  kind: "openapi",
  config: {
    spec: {
      openapi: "3.1.0",
      info: { title: "Things", version: "1" },
      servers: [{ url: origin }],
      paths: { "/things/{id}": { get: { operationId: "things/get", parameters, responses } } },
    },
  },
})
await executor.connections.create({ integration: "things" })

const input = { type: "object", properties: { id }, required: ["id"] }
async function publish(slug: string, implementationType: string, implementationConfig: Record<string, unknown>): Promise<void> {
  const made = await executor.registry.create({
    name: slug,
    slug,
    description: `The ${implementationType} tool of the benchmark`,
    schema: { input },
    implementationType,
    implementationConfig,
  })
  await executor.registry.publish(made.id)
}
const code = "let sum = 0\nfor (let n = 0; n < 100; n += 1) sum += n\nreturn sum"
await publish("thing", "http", { method: "GET", url: `${origin}/things/{id}` })
await publish("sum", "custom", { code })
await publish("double", "function", { function_name: "double" })

const worker = new Worker(
  "require('node:worker_threads').parentPort.on('message', (m) => require('node:worker_threads').parentPort.postMessage(m.id * 2))",
  {
    eval: true,
  },
)
const roundTrip = (): Promise<void> =>
  new Promise((resolve) => {
    worker.once("message", () => resolve())
    worker.postMessage({ id: 1 }, [])
  })
const call = (address: string) => async (): Promise<void> => {
  const result = await executor.execute(address, { id: 1 })
  if (!result.ok) throw new Error(result.error.message)
}
const run = async (): Promise<void> => {
  const { isError, text } = await executor.run(code)
  if (isError) throw new Error(text)
}

type Work = () => Promise<unknown>
type Comparison = {
  readonly what: string
  readonly baseline: Work
  readonly registry: Work
  readonly times: number
  readonly allowed: Allowed
}
type Allowed = { readonly ratio: number } | { readonly aboveMs: number }

const catalogs = await openCatalogs(50_000)
const queries = ["list the invoices", "delete a label", "create an order in area 7", "who is in a team"]
type Api = typeof catalogs.imported.member
/** Each asks the same questions in the same order. */
const search = (api: Api): Work => {
  let asked = 0
  return () => api.tools.search({ query: queries[asked++ % queries.length] ?? "" })
}
const page = (api: Api) => (): Promise<unknown> => api.tools.page({}, { limit: 100 })
const all = (api: Api) => (): Promise<unknown> => api.tools.list({})
const ofCatalogs = { ratio: 1.2 }
const catalogRows = (["member", "editor"] as const).flatMap((who): Comparison[] => {
  const [imported, made] = [catalogs.imported[who], catalogs.registry[who]]
  return [
    { what: `search, 50,000 tools, ${who}`, baseline: search(imported), registry: search(made), times: 300, allowed: ofCatalogs },
    { what: `a page of 100 of 50,000, ${who}`, baseline: page(imported), registry: page(made), times: 300, allowed: ofCatalogs },
    { what: `all 50,000, ${who}`, baseline: all(imported), registry: all(made), times: 5, allowed: ofCatalogs },
  ]
})

const comparisons: readonly Comparison[] = [
  {
    what: "http tool / OpenAPI call",
    baseline: call("things.things.get"),
    registry: call("registry.thing"),
    times: rounds,
    allowed: { ratio: 1.15 },
  },
  {
    what: "custom tool / execution of the same code",
    baseline: run,
    registry: call("registry.sum"),
    times: rounds,
    allowed: { ratio: 1.3 },
  },
  {
    what: "synchronous function / worker round trip",
    baseline: roundTrip,
    registry: call("registry.double"),
    times: rounds,
    allowed: { aboveMs: 0.3 },
  },
  ...catalogRows,
]

const rows: string[][] = []
for (const { what, baseline, registry, times, allowed } of comparisons) {
  const [before, after]: [number[], number[]] = [[], []]
  for (let round = -Math.ceil(times / 10); round < times; round += 1) {
    // Whoever is first in a turn changes, so that neither finds the other's caches warm every time.
    for (const [work, kept] of round % 2 === 0
      ? ([
          [baseline, before],
          [registry, after],
        ] as const)
      : ([
          [registry, after],
          [baseline, before],
        ] as const)) {
      const ms = await timed(work)
      if (round >= 0) kept.push(ms)
    }
  }
  const [base, own] = [median(before), median(after)]
  const isMet = "ratio" in allowed ? own / base <= allowed.ratio : own - base <= allowed.aboveMs
  const limit = "ratio" in allowed ? `≤ ${allowed.ratio}×` : `≤ ${allowed.aboveMs} ms above`
  rows.push([
    what,
    base.toFixed(3),
    own.toFixed(3),
    quantile(after, 0.99).toFixed(3),
    (own / base).toFixed(2),
    (own - base).toFixed(3),
    limit,
    isMet ? "met" : "missed",
  ])
}
table(["what", "baseline p50 ms", "registry p50 ms", "registry p99 ms", "× baseline", "ms above", "target", ""], rows)

await worker.terminate()
await catalogs.close()
await executor.close()
server.close()
rmSync(dataDir, { recursive: true })
