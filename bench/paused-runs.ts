// Ten thousand runs of an agent that wait for a human: what they hold in memory, and how fast another node resumes any one.
//
// `node --expose-gc bench/paused-runs.ts [count]`. The baseline is a run that does not pause: what the model and the call take anyway.
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import { startModelServer } from "../test/servers/model.ts"
import { median, quantile, table, timed } from "./measure.ts"

const count = Number(process.argv[2] ?? 10_000)
/** The first ones warm up the process; what the later ones add is what a waiting run holds. */
const portions = 5
const resumed = 50
const megabyte = 1024 * 1024

const upstream = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { "content-type": "application/json" }).end("{}")
})
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` // it listens on a port
const asked = { ms: [] as number[] }
const model = await startModelServer((request) => {
  // Keeping every conversation here would be counted as the product's memory.
  model.requests.length = 0
  const name = request.tools.find((one) => one.endsWith(request.userText))
  return request.outputs.length > 0 || name === undefined ? { text: "Done." } : { calls: [{ name, arguments: {} }] }
})

const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const node = await createExecutor({ dataDir })
const operation = (operationId: string) => ({ operationId, responses: { 200: { description: "ok" } } })
await node.integrations.add({
  slug: "things",
  kind: "openapi",
  config: {
    spec: {
      openapi: "3.1.0",
      info: { title: "Things", version: "1" },
      servers: [{ url: origin }],
      paths: { "/thing": { post: operation("thing/make"), get: operation("thing/read") } },
    },
  },
})
await node.connections.create({ integration: "things" })
await node.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
const made = await node.agents.create({
  slug: "waiter",
  name: "Waiter",
  instructions: "Wait.",
  model: { provider: "local", name: "scripted" },
  tools: ["things.**"],
})
await node.agents.publish(made.id)

const ids: string[] = []
const memory: string[] = []
const startedMs = performance.now()
for (let portion = 1; portion <= portions; portion += 1) {
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (ids.length < (count * portion) / portions) {
        const reply = await node.agents.run("waiter", { text: "make" })
        if (reply.status !== "paused") throw new Error(`A run did not wait: ${reply.text}`)
        ids.push(reply.runId)
      }
    }),
  )
  memory.push(`${ids.length}: ${heapMb()} / ${rssMb()} MB`)
}
const pausedMs = performance.now() - startedMs
const bytes = statSync(join(dataDir, "executor.db")).size

const other = await createExecutor({ dataDir })
for (let n = 0; n < 10; n += 1) await other.agents.run("waiter", { text: "read" })
const whole: number[] = []
const answering: number[] = []
for (let n = 0; n < resumed; n += 1) {
  asked.ms.push(await timed(() => askModel()))
  whole.push(await timed(() => other.agents.run("waiter", { text: "read" })))
  const id = ids[Math.floor((n * ids.length) / resumed)] ?? ""
  answering.push(
    await timed(async () => {
      const reply = await other.resume(id, { action: "accept" })
      if (reply.status !== "completed") throw new Error(`A run did not end: ${reply.text}`)
    }),
  )
}
const spent = (times: readonly number[]): string => `p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`
table(
  ["what", "value"],
  [
    [`${ids.length} runs that wait`, `${((ids.length / pausedMs) * 1000).toFixed(0)} a second`],
    ["heap / RSS after so many", memory.join(", ")],
    ["database, for each of them", `${(bytes / ids.length / 1024).toFixed(1)} KiB`],
    ["the model alone", spent(asked.ms)],
    ["a run that does not wait: two questions, one call", spent(whole)],
    ["resume of any one on another node: one question, one call", spent(answering)],
    ["resume without the model", `p50 ${(median(answering) - median(asked.ms)).toFixed(2)} ms`],
  ],
)
await other.close()
await node.close()
await model.close()
upstream.closeAllConnections()
upstream.close()
rmSync(dataDir, { recursive: true })

/** As the run asks it, once. */
async function askModel(): Promise<void> {
  const response = await fetch(`${model.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", stream: true, messages: [{ role: "user", content: "none" }] }),
  })
  await response.text()
}

function heapMb(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / megabyte)
}
function rssMb(): number {
  return Math.round(process.memoryUsage().rss / megabyte)
}
