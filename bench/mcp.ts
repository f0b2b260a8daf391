// `execute` of `return 1` over MCP, in both eras and over stdio, beside `POST /api/executions` in the same run; then what sessions cost that nobody ends.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { quantile, repeat, table } from "./measure.ts"

const seconds = Number(process.env["BENCH_SECONDS"] ?? 2.5)
const root = join(import.meta.dirname, "..")
const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
const environment = { PATH: process.env["PATH"] ?? "", EXECUTOR_DATA_DIR: dataDir, EXECUTOR_LOG: "error" }
const product = await startServer()
const token = readFileSync(join(dataDir, "token"), "utf8").trim()
const authorization = `Bearer ${token}`
const rows: string[][] = []

const api = await measure("POST /api/executions", () => post(`${product.url}/api/executions`, { code: "return 1" }))
const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }
const call = { name: "execute", arguments: { code: "return 1" } }
await measure(
  "MCP 2026-07-28, plain HTTP",
  () =>
    post(
      `${product.url}/mcp`,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...call, _meta: meta } },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "execute" },
    ),
  api,
)
for (const [name, mode] of [
  ["MCP 2026-07-28, official client", "auto"],
  ["MCP 2025-11-25, official client", "legacy"],
] as const) {
  const client = newClient(mode)
  await client.connect(newHttp())
  await measure(name, () => client.callTool(call), api)
  await client.close()
}
for (const [name, mode] of [
  ["MCP 2026-07-28 over stdio", "auto"],
  ["MCP 2025-11-25 over stdio", "legacy"],
] as const) {
  const client = newClient(mode)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, "bin/executor.js"), "mcp"],
      env: environment,
      stderr: "ignore",
    }),
  )
  await measure(name, () => client.callTool(call), api)
  await client.close()
}
table(["what", "concurrency", "per second", "p50 ms", "p99 ms", "× API"], rows)
await measureSessions()
product.stop()
rmSync(dataDir, { recursive: true, force: true })

/** Clients that come, ask once and leave without a word. */
async function measureSessions(): Promise<void> {
  const leave = async (): Promise<void> => {
    const client = newClient("legacy")
    await client.connect(newHttp())
    await client.callTool(call)
    await client.close()
  }
  const rss: string[][] = []
  for (let round = 0; round <= 4; round += 1) {
    if (round > 0) for (let made = 0; made < 500; made += 1) await leave()
    rss.push([String(round * 500), rssMegabytes(product.pid).toFixed(0)])
  }
  table(["sessions opened and abandoned", "server RSS, MB"], rss)
}

function newClient(mode: "auto" | "legacy"): Client {
  return new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode } })
}

function newHttp(): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${product.url}/mcp`), { requestInit: { headers: { authorization } } })
}

async function measure(name: string, work: () => Promise<unknown>, compared?: ReadonlyMap<number, number>): Promise<Map<number, number>> {
  const rates = new Map<number, number>()
  for (const concurrency of [1, 16]) {
    await repeat(work, concurrency, 300)
    const startedMs = performance.now()
    const times = await repeat(work, concurrency, seconds * 1000)
    const rate = (times.length / (performance.now() - startedMs)) * 1000
    rates.set(concurrency, rate)
    const base = compared?.get(concurrency)
    rows.push([
      name,
      String(concurrency),
      rate.toFixed(0),
      quantile(times, 0.5).toFixed(2),
      quantile(times, 0.99).toFixed(2),
      base === undefined ? "" : (rate / base).toFixed(2),
    ])
  }
  return rates
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const accept = "application/json, text/event-stream"
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept, authorization, ...headers },
    body: JSON.stringify(body),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${url}: ${answer}`)
  return answer
}

function rssMegabytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+) kB/)?.[1] ?? Number.NaN) / 1024
}

async function startServer(): Promise<{ url: string; pid: number; stop(): void }> {
  const child = spawn(process.execPath, [join(root, "bin/executor.js"), "serve", "--port", "0"], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const found = chunk.toString().match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.once("exit", () => reject(new Error("The server ended")))
  })
  return { url, pid: child.pid ?? 0, stop: () => void child.kill() }
}
