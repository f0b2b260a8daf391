// What one principal may leave waiting has limits: an agent that floods the inbox or the server's memory is told, and nobody else notices.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const megabyte = 2 ** 20
const patience = { timeout: 60_000 }
let ledger: Ledger
let server: Product

beforeAll(async () => {
  ledger = await startLedger()
  const limits = {
    approvalsPendingPerAgentMax: 20,
    approvalsPendingPerExecutionMax: 10,
    approvalsPendingBytesMax: 3 * megabyte,
    executionsJournalBytesPerPrincipalMax: 4 * megabyte,
  }
  server = await startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify(limits) } })
  await server.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await server.client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await server.stop()
  await ledger.close()
})

const newAgent = async (name: string): Promise<string> => (await server.client.tokens.create({ name, kind: "agent" })).token

type Reply = {
  executionId: string
  status: string
  structured: { result?: unknown; interactions?: { approvalId: string; args: unknown }[] }
}

const run = async (code: string, token: string, timeoutMs = 120_000): Promise<Reply> =>
  (await server.request("POST", "/executions", { code, timeoutMs }, token)).body as Reply // the API's answer

const write = (name: string): string =>
  `const made = await tools.ledger.items.create({ name: ${JSON.stringify(name)} }); return made.error ?? made.ok`

describe("questions that wait for a human", () => {
  test("are limited for each agent; an answer makes room, and others ask as before", async () => {
    const [flooding, calm] = [await newAgent("flooding"), await newAgent("calm")]
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => run(write(`flood ${n}`), flooding)))
    const refused = replies.filter(({ status }) => status === "completed")
    expect(replies.filter(({ status }) => status === "paused")).toHaveLength(20)
    expect(refused.map(({ structured }) => structured.result)).toEqual(
      refused.map(() => expect.objectContaining({ code: "rate_limited", message: expect.stringContaining("approvals list") })),
    )
    expect((await run(write("calm"), calm)).status).toBe("paused")
    expect((await run(write("human"), server.token)).status).toBe("paused")
    expect(ledger.entries.filter(({ name }) => name.startsWith("flood"))).toEqual([])

    const paused = replies.find(({ status }) => status === "paused")
    await server.request("POST", `/executions/${paused?.executionId}/cancel`, {})
    await expect.poll(async () => (await run(write("again"), flooding)).status, patience).toBe("paused")
  })

  test("are limited for each execution", async () => {
    const agent = await newAgent("parallel")
    const code = `const all = await Promise.all(Array.from({ length: 14 }, (_, n) => n < 10
      ? Promise.race([tools.ledger.items.create({ name: "part " + n }), new Promise((r) => setTimeout(r, 2000, "waits"))])
      : new Promise((r) => setTimeout(r, 500)).then(() => tools.ledger.items.create({ name: "part " + n }))))
      return all.map((one) => one.error?.code ?? one)`
    const { structured } = await run(code, agent)
    expect(structured.result).toEqual([...Array(10).fill("waits"), ...Array(4).fill("budget_exceeded")])
  })

  test("are limited by the size of their arguments, and shown by their beginning; one alone is whole", async () => {
    const agent = await newAgent("large")
    // Text that cannot be packed much: what counts is what is stored.
    const large = `const name = Array.from({ length: 9e4 }, () => Math.random().toString(36).slice(2, 12).padEnd(10, "x")).join("");
      const made = await tools.ledger.items.create({ name }); return made.error ?? made.ok`
    const three = `return await Promise.all([1, 2, 3].map(async () => { ${large} }))`
    const { executionId, structured } = await run(three, agent)
    expect(structured.interactions).toHaveLength(3)
    const shown = await server.request("GET", `/executions/${executionId}`)
    expect(JSON.stringify(shown.body).length).toBeLessThan(2 * megabyte)
    const whole = { name: expect.any(String) }
    const cut = { truncated: true, totalChars: 900_011, beginning: expect.stringMatching(/^{"name":"\w{900}/) }
    expect(shown.body).toMatchObject({
      calls: [{ args: whole }, { args: cut }, { args: cut }],
      structured: { interactions: [{ args: whole }, { args: cut }, { args: cut }] },
    })
    const last = structured.interactions?.[2]
    expect(last?.args).toMatchObject({ readMore: `GET /approvals/${last?.approvalId}` })
    const alone = (await server.request("GET", `/approvals/${last?.approvalId}`)).body as { args: { name: string } } // an approval
    expect(alone.args.name).toHaveLength(900_000)
    const more = async (): Promise<unknown> => (await run(large, agent)).structured.result
    const refused = { code: "rate_limited", message: expect.stringContaining("bytes") }
    expect(await Promise.all([more(), more(), more()])).toContainEqual(expect.objectContaining(refused))
  })
})

test("answers that running executions hold in memory are limited for each principal", async () => {
  const [greedy, calm] = [await newAgent("greedy"), await newAgent("frugal")]
  const hold = (count: number, then: string): string => `
    try { await store("k", "x".repeat(9e5)); for (let i = 0; i < ${count}; i++) await load("k") } catch (error) { return error.code }
    ${then}`
  const waiting = run(hold(3, "await new Promise((r) => setTimeout(r, 590000))"), greedy, 600_000)
  const running = async (): Promise<string[]> =>
    ((await server.request("GET", "/executions?status=running")).body as { items: { executionId: string }[] }).items.map(
      (one) => one.executionId,
    )
  await expect.poll(running, patience).toHaveLength(1)
  const [id] = await running()
  const calls = async (): Promise<unknown> => ((await server.request("GET", `/executions/${id}`)).body as { calls: unknown[] }).calls
  await expect.poll(calls, patience).toHaveLength(4)
  expect((await run(hold(3, 'return "fits"'), greedy)).structured.result).toBe("budget_exceeded")
  expect((await run(hold(3, 'return "fits"'), calm)).structured.result).toBe("fits")
  await server.request("POST", `/executions/${id}/cancel`, {})
  expect((await waiting).status).toBe("cancelled")
  expect((await run(hold(3, 'return "fits"'), greedy)).structured.result).toBe("fits")
})
