// Executions over HTTP, beside a bare Hono POST and a Hono proxy with undici in the same run.
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Agent, request } from "undici"
import { quantile, repeat, table } from "./measure.ts"

const root = join(import.meta.dirname, "..")
const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const upstream = await start(["bench/execute-upstream.ts"], {})
const baseline = await start(["bench/execute-baseline.ts", upstream.url], {})
const product = await start(["bin/executor.js", "serve", "--port", "0"], { EXECUTOR_DATA_DIR: dataDir, EXECUTOR_LOG: "error" })
const token = readFileSync(join(dataDir, "token"), "utf8").trim()
const dispatcher = new Agent({ connections: 128 })

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
const rows: string[][] = []

const bare = await measure(
  "bare Hono POST, token and JSON (baseline)",
  () => send(`${baseline.url}/echo`, { code: "return 1" }),
  [1, 16, 64],
)
await measure("return 1", run("return 1"), [1, 8, 16, 64], bare)
const proxy = await measure("Hono proxy with undici (baseline)", () => send(`${baseline.url}/proxy`, {}), [1, 16, 64])
await measure("one read, journaled", read, [1, 16, 64], proxy)
await measure("one durable write", run("return (await tools.t.org.main.thing.make()).data"), [1, 16, 64])
await measure("50 calls in sequence", run("for (let i = 0; i < 50; i++) await tools.t.org.main.thing.get()"), [1])
await measure("50 calls in Promise.all", run(`return (await ${call(50)}).length`), [1])
const pausing = run("return (await tools.t.org.asks.thing.make()).data")
await measure("pause", pausing, [1, 16])
await measureResume(0)
await measureResume(10)
await measureResume(100)

table(["what", "concurrency", "per second", "p50 ms", "p99 ms", "server cpu µs", "× baseline"], rows)
for (const one of [product, baseline, upstream]) one.stop()
await dispatcher.close()
rmSync(dataDir, { recursive: true })

async function measure(
  name: string,
  work: () => Promise<unknown>,
  concurrencies: readonly number[],
  compared?: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const rates = new Map<number, number>()
  for (const concurrency of concurrencies) {
    await repeat(work, concurrency, 400)
    const before = cpuMicros(product.pid)
    const startedMs = performance.now()
    const times = await repeat(work, concurrency, 2500)
    const rate = (times.length / (performance.now() - startedMs)) * 1000
    rates.set(concurrency, rate)
    const base = compared?.get(concurrency)
    const cpu = (cpuMicros(product.pid) - before) / times.length
    rows.push([
      name,
      String(concurrency),
      rate.toFixed(0),
      quantile(times, 0.5).toFixed(2),
      quantile(times, 0.99).toFixed(2),
      name.includes("baseline") ? "" : cpu.toFixed(0),
      base === undefined ? "" : (rate / base).toFixed(2),
    ])
  }
  return rates
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

function post(path: string, body: unknown): Promise<unknown> {
  return send(`${product.url}/api${path}`, body)
}

async function send(url: string, body: unknown): Promise<unknown> {
  const response = await request(url, {
    method: "POST",
    dispatcher,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.body.json()
  if (response.statusCode >= 400) throw new Error(`${url}: ${JSON.stringify(answer)}`)
  return answer
}

/** User and system time of a process, all threads. */
function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

async function start(args: readonly string[], env: Record<string, string>): Promise<{ url: string; pid: number; stop(): void }> {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      const found = chunk.toString().match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended`)))
  })
  return { url, pid: child.pid ?? 0, stop: () => void child.kill() }
}
