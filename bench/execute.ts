// Executions over HTTP, beside a bare Hono POST and a Hono proxy with undici in the same run.
import { readFileSync } from "node:fs"
import { median, quantile, repeat, table } from "./measure.ts"
import { send, startProduct, startServer } from "./product.ts"

const upstream = await startServer(["bench/execute-upstream.ts"])
const baseline = await startServer(["bench/execute-baseline.ts", upstream.url])
const product = await startProduct()
const { post, token } = product

const spec = {
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  servers: [{ url: upstream.url }],
  paths: { "/thing": { get: { operationId: "thing/get", responses: {} }, post: { operationId: "thing/make", responses: {} } } },
}
await post("/integrations", { slug: "t", kind: "openapi", config: { spec } })
await post("/connections", { integration: "t" })
await post("/policies", { owner: "org", pattern: "t.org.main.thing.make", action: "allow" })
await post("/connections", { integration: "t", name: "asks" })

const call = (count: number): string => `Promise.all(Array.from({ length: ${count} }, () => tools.t.org.main.thing.get()))`
const run = (code: string) => () => post("/executions", { code })
const read = run("return (await tools.t.org.main.thing.get()).data")
type Round = { readonly rate: number; readonly p50: number; readonly p99: number; readonly cpuMicros: number }
/** After one that only warms up. */
const roundsMeasured = 5
const rows: string[][] = []

const bare = { name: "bare Hono POST, token and JSON", work: () => send("POST", `${baseline.url}/echo`, { code: "return 1" }, token) }
const proxy = { name: "Hono proxy with undici", work: () => send("POST", `${baseline.url}/proxy`, {}, token) }
await measure("return 1", run("return 1"), [1, 8, 16, 64], 1500, bare)
await measure("one read, journaled", read, [1, 16, 64], 1000, proxy)
await measure("one durable write", run("return (await tools.t.org.main.thing.make()).data"), [1, 16, 64], 600)
await measure("50 calls in sequence", run("for (let i = 0; i < 50; i++) await tools.t.org.main.thing.get()"), [1], 1000)
await measure("50 calls in Promise.all", run(`return (await ${call(50)}).length`), [1], 1000)
const pausing = run("return (await tools.t.org.asks.thing.make()).data")
await measure("pause", pausing, [1, 16], 600)
await measureResume(0)
await measureResume(10)
await measureResume(100)

table(["what", "concurrency", "per second", "p50 ms", "p99 ms", "server cpu µs", "× baseline"], rows)
for (const one of [product, baseline, upstream]) await one.stop()

/** In turns with what it is compared with, because the machine is not equally fast all the time; medians of the rounds. */
async function measure(
  name: string,
  work: () => Promise<unknown>,
  concurrencies: readonly number[],
  ms: number,
  compared?: { readonly name: string; work(): Promise<unknown> },
): Promise<void> {
  for (const concurrency of concurrencies) {
    const rounds: Round[] = []
    const others: Round[] = []
    for (let round = 0; round <= roundsMeasured; round++) {
      if (compared) others.push(await measureRound(compared.work, concurrency, ms))
      rounds.push(await measureRound(work, concurrency, ms))
    }
    const ratios = rounds.map((one, index) => one.rate / (others[index]?.rate ?? 1))
    if (compared) addRow(`${compared.name} (baseline)`, concurrency, others.slice(1), "", "")
    const cpu = median(rounds.slice(1).map((one) => one.cpuMicros)).toFixed(0)
    addRow(name, concurrency, rounds.slice(1), cpu, compared ? median(ratios.slice(1)).toFixed(2) : "")
  }
}

async function measureRound(work: () => Promise<unknown>, concurrency: number, ms: number): Promise<Round> {
  const before = cpuMicros(product.pid)
  const startedMs = performance.now()
  const times = await repeat(work, concurrency, ms)
  const rate = (times.length / (performance.now() - startedMs)) * 1000
  return { rate, p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpuMicros: (cpuMicros(product.pid) - before) / times.length }
}

function addRow(name: string, concurrency: number, rounds: readonly Round[], cpu: string, ratio: string): void {
  const of = (field: keyof Round, digits: number): string => median(rounds.map((round) => round[field])).toFixed(digits)
  rows.push([name, String(concurrency), of("rate", 0), of("p50", 2), of("p99", 2), cpu, ratio])
}

async function measureResume(recorded: number): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < 30; i++) {
    const code = `for (let i = 0; i < ${recorded}; i++) await tools.t.org.main.thing.get(); return (await tools.t.org.asks.thing.make()).data`
    const { executionId } = (await post("/executions", { code })) as { executionId: string }
    const startedMs = performance.now()
    await post(`/executions/${executionId}/resume`, { action: "accept" })
    times.push(performance.now() - startedMs)
  }
  rows.push([`resume after ${recorded} recorded calls`, "1", "", quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2), "", ""])
}

/** User and system time of a process, all threads. */
function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
