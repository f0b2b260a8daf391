// The longest turn of the server's event loop during a request, route by route on 100,000 tools, beside a request that does nothing.
//
// `node bench/turns.ts [part of a name]`; BENCH_SOURCES and BENCH_TOOLS make the catalog smaller, BENCH_MS bounds each request.
import { spawn } from "node:child_process"
import { EventEmitter, once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { heldMark } from "../test/servers/thread-watch.ts"
import type { Held } from "../test/servers/thread-watch.ts"
import { table } from "./measure.ts"
import { documentOf, evaluationCases, largeAnswer, longQuery } from "./turns-catalog.ts"

const root = process.env["BENCH_ROOT"] ?? join(import.meta.dirname, "..")
const sources = Number(process.env["BENCH_SOURCES"] ?? 5)
const toolsEach = Number(process.env["BENCH_TOOLS"] ?? 20_000)
/** A request that takes longer is given up. */
const requestMsMax = Number(process.env["BENCH_MS"] ?? 30_000)
const only = process.argv[2] ?? ""
const megabyte = 1024 * 1024
const answer = largeAnswer()

const upstream = createServer((request, response) => {
  const source = /^\/spec(\d+)\.json/.exec(request.url ?? "")?.[1]
  response.setHeader("content-type", "application/json")
  response.end(source === undefined ? answer : JSON.stringify(documentOf(Number(source), toolsEach, upstreamUrl)))
}).listen(0, "127.0.0.1")
await once(upstream, "listening")
const upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` // it listens on TCP

const dataDir = mkdtempSync(join(tmpdir(), "executor-turns-"))
const watch = join(import.meta.dirname, "../test/servers/thread-watch.ts")
const server = spawn(
  process.execPath,
  ["--max-semi-space-size=32", "--import", watch, join(root, "bin/executor.js"), "serve", "--port", "0"],
  {
    cwd: root,
    env: { PATH: process.env["PATH"], MALLOC_ARENA_MAX: "2", EXECUTOR_DATA_DIR: dataDir, EXECUTOR_LOG: "error", THREAD_WATCH: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  },
)
const reports = new EventEmitter()
const url = await new Promise<string>((resolve, reject) => {
  createInterface(server.stdout).on("line", (line) => {
    const found = line.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
    if (found !== undefined) resolve(found)
    if (line.startsWith(heldMark)) reports.emit("held", JSON.parse(line.slice(heldMark.length)))
  })
  server.once("exit", () => reject(new Error("The server ended")))
})
const token = readFileSync(join(dataDir, "token"), "utf8").trim()
const rows: string[][] = []

try {
  await measureAll()
} finally {
  table(["request", "longest turn, CPU ms", "wall ms", "whole request, ms", "answer"], rows)
  server.kill()
  upstream.close()
  await once(server, "exit")
  rmSync(dataDir, { recursive: true })
}

async function measureAll(): Promise<void> {
  await measure("nothing: GET /health (baseline)", "GET", "/api/health")
  for (let source = 0; source < sources; source += 1) {
    const config = { spec: `${upstreamUrl}/spec${source}.json`, baseUrl: upstreamUrl }
    await measure(`add ${toolsEach} tools`, "POST", "/api/integrations", { slug: `s${source}`, kind: "openapi", config }, "always")
    await measure("connect them", "POST", "/api/connections", { integration: `s${source}` }, "always")
  }
  await measure("first search", "GET", "/api/tools/search?query=create%20item")
  await measure("search", "GET", "/api/tools/search?query=create%20item")
  await measure("search, 1000 characters", "GET", `/api/tools/search?query=${encodeURIComponent(longQuery(1000, 0))}`)
  await measure("list all", "GET", "/api/tools")
  await measure("list all with annotations", "GET", "/api/tools?includeAnnotations=true")
  await measure("list 1000", "GET", "/api/tools?limit=1000")
  await measure("list none of all", "GET", "/api/tools?query=zzzzz")
  await measure("types of all", "GET", "/api/tools/types")
  await measure("evaluate 100 cases", "POST", "/api/tools/evaluate", { cases: evaluationCases(100, 900) })
  await measure("evaluate 4000 cases", "POST", "/api/tools/evaluate", { cases: evaluationCases(4000, 900) })
  await measure("schema of 2000 definitions", "GET", "/api/tools/schema?address=s0.org.main.huge.get")
  await measure("schema of a tool that is not there", "GET", "/api/tools/schema?address=s0.org.main.huge.got")
  await listMcp("MCP list", "/mcp")
  await listMcp("MCP direct list", "/mcp/direct/s0")
  await listMcp("MCP direct list again", "/mcp/direct/s0")
  await imports()
  await runs()
  await policies()
  await measure("API document", "GET", "/api/openapi.json")
  await measure("remove an integration", "DELETE", "/api/integrations/s1")
}

async function imports(): Promise<void> {
  const preview = (name: string, spec: unknown): Promise<string> =>
    measure(name, "POST", "/api/integrations/preview", { kind: "openapi", config: { spec, baseUrl: upstreamUrl } })
  await preview("preview from a URL", `${upstreamUrl}/spec0.json`)
  await preview("preview an object", documentOf(0, toolsEach, upstreamUrl))
  await preview("preview a text", JSON.stringify(documentOf(0, toolsEach, upstreamUrl)))
  await preview("preview 30 MB of []", { openapi: "3.1.0", paths: {}, a: Array.from({ length: 10_000_000 }, () => []) })
  await measure("a body of a million values", "POST", "/api/tools/evaluate", { cases: Array.from({ length: 1_000_000 }, () => 1) })
  const config = { spec: documentOf(77, toolsEach, upstreamUrl), baseUrl: upstreamUrl }
  await measure("add an object", "POST", "/api/integrations", { slug: "inline", kind: "openapi", config })
  await measure("change its config", "PATCH", "/api/integrations/inline", { config: { exclude: ["*.9*"] } })
  await measure("refresh a connection", "POST", "/api/connections/org/s1/main/refresh")
}

async function runs(): Promise<void> {
  const run = async (name: string, code: string): Promise<string> => {
    const text = await measure(name, "POST", "/api/executions", { code, timeoutMs: requestMsMax })
    return /exe_\w+/.exec(text)?.[0] ?? ""
  }
  await run("run: a call answered with 14 MB", "return (await tools.s0.org.main.large.get({})).ok")
  const row = '{ id, name: "row " + id, note: "n".repeat(60), tags: ["a", "b"] }'
  const returned = await run("run: return 12 MB", `return Array.from({ length: 100000 }, (_, id) => (${row}))`)
  await measure("show it", "GET", `/api/executions/${returned}`)
  await measure("its result, 1 MB", "GET", `/api/executions/${returned}/result?length=1000000&offset=5000000`)
  const called = await run(
    "run: 300 searches",
    'for (let i = 0; i < 300; i += 1) await tools.search({ query: "x".repeat(3000) + i }); return 1',
  )
  await measure("show it", "GET", `/api/executions/${called}`)
  await measure("list 1000 of the audit", "GET", "/api/audit?limit=1000")
}

async function policies(): Promise<void> {
  for (let index = 0; index < 300; index += 1) {
    const pattern = `s0.org.main.area${index}.${"*a".repeat(10)}`
    await send("POST", "/api/policies", { owner: "org", pattern, action: index % 2 === 0 ? "block" : "require_approval", position: index })
  }
  await measure("300 policies: create one", "POST", "/api/policies", { owner: "org", pattern: "s2.**", action: "require_approval" })
  await measure("300 policies: list all tools", "GET", "/api/tools")
  await measure("300 policies: explain", "POST", "/api/policies/explain", { address: "s0.org.main.large.get" })
  await measure("300 policies: search", "GET", "/api/tools/search?query=create%20item")
  await listMcp("300 policies: MCP list", "/mcp")
}

async function listMcp(name: string, path: string): Promise<void> {
  const clientInfo = { name: "bench", version: "1" }
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
  const opened = await send("POST", path, { jsonrpc: "2.0", id: 0, method: "initialize", params })
  const session = opened.headers.get("mcp-session-id")
  await measure(
    name,
    "POST",
    path,
    { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    "chosen",
    session === null ? {} : { "mcp-session-id": session },
  )
}

async function measure(
  name: string,
  method: string,
  path: string,
  body?: unknown,
  when: "always" | "chosen" = "chosen",
  headers: Record<string, string> = {},
): Promise<string> {
  if (when === "chosen" && !name.includes(only)) return ""
  await held()
  const start = performance.now()
  const { text, status } = await send(method, path, body, headers)
  const wholeMs = performance.now() - start
  const { turnMs, turnWallMs } = await held()
  const told = status === 0 ? "given up" : `${status}, ${(text.length / megabyte).toFixed(2)} MB`
  rows.push([name, turnMs.toFixed(0), turnWallMs.toFixed(0), wholeMs.toFixed(0), told])
  process.stderr.write(`${rows.at(-1)?.join("  ")}\n`)
  return text
}

type Sent = { readonly text: string; readonly status: number; readonly headers: Headers }

async function send(method: string, path: string, body?: unknown, extra: Record<string, string> = {}): Promise<Sent> {
  const headers = { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream", ...extra }
  const content =
    body === undefined ? { headers } : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) }
  try {
    const response = await fetch(`${url}${path}`, { method, ...content, signal: AbortSignal.timeout(requestMsMax) })
    return { text: await response.text(), status: response.status, headers: response.headers }
  } catch (error) {
    return { text: String(error), status: 0, headers: new Headers() }
  }
}

/** What the server's thread did since it was last asked. */
async function held(): Promise<Held> {
  const told = once(reports, "held")
  server.kill("SIGUSR2")
  const [found] = (await told) as [Held] // emitted above, with nothing else
  return found
}
