// How long the command line takes: the help, and a call through a running server; built, as users have it.
//
//   npm run build && node bench/cli.ts
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startOrdersApi } from "../examples/openapi-quickstart/orders-api.ts"

const bin = join(import.meta.dirname, "..", "bin", "executor.js")
const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-cli-"))
const env = { ...process.env, EXECUTOR_DATA_DIR: dataDir }
const rounds = 15

async function run(args: readonly string[], stdin = ""): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ["pipe", "ignore", "inherit"] })
  child.stdin.end(stdin)
  const code = await new Promise((resolve) => child.once("exit", resolve))
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${String(code)}`)
  return performance.now() - start
}

async function measure(name: string, goalMs: number | null, args: readonly string[]): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await run(args))
  times.sort((a, b) => a - b)
  const [least = 0, median = 0] = [times[0], times[rounds >> 1]]
  const goal = goalMs === null ? "" : `   goal ${goalMs} ms`
  process.stdout.write(`${name.padEnd(34)} least ${least.toFixed(0).padStart(5)} ms   median ${median.toFixed(0).padStart(5)} ms${goal}\n`)
}

const api = await startOrdersApi("demo")
await measure("executor --help", 150, ["--help"])
await run(["integrations", "add", `${api.url}/openapi.json`, "--slug", "orders"])
await run(["connections", "add", "orders", "--secret-stdin"], "demo")
await measure("executor call, without a server", null, ["call", "orders.orders.list"])
const server = spawn(process.execPath, [bin, "serve", "--port", "0"], { env, stdio: ["ignore", "pipe", "inherit"] })
await new Promise<void>((resolve) => server.stdout.on("data", (chunk: Buffer) => chunk.includes("Ctrl-C") && resolve()))
await measure("executor call, through a server", 400, ["call", "orders.orders.list"])
await measure("executor call with --arg", 400, ["call", "orders.orders.list", "--arg", "item=tea"])
const ended = new Promise((resolve) => server.once("exit", resolve))
server.kill("SIGTERM")
await ended
await api.close()
rmSync(dataDir, { recursive: true, force: true })
