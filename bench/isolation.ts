// A well-behaved client beside hostile code, case by case: its latency against a quiet server, and what the server holds afterwards.
import { readFileSync, writeFileSync } from "node:fs"
import { hostileCode } from "../src/sandbox/testing/hostile-code.ts"
import { median, quantile, repeat, table } from "./measure.ts"
import { startProduct, startServer } from "./product.ts"

/** How long each case is kept up. */
const caseMs = Number(process.env["BENCH_MS"] ?? 2000)
const hostileAtOnce = 2
/** A quiet server gives memory back after some seconds. */
const settleMs = 15_000
const only = process.argv[2]
/** Each one waits for as long as it may, with all pages of its memory in use. */
const holding = {
  name: "60 executions of one agent that wait with 45 MB each",
  count: 60,
  code: "const a = new Uint8Array(45e6); for (let i = 0; i < a.length; i += 4096) a[i] = 1; await new Promise(r => setTimeout(r, 590000))",
}
const held: string[] = []

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
if (only === undefined || holding.name.includes(only)) await besideHeldMemory()
await new Promise((resolve) => setTimeout(resolve, settleMs))
const calm = await repeat(behaved, 2, 3 * caseMs)
rows.push(["nothing, afterwards", ms(median(calm)), ms(quantile(calm, 0.99)), ratio(calm), String(rss())])
table(["beside", "p50 ms", "p99 ms", "× quiet p99", "server RSS MB"], rows)
if (held.length > 0) process.stdout.write(`\n${held.join("\n")}\n`)
await product.stop()
await upstream.stop()

/** All come at once and stay; then they are cancelled together. */
async function besideHeldMemory(): Promise<void> {
  const before = rss()
  forgetPeak()
  const runs = Array.from({ length: holding.count }, () =>
    product.post("/executions", { code: holding.code, timeoutMs: 600_000 }, hostileToken).catch(() => {}),
  )
  const coming = await repeat(behaved, 2, 5 * caseMs)
  const staying = await repeat(behaved, 2, caseMs)
  rows.push([`${holding.name}, coming`, ms(median(coming)), ms(quantile(coming, 0.99)), ratio(coming), String(rss())])
  rows.push([`${holding.name}, staying`, ms(median(staying)), ms(quantile(staying, 0.99)), ratio(staying), String(rss())])
  const ids = await waitingIds()
  held.push(
    `${ids.length} of ${holding.count} wait. RSS before: ${before} MB, at the most: ${status("VmHWM")} MB, while they wait: ${rss()} MB`,
  )
  await Promise.all(ids.map((id) => product.post(`/executions/${id}/cancel`, {}).catch(() => {})))
  await Promise.all(runs)
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  held.push(`RSS ${settleMs / 1000} s after they were cancelled: ${rss()} MB`)
}

/** The kernel's count of the most that the server ever held begins again. */
function forgetPeak(): void {
  writeFileSync(`/proc/${product.pid}/clear_refs`, "5")
}

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
  for (const id of await waitingIds()) await product.post(`/executions/${id}/cancel`, {}).catch(() => {})
}

async function waitingIds(): Promise<string[]> {
  const { items } = (await product.get("/executions?status=running&limit=100")) as { items: readonly { executionId: string }[] }
  return items.map(({ executionId }) => executionId)
}

function ratio(times: readonly number[]): string {
  return (quantile(times, 0.99) / quantile(quiet, 0.99)).toFixed(1)
}

function ms(value: number): string {
  return value.toFixed(2)
}

function rss(): number {
  return status("VmRSS")
}

/** In megabytes. */
function status(field: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${product.pid}/status`, "utf8"))
  return Math.round(Number(line?.[1] ?? Number.NaN) / 1024)
}
