// `executor mcp`: MCP over stdin and stdout with the official client, with and without a server that runs already.
import { spawn } from "node:child_process"
import { createServer } from "node:http"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { Client } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { listen } from "../servers/listen.ts"
import { openCli } from "./cli-run.ts"
import { callTool, eras, newMcpClient, textOf } from "./mcp-client.ts"
import type { Era, McpClientOptions } from "./mcp-client.ts"
import { createItem } from "./mcp-server.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const root = join(import.meta.dirname, "..", "..")
const entry = process.env["EXECUTOR_TEST_BUILT"] === undefined ? "src/surfaces/cli/main.ts" : "dist/surfaces/cli/main.js"
const script = (args: readonly string[]) =>
  `const { main } = await import(${JSON.stringify(join(root, entry))}); await main(${JSON.stringify(["mcp", ...args])})`

let ledger: Ledger
let product: Product
beforeAll(async () => {
  ledger = await startLedger()
  product = await startProduct()
  await connectLedger(product.client)
})
afterAll(async () => {
  await product.stop()
  await ledger.close()
})

async function connectLedger(client: Product["client"]): Promise<void> {
  await client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
}

const environment = (dataDir: string, port = "0"): Record<string, string> => ({
  EXECUTOR_PORT: port,
  PATH: process.env["PATH"] ?? "",
  HOME: dataDir,
  EXECUTOR_DATA_DIR: dataDir,
  EXECUTOR_LOG: "warn",
})

async function connect(
  dataDir: string,
  options: Omit<McpClientOptions, "token">,
  args: readonly string[] = [],
  port?: string,
): Promise<Client> {
  const client = newMcpClient(options)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--input-type=module", "-e", script(args)],
    cwd: tmpdir(),
    env: environment(dataDir, port),
    stderr: "pipe",
  })
  await client.connect(transport)
  return client
}

test("what is piped in at once is handled in order: behind `initialize` comes its session", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script([])], { cwd: tmpdir(), env: environment(product.dataDir) })
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pipe", version: "1" } }
  const messages = [{ id: 1, method: "initialize", params }, { method: "notifications/initialized" }, { id: 2, method: "tools/list" }]
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""))
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk))
  await new Promise((resolve) => child.on("close", resolve))
  const answers = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; result?: object })
  expect(answers).toMatchObject([
    { id: 1, result: { serverInfo: {} } },
    { id: 2, result: { tools: [{ name: "execute" }, { name: "resume" }] } },
  ])
})

describe.each(eras)("a %s client through a running server", (era: Era) => {
  test("runs code, waits for the human, and gets the result", async () => {
    const client = await connect(product.dataDir, { era })
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["execute", "resume"])
    const paused = await callTool(client, "execute", { code: createItem(`stdio-${era}`) })
    const { executionId = "", approvalUrl } = paused.structured
    expect(approvalUrl).toBe(`${product.pagesUrl}/approve/${executionId}`)
    const resumed = callTool(client, "resume", { executionId, action: "accept" })
    await product.client.resume(executionId, { action: "accept" })
    expect((await resumed).structured).toMatchObject({ status: "completed", result: { count: 1 } })
    await client.close()
    expect(await product.client.executions.get(executionId)).toMatchObject({ principal: { kind: "agent" } })
  })

  test("asks its own human, hears how far it is, and cancels", async () => {
    const client = await connect(product.dataDir, { era, human: () => ({ action: "accept", content: {} }) }, [
      "--elicitation-mode",
      "native",
    ])
    const done = await callTool(client, "execute", { code: createItem(`stdio-native-${era}`) })
    expect(done.structured).toMatchObject({ status: "completed", result: { count: 1 } })
    const heard: string[] = []
    const code = "await tools.ledger.items.get({ name: 'p' }); await new Promise((r) => setTimeout(r, 60000))"
    const stop = new AbortController()
    const call = client.callTool(
      { name: "execute", arguments: { code } },
      { signal: stop.signal, onprogress: (progress) => heard.push(progress.message ?? "") },
    )
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    // It is listed a moment after it began.
    await expect.poll(async () => (await product.client.executions.list({ status: "running" })).items.length).toBe(1)
    const [running] = (await product.client.executions.list({ status: "running" })).items
    stop.abort(new Error("enough"))
    await expect(call).rejects.toThrow(/enough/)
    await expect.poll(async () => (await product.client.executions.get(running?.executionId ?? "")).status).toBe("cancelled")
    await client.close()
  })
})

test("its token is an agent's, made once, and for nobody else to read", async () => {
  const path = join(product.dataDir, "mcp-token")
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const token = readFileSync(path, "utf8").trim()
  const { items } = await product.client.tokens.list({})
  expect(items.filter((one) => one.name === "mcp-stdio")).toMatchObject([{ kind: "agent", elicitation: ["browser", "native"] }])
  const answer = await product.request("POST", "/policies", { owner: "org", pattern: "**", action: "allow" }, token)
  expect(answer.status).toBe(403)
})

