// What one principal's executions may take of the store and of memory has limits: an agent that fills them is told, and nobody else notices.
import { afterAll, beforeAll, expect, test } from "vitest"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { callTool, connectMcp } from "./mcp-client.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const megabyte = 2 ** 20
const patience = { timeout: 60_000 }
let ledger: Ledger
let server: Product
let narrow: Product

const start = (limits: Record<string, number>): Promise<Product> => startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify(limits) } })

beforeAll(async () => {
  ledger = await startLedger()
  server = await start({ executionsStoredBytesPerPrincipalMax: megabyte })
  narrow = await start({ executionsJournalBytesPerPrincipalMax: 2 * megabyte, sessionsBytesPerPrincipalMax: 50_000 })
  await server.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await server.client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await server.stop()
  await narrow.stop()
  await ledger.close()
})

const newAgent = async (name: string, at = server): Promise<string> => (await at.client.tokens.create({ name, kind: "agent" })).token
const post = (code: string, token: string, at = server) => at.request("POST", "/executions", { code, timeoutMs: 600_000 }, token)

/** As a client does that is asked to come back later. */
async function run(code: string, token: string): Promise<{ executionId: string; status: string }> {
  await expect.poll(async () => (last = await post(code, token)).status, patience).toBe(200)
  return last.body as { executionId: string; status: string } // the API's answer
}
let last: Awaited<ReturnType<typeof post>>

const idsOf = async (token: string, at = server): Promise<string[]> =>
  ((await at.request("GET", "/executions?limit=100", undefined, token)).body as { items: { executionId: string }[] }).items.map(
    ({ executionId }) => executionId,
  )

/** Text that cannot be packed much: what counts is what is stored. */
const random = (chars: number): string =>
  `Array.from({ length: ${chars / 10} }, () => Math.random().toString(36).slice(2, 12).padEnd(10, "x")).join("")`

test("the oldest ended executions of an agent make room for its new ones; their calls stay in the audit, and others keep theirs", async () => {
  const [hoarder, calm] = [await newAgent("hoarder"), await newAgent("calm")]
  const untouched = await run("return 1", calm)
  const first = await run(`await tools.ledger.items.get({ name: "first" }); return ${random(150_000)}`, hoarder)
  for (let n = 0; n < 14; n += 1) await run(`return ${random(150_000)}`, hoarder)
  const newest = await run("return 1", hoarder)

  await expect.poll(() => idsOf(hoarder), patience).not.toContain(first.executionId)
  await expect.poll(async () => (await idsOf(hoarder)).length, patience).toBeLessThan(14)
  expect(await idsOf(hoarder)).toContain(newest.executionId)
  expect((await server.request("GET", `/executions/${first.executionId}`, undefined, hoarder)).status).toBe(404)
  const audit = await server.request("GET", `/audit?executionId=${first.executionId}`)
  expect(audit.body).toMatchObject({ items: [{ action: "call", subject: expect.stringContaining("items.get"), outcome: "ok" }] })
  expect(await idsOf(calm)).toEqual([untouched.executionId])
})

test("an agent whose waiting executions fill the store starts no new ones until it ends some", async () => {
  const [agent, calm] = [await newAgent("waiting"), await newAgent("calm too")]
  const wait = `await store("k", ${random(150_000)}); return (await tools.ledger.items.create({ name: "waits" })).ok`
  const paused: string[] = []
  await expect
    .poll(async () => {
      const reply = (last = await post(wait, agent))
      if (reply.status === 200) paused.push((reply.body as { executionId: string }).executionId)
      return reply.body
    }, patience)
    .toMatchObject({ error: { code: "rate_limited", message: expect.stringContaining("approvals list"), details: { retryable: true } } })
  expect([last.status, last.headers.get("retry-after")]).toEqual([429, "1"])
  expect(paused.length).toBeGreaterThan(3)
  expect(paused.length).toBeLessThan(12)
  expect((await post("return 1", calm)).status).toBe(200)
  expect(await idsOf(agent)).toEqual(paused.toReversed())

  for (const id of paused) await server.request("POST", `/executions/${id}/cancel`, {})
  expect((await run("return 1", agent)).status).toBe("completed")
})

test("an agent that floods the queue with long code is refused before it takes the server's memory", async () => {
  const [agent, calm] = [await newAgent("flooding", narrow), await newAgent("calm", narrow)]
  const long = `await new Promise((resolve) => setTimeout(resolve, 590_000)) // ${"x".repeat(200_000)}`
  const refused: unknown[] = []
  const replies = Array.from({ length: 14 }, async () => {
    const reply = await post(long, agent, narrow)
    if (reply.status === 429) refused.push([reply.headers.get("retry-after"), reply.body])
  })
  const isTold = ["1", { error: expect.objectContaining({ code: "rate_limited", message: expect.stringContaining("memory") }) }]
  await expect.poll(() => refused, patience).toEqual([isTold, isTold, isTold, isTold])
  expect((await post(`return 1 // ${"x".repeat(200_000)}`, calm, narrow)).status).toBe(200)

  await expect.poll(() => idsOf(agent, narrow), patience).toHaveLength(10)
  for (const id of await idsOf(agent, narrow)) await narrow.request("POST", `/executions/${id}/cancel`, {})
  await Promise.all(replies)
  expect((await post("return 1", agent, narrow)).status).toBe(200)
})

test("an agent that opens one MCP session after the other cannot store more in all of them", async () => {
  const agents = [await newAgent("restless", narrow), await newAgent("calm", narrow)]
  const store = async (token: string): Promise<unknown> => {
    const client = await connectMcp(`${narrow.url}/mcp`, { era: "legacy", token })
    const code = `try { await store("k", "x".repeat(20_000)); return (await load("k")).length } catch (error) { return error.code + ": " + error.message }`
    const { structured } = await callTool(client, "execute", { code })
    await client.close()
    return structured.result
  }
  const [restless = "", calm = ""] = agents
  expect([await store(restless), await store(restless)]).toEqual([20_000, 20_000])
  expect(await store(restless)).toMatch(/^budget_exceeded: .*all your sessions/)
  expect(await store(calm)).toBe(20_000)
})
