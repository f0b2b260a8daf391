// An answer whose reply was lost and that is sent again approves nothing that nobody has seen: over HTTP, MCP and the command line.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionReply } from "../../src/core/execution.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { openCli } from "./cli-run.ts"
import { callTool, connectMcp, eras } from "./mcp-client.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const twoWrites = (name: string, delay: number): string =>
  `await tools.ledger.items.create({ name: "${name} 1", delay: ${delay} }); await tools.ledger.items.create({ name: "${name} 2" }); return "both"`

const dataDirs: string[] = []
const newDataDir = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-repeated-"))
  dataDirs.push(dataDir)
  return dataDir
}

const limits = JSON.stringify({ leaseMs: 900 })
const databases = {
  SQLite: async () => ({ EXECUTOR_LIMITS: limits }),
  PostgreSQL: async () => ({
    EXECUTOR_LIMITS: limits,
    EXECUTOR_DATABASE_URL: await (await sharedPostgres()).createDatabase(),
    EXECUTOR_SECRET_KEY: "one key for all of the nodes",
  }),
}

let ledger: Ledger
beforeAll(async () => {
  ledger = await startLedger()
})
afterAll(async () => {
  await ledger.close()
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
})

const writes = (name: string): string[] => ledger.entries.flatMap((entry) => (entry.name.startsWith(name) ? [entry.name] : []))
const untilUnderWay = (name: string): Promise<void> => expect.poll(() => ledger.underWay()).toContain(`${name} 1`)
/** The inbox shows approvals one by one; an execution is not shown by it. */
const untilAsked = ({ client }: Product, executionId: string, name: string): Promise<void> =>
  expect.poll(async () => (await client.approvals.list({ executionId })).items.map((one) => one.args)).toEqual([{ name: `${name} 2` }])

const waitsForSecond = (name: string) => ({ status: "waiting_for_interaction", interactions: [{ args: { name: `${name} 2` } }] })