test("without a server it starts one inside itself, so that approvals work, and leaves nothing behind", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-stdio-"))
  const client = await connect(dataDir, { era: "modern" })
  // The client has tried out the program in a process of its own, whose server may have been the first one here.
  await callTool(client, "execute", { code: "return 1" })
  const { origin } = JSON.parse(readFileSync(join(dataDir, "server.json"), "utf8")) as { origin: string }
  const human = createClient({ origin, token: readFileSync(join(dataDir, "token"), "utf8").trim() })
  await connectLedger(human)
  const paused = await callTool(client, "execute", { code: createItem("inside") })
  const { executionId = "", approvalUrl } = paused.structured
  expect(await (await fetch(String(approvalUrl))).text()).toMatch(/^(?![^]*inside)[^]*executor approvals list/)
  await human.resume(executionId, { action: "accept" })
  expect((await callTool(client, "resume", { executionId, action: "accept" })).structured).toMatchObject({ status: "completed" })
  await client.close()
  await expect.poll(() => existsSync(join(dataDir, "server.json"))).toBe(false)
  rmSync(dataDir, { recursive: true })
})

test("its approval links are on the usual port, and answered by whatever server runs there later", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-stdio-"))
  const { port, close } = await listen(createServer())
  await close()
  const start = (): Promise<Client> => connect(dataDir, { era: "modern" }, [], String(port))
  const client = await start()
  await callTool(client, "execute", { code: "return 1" })
  const { origin } = JSON.parse(readFileSync(join(dataDir, "server.json"), "utf8")) as { origin: string }
  await connectLedger(createClient({ origin, token: readFileSync(join(dataDir, "token"), "utf8").trim() }))
  const paused = await callTool(client, "execute", { code: createItem("later") })
  const { executionId = "", approvalUrl } = paused.structured
  expect(approvalUrl).toBe(`http://localhost:${port}/approve/${executionId}`)
  expect(textOf(paused)).toContain(approvalUrl)
  await client.close()
  await expect.poll(() => existsSync(join(dataDir, "server.json"))).toBe(false)
  await expect(fetch(String(approvalUrl))).rejects.toThrow()
  // The command line needs no server to answer it.
  const listed = (await openCli(dataDir).json(["approvals", "list"])) as { items: { executionId: string }[] }
  expect(listed.items).toMatchObject([{ executionId }])
  const later = await startProduct({ dataDir, args: ["--port", String(port)] })
  expect((await fetch(String(approvalUrl))).status).toBe(200)
  expect((await later.client.resume(executionId, { action: "accept" })).status).toBe("completed")
  await later.stop()
})

test("where the usual port is taken it takes another", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-stdio-"))
  const { port, close } = await listen(createServer())
  const client = await connect(dataDir, { era: "modern" }, [], String(port))
  expect((await callTool(client, "execute", { code: "return 1" })).structured).toMatchObject({ result: 1 })
  const { origin } = JSON.parse(readFileSync(join(dataDir, "server.json"), "utf8")) as { origin: string }
  expect(new URL(origin).port).not.toBe(String(port))
  await client.close()
  await close()
})

test("a session outlives the server it began with", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-stdio-"))
  const first = await startProduct({ dataDir })
  const client = await connect(dataDir, { era: "legacy" })
  expect((await callTool(client, "execute", { code: "return 1" })).structured.result).toBe(1)
  await first.kill("SIGKILL")
  expect((await callTool(client, "execute", { code: "return 2" })).structured.result).toBe(2)
  await client.close()
  rmSync(dataDir, { recursive: true })
})

test.each(eras)("%s requests that find the server gone at the same time are all answered by the next one", async (era) => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-stdio-"))
  const first = await startProduct({ dataDir })
  const client = await connect(dataDir, { era })
  await callTool(client, "execute", { code: "return 0" })
  await first.kill("SIGKILL")
  const results = await Promise.all([1, 2, 3, 4, 5].map((one) => callTool(client, "execute", { code: `return ${one}` })))
  expect(results.map((one) => one.structured.result)).toEqual([1, 2, 3, 4, 5])
  await client.close()
  rmSync(dataDir, { recursive: true })
})

test("what was asked before stdin ended is answered", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script([])], { env: environment(product.dataDir), cwd: tmpdir() })
  let out = ""
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  const exited = new Promise((resolve) => child.once("close", resolve))
  const opening = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "once", version: "1" } }
  child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: opening })}\n`)
  expect(await exited).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ id: 1, result: { protocolVersion: "2025-06-18" } })
})

test("nothing but messages is written to stdout, whatever comes in", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script([])], { env: environment(product.dataDir), cwd: tmpdir() })
  let out = ""
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  const opening = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
  const say = (line: string): unknown => child.stdin.write(`${line}\n`)
  const heard = (count: number) => expect.poll(() => out.split("\n").length).toBeGreaterThan(count)
  say("this is no JSON")
  say(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: opening }))
  await heard(1)
  say(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "no/such/method" }))
  await heard(2)
  const exited = new Promise((resolve) => child.once("exit", resolve))
  child.stdin.end()
  expect(await exited).toBe(0)
  const messages = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; error?: { code: number } })
  expect(messages.find((message) => message.id === 2)?.error?.code).toBe(-32601)
})
