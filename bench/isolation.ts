// A well-behaved client beside hostile code, case by case: its latency against a quiet server, and what the server holds afterwards.
import { readFileSync } from "node:fs"
import { hostileCode } from "../src/sandbox/hostile-code.ts"
import { median, quantile, repeat, table } from "./measure.ts"
import { startProduct, startServer } from "./product.ts"

/** How long each case is kept up. */
const caseMs = Number(process.env["BENCH_MS"] ?? 2000)
const hostileAtOnce = 2
/** A quiet server gives memory back after some seconds. */
const settleMs = 15_000
const only = process.argv[2]

const upstream = await startServer(["bench/execute-upstream.ts"])
const product = await startProduct()
const spec = {
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  servers: [{ url: upstream.url }],
  paths: { "/thing": { get: { operationId: "thing/get", responses: {} } } },
}
await product.post("/integrations", { slug: "t", kind: "openapi", config: { spec } })
await product.post("/connections", { integration: "t" })
const { token: hostileToken } = (await product.post("/tokens", { name: "hostile", kind: "agent" })) as { token: string }

const behaved = (): Promise<unknown> => product.post("/executions", { code: "return 1" })
const rows: string[][] = []
await repeat(behaved, 2, 3000)
const quiet = await repeat(behaved, 2, 3 * caseMs)
const rssBefore = rss()
rows.push(["nothing (baseline)", ms(median(quiet)), ms(quantile(quiet, 0.99)), "1.0", String(rssBefore)])

for (const { name, code } of hostileCode) {
  if (only !== undefined && !name.includes(only)) continue
  const times = await beside(code.replaceAll(/tools\.(?:quick|slow)\(/g, "tools.t.org.main.thing.get("))
  const p99 = quantile(times, 0.99)
  rows.push([name, ms(median(times)), ms(p99), (p99 / quantile(quiet, 0.99)).toFixed(1), String(rss())])
}
await new Promise((resolve) => setTimeout(resolve, settleMs))
const calm = await repeat(behaved, 2, 3 * caseMs)
rows.push(["nothing, afterwards", ms(median(calm)), ms(quantile(calm, 0.99)), ratio(calm), String(rss())])
table(["beside", "p50 ms", "p99 ms", "× quiet p99", "server RSS MB"], rows)
await product.stop()
await upstream.stop()

/** The hostile code runs again as soon as it has ended, and is cancelled when its time is up. */
async function beside(code: string): Promise<number[]> {
  const endMs = performance.now() + caseMs
  const keepUp = async (): Promise<void> => {
    while (performance.now() < endMs) await product.post("/executions", { code, timeoutMs: 60_000 }, hostileToken).catch(() => {})
  }
  const hostile = Promise.all(Array.from({ length: hostileAtOnce }, keepUp))
  const times = await repeat(behaved, 2, caseMs)
  // One that has just begun is listed a moment later.
  const cancelling = setInterval(() => void cancelAll(), 300)
  await hostile
  clearInterval(cancelling)
  return times
}

async function cancelAll(): Promise<void> {
  const { items } = (await product.get("/executions?status=running&limit=100")) as { items: readonly { executionId: string }[] }
  for (const { executionId } of items) await product.post(`/executions/${executionId}/cancel`, {}).catch(() => {})
}

function ratio(times: readonly number[]): string {
  return (quantile(times, 0.99) / quantile(quiet, 0.99)).toFixed(1)
}

function ms(value: number): string {
  return value.toFixed(2)
}

function rss(): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${product.pid}/status`, "utf8"))
  return Math.round(Number(line?.[1] ?? Number.NaN) / 1024)
}
