// Memory over many executions: a hundred thousand through the product, with calls, logs, failures and pauses among them.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import { table } from "./measure.ts"

const total = Number(process.argv[2] ?? 100_000)
const concurrency = 32
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}')
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const executor = await createExecutor({ dataDir })
const answers = { responses: {} }
const spec = {
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  servers: [{ url }],
  paths: { "/thing": { get: { operationId: "thing/get", ...answers }, post: { operationId: "thing/make", ...answers } } },
}
await executor.integrations.add({ slug: "t", kind: "openapi", config: { spec } })
await executor.connections.create({ integration: "t" })

const codes = [
  "return 1",
  "return (await tools.t.thing.get()).data",
  "console.log('x'.repeat(100)); throw new Error('no')",
  "return (await Promise.all([1, 2, 3].map(() => tools.t.thing.get()))).length",
  "return (await tools.search({ query: 'thing' })).total",
]
const rows: string[][] = []
const startedMs = performance.now()
let done = 0
let shown = 0
show()
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    while (done < total) {
      const at = done++
      const pauses = at % 100 === 0
      const { executionId } = await executor.run(pauses ? "return (await tools.t.thing.make()).ok" : (codes[at % codes.length] ?? ""))
      if (pauses) await executor.resume(executionId, { action: at % 200 === 0 ? "accept" : "decline" })
      if (done >= shown + total / 10) show()
    }
  }),
)
table(["executions", "RSS MB", "heap MB", "external MB", "a second so far"], rows)
await executor.close()
server.close()
rmSync(dataDir, { recursive: true })

function show(): void {
  shown = done
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
  const rate = done === 0 ? "" : ((done / (performance.now() - startedMs)) * 1000).toFixed(0)
  rows.push([String(done), megabytes(rss), megabytes(heapUsed), megabytes(external), rate])
}