describe.each(Object.entries(databases))("on %s", (_name, settings) => {
  let env: Record<string, string>
  let product: Product
  beforeAll(async () => {
    ledger.entries.length = 0
    env = await settings()
    product = await startProduct({ dataDir: newDataDir(), env })
    await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await product.client.connections.create({ integration: "ledger" })
  })
  afterAll(() => product.kill("SIGTERM"))

  const pause = async (name: string, delay = 700): Promise<string> => {
    const { body } = await product.request("POST", "/executions", { code: twoWrites(name, delay) })
    return (body as ExecutionReply).executionId
  }
  const resume = (executionId: string, server = product, token = product.token) =>
    server.request("POST", `/executions/${executionId}/resume`, { action: "accept" }, token)
  /** The same request, given up while the first write is under way. */
  const resumeLost = async (executionId: string, name: string): Promise<void> => {
    const giveUp = new AbortController()
    const lost = fetch(`${product.url}/api/executions/${executionId}/resume`, {
      method: "POST",
      headers: { authorization: `Bearer ${product.token}`, "content-type": "application/json" },
      body: JSON.stringify({ action: "accept" }),
      signal: giveUp.signal,
    }).catch((error: unknown) => error)
    await untilUnderWay(name)
    giveUp.abort()
    expect(await lost).toMatchObject({ name: "AbortError" })
  }

  test("a request whose reply was lost gives that reply when it is sent again", async () => {
    const executionId = await pause("lost")
    await resumeLost(executionId, "lost")
    await untilAsked(product, executionId, "lost")
    expect((await resume(executionId)).body).toMatchObject({ status: "paused", structured: waitsForSecond("lost") })
    expect(writes("lost")).toEqual(["lost 1"])
    expect((await resume(executionId)).body).toMatchObject({ status: "completed", structured: { result: "both" } })
    expect((await resume(executionId)).body).toMatchObject({ status: "completed", structured: { result: "both" } })
    expect(writes("lost")).toEqual(["lost 1", "lost 2"])
  })

  test("the same at another server on the same database", async () => {
    if (env["EXECUTOR_DATABASE_URL"] === undefined) return
    const other = await startProduct({ dataDir: newDataDir(), env })
    const executionId = await pause("nodes")
    await resumeLost(executionId, "nodes")
    await untilAsked(other, executionId, "nodes")
    expect((await resume(executionId, other)).body).toMatchObject({ status: "paused", structured: waitsForSecond("nodes") })
    expect(writes("nodes")).toEqual(["nodes 1"])
    // What the other server showed is known here.
    expect((await resume(executionId)).body).toMatchObject({ status: "completed" })
    await other.kill("SIGTERM")
  })

  test("a human who was shown nothing means the pause of the moment, and still means it when they repeat themselves", async () => {
    const { token } = await product.client.tokens.create({ name: "blind", kind: "agent" })
    const { body } = await product.request("POST", "/executions", { code: twoWrites("blind", 700) }, token)
    const { executionId } = body as ExecutionReply
    await resumeLost(executionId, "blind")
    await untilAsked(product, executionId, "blind")
    expect((await resume(executionId)).body).toMatchObject({ structured: waitsForSecond("blind") })
    expect(writes("blind")).toEqual(["blind 1"])
    expect((await resume(executionId)).body).toMatchObject({ status: "completed" })
  })

  test("the server dies with kill -9 while it goes on with the answer", async () => {
    const executionId = await pause("killed", 60_000)
    const lost = resume(executionId).catch((error: unknown) => error)
    await untilUnderWay("killed")
    await product.kill("SIGKILL")
    expect(await lost).toBeInstanceOf(Error)
    product = await startProduct({ dataDir: product.dataDir, env })
    await untilAsked(product, executionId, "killed")
    expect((await resume(executionId)).body).toMatchObject({ status: "paused", structured: waitsForSecond("killed") })
    expect(writes("killed")).toEqual(["killed 1"])
    expect((await resume(executionId)).body).toMatchObject({ status: "completed" })
    expect(writes("killed")).toEqual(["killed 1", "killed 2"])
  })

  test.each(eras)("a model of the %s era whose call was broken off", async (era) => {
    const { token } = await product.client.tokens.create({ name: `model-${era}`, kind: "agent", elicitation: ["model"] })
    const client = await connectMcp(`${product.url}/mcp?elicitation_mode=model`, { era, token })
    const paused = await callTool(client, "execute", { code: twoWrites(era, 700) })
    const { executionId = "" } = paused.structured
    const giveUp = new AbortController()
    const accept = { name: "resume", arguments: { executionId, action: "accept" } }
    const lost = client.callTool(accept, { signal: giveUp.signal }).catch((error: unknown) => error)
    await untilUnderWay(era)
    giveUp.abort("the client gave up")
    await lost
    await untilAsked(product, executionId, era)
    expect((await client.callTool(accept)).structuredContent).toMatchObject(waitsForSecond(era))
    expect(writes(era)).toEqual([`${era} 1`])
    expect((await client.callTool(accept)).structuredContent).toMatchObject({ status: "completed", result: "both" })
    await client.close()
  })

  test.each(["with a server", "without a server"])("a command that was killed, %s", async (where) => {
    // Without one it has a store of its own.
    if (where === "without a server" && env["EXECUTOR_DATABASE_URL"] !== undefined) return
    const dataDir = where === "with a server" ? product.dataDir : newDataDir()
    const cli = openCli(dataDir)
    const own = where === "with a server" ? {} : { EXECUTOR_LIMITS: limits }
    if (where === "without a server") {
      await cli.run(["integrations", "add", "-", "--slug", "ledger"], { stdin: JSON.stringify(ledger.document), env: own })
    }
    const name = where.replaceAll(" ", "-")
    const delay = where === "with a server" ? 3000 : 60_000
    const paused = await cli.run(["run", "-", "--json"], { stdin: twoWrites(name, delay), env: own })
    const { executionId } = JSON.parse(paused.stdout) as ExecutionReply
    const words = ["resume", "--execution-id", executionId, "--action", "accept", "--json"]
    const killed = spawn(process.execPath, [join(dataDir, "bin", "main.mjs"), ...words], {
      env: { PATH: process.env["PATH"], HOME: dataDir, EXECUTOR_DATA_DIR: dataDir, ...own },
      stdio: "ignore",
    })
    await untilUnderWay(name)
    killed.kill("SIGKILL")
    if (where === "with a server") await untilAsked(product, executionId, name)
    const again = await cli.run(words, { env: own })
    expect(again).toMatchObject({ code: 3 })
    expect(JSON.parse(again.stdout)).toMatchObject({ structured: waitsForSecond(name) })
    expect(writes(name)).toEqual([`${name} 1`])
    expect(JSON.parse((await cli.run(words, { env: own })).stdout)).toMatchObject({ status: "completed" })
  })
})
