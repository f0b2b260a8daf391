// Ten thousand paused executions: what they hold in memory, how fast the inbox pages, and how fast any one resumes.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import { median, quantile, table, timed } from "./measure.ts"

const count = Number(process.argv[2] ?? 10_000)
/** The first ones warm up the process; what the later ones add is what a paused execution holds. */
const portions = 5
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { "content-type": "application/json" }).end("{}")
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const executor = await createExecutor({ dataDir })
await executor.integrations.add({
  slug: "t",
  kind: "openapi",
  config: {
    spec: {
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      servers: [{ url }],
      paths: { "/thing": { post: { operationId: "thing/make", responses: {} } } },
    },
  },
})
await executor.connections.create({ integration: "t" })

const pauseOne = (): Promise<string> => executor.run("return (await tools.t.thing.make()).ok").then((run) => run.executionId)
const ids: string[] = []
const memory: string[] = []
const startedMs = performance.now()
for (let portion = 1; portion <= portions; portion++) {
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (ids.length < (count * portion) / portions) ids.push(await pauseOne())
    }),
  )
  memory.push(`${ids.length}: ${rss()} MB`)
}
const pausedMs = performance.now() - startedMs

const pages: number[] = []
for (let cursor: string | undefined, n = 0; n < 50; n++) {
  pages.push(
    await timed(async () => {
      const page = await executor.approvals.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) })
      cursor = page.nextCursor ?? undefined
    }),
  )
}
const resumes: number[] = []
for (let n = 0; n < 50; n++) {
  const id = ids[Math.floor((n * ids.length) / 50)] ?? ""
  resumes.push(await timed(() => executor.resume(id, { action: "accept" })))
}
table(
  ["what", "value"],
  [
    [`${ids.length} pauses`, `${((ids.length / pausedMs) * 1000).toFixed(0)} a second`],
    ["RSS after so many", memory.join(", ")],
    ["a page of 100 approvals", `p50 ${median(pages).toFixed(2)} ms, p99 ${quantile(pages, 0.99).toFixed(2)} ms`],
    ["resume of any one", `p50 ${median(resumes).toFixed(2)} ms, p99 ${quantile(resumes, 0.99).toFixed(2)} ms`],
  ],
)
await executor.close()
server.close()
rmSync(dataDir, { recursive: true })

function rss(): number {
  return Math.round(process.memoryUsage().rss / 1_000_000)
}
