// Raw GraphQL operations through the real product: a query reads, a mutation and whatever is in doubt asks; also after a crash.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-"))
const env = { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600 }) }
const ledger: string[] = []
/** Operations that hold one of these words are seen and not answered, once each. */
const hanging = new Set(["hangingRead", "hangingWrite"])
const sdl = "type Query { a: Int hangingRead: Int } type Mutation { b: Int hangingWrite: Int }"
let upstream: Listening
let product: Product

beforeAll(async () => {
  upstream = await listen(
    createServer(async (request, response) => {
      const { query } = JSON.parse(await bodyOf(request)) as { query: string }
      ledger.push(query)
      const word = [...hanging].find((one) => query.includes(one))
      if (word !== undefined) return void hanging.delete(word)
      response.setHeader("content-type", "application/json").end(JSON.stringify({ data: { a: 1 } }))
    }),
  )
  product = await startProduct({ dataDir, env })
  for (const [slug, types] of [
    ["raw", sdl],
    ["mixed", "type Query { a: Int deep: Deep } type Deep { change: Mutation } type Mutation { b: Int query: Query }"],
  ] as const) {
    await product.client.integrations.add({ slug, kind: "graphql", config: { endpoint: `${upstream.url}/graphql`, sdl: types } })
    await product.client.connections.create({ integration: slug })
  }
})
afterAll(async () => {
  await product.stop()
  await upstream.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}

const run = (args: unknown, slug = "raw") => product.client.run(`return (await tools.${slug}.graphql(${JSON.stringify(args)})).ok`)
const explain = (args: Record<string, unknown>, slug = "raw") =>
  product.client.policies.explain({ address: `${slug}.org.main.graphql`, args })

const queries: readonly Record<string, unknown>[] = [
  { query: "{ a }" },
  { query: "query Q($n: Int) { a ...F } fragment F on Query { a }", variables: { n: 1 }, operationName: "Q" },
  { query: "query A { a } mutation B { b }", operationName: "A" },
  { query: "#\u2028mutation\n{ a }" },
]

test("a query runs at once, and is all that is sent", async () => {
  ledger.length = 0
  for (const args of queries) {
    expect(await run(args)).toMatchObject({ status: "completed", structured: { result: true } })
    expect(await explain(args)).toMatchObject({ verdict: "allow", conditional: false, message: expect.stringContaining("it only reads") })
  }
  expect(ledger.join("\n")).not.toContain("mutation")
})

test.each<Record<string, unknown>>([
  { query: "mutation { b }" },
  { query: "subscription { c }" },
  { query: "{ a" },
  { query: "query A { a } mutation B { b }", operationName: "B" },
  { query: "query A { a } mutation B { b }" },
  { query: "query A { a } mutation A { b }", operationName: "A" },
  { query: "query A { a }", operationName: "" },
  { query: `{ ${"a ".repeat(20_000)} }` },
])("anything else asks, and nothing is sent (%#)", async (args) => {
  ledger.length = 0
  const paused = await run(args)
  expect(paused).toMatchObject({ status: "paused", structured: { interactions: [{ kind: "approval", args }] } })
  expect(await explain(args)).toMatchObject({ verdict: "require_approval" })
  expect((await product.client.executions.get(paused.executionId)).calls).toMatchObject([{ decision: "require_approval" }])
  await product.client.executions.cancel(paused.executionId)
  expect(ledger).toEqual([])
})

test("what is no argument of the tool is refused, and asks nobody", async () => {
  for (const args of [{ query: ["{ a }"] }, { query: "{ a }", extensions: {} }, [{ query: "{ a }" }]])
    expect(await run(args)).toMatchObject({ status: "completed", structured: { result: false } })
})

test("a query of a schema whose queries reach its mutations asks", async () => {
  expect(await run({ query: "{ deep { change { b } } }" }, "mixed")).toMatchObject({ status: "paused" })
  expect(await explain({ query: "{ a }" }, "mixed")).toMatchObject({ verdict: "require_approval" })
})

test("the tool is listed with the worst effect that it can have, and a rule counts for queries as well", async () => {
  expect(await product.client.policies.explain({ address: "raw.org.main.graphql" })).toMatchObject({
    verdict: "require_approval",
    conditional: true,
    message: expect.stringContaining("calls that only read are allowed"),
  })
  const tools = await product.client.tools.list({ integration: "raw" })
  expect(tools.find((tool) => tool.name === "graphql")).toMatchObject({ policy: "require_approval" })
  const rule = await product.client.policies.create({ owner: "org", pattern: "raw.org.main.graphql", action: "require_approval" })
  expect(await run({ query: "{ a }" })).toMatchObject({ status: "paused" })
  await product.client.policies.remove(rule.id)
})

test("a query that a crash interrupts is asked again; what a mutation did is not known", async () => {
  const rule = await product.client.policies.create({ owner: "org", pattern: "raw.org.main.graphql", action: "allow" })
  ledger.length = 0
  const code = (field: string): string => `await tools.raw.graphql({ query: "{ a }" })
    const answer = await tools.raw.graphql({ query: "${field}" })
    return answer.ok ? "answered" : answer.error.code`
  const fields = ["{ hangingRead }", "mutation { hangingWrite }"]
  const lost = fields.map((field) => product.client.run(code(field)).catch(() => null))
  await expect.poll(() => hanging.size).toBe(0)
  await product.kill("SIGKILL")
  await Promise.all(lost)
  product = await startProduct({ dataDir, env })
  const ended = async (field: string): Promise<unknown> => {
    const { items } = await product.client.executions.list({ limit: 100 })
    const views = await Promise.all(items.map((item) => product.client.executions.get(item.executionId)))
    const view = views.find((one) => one.code === code(field))
    return view?.status === "completed" ? view.structured : view?.status
  }
  await expect.poll(() => ended(fields[0] ?? "")).toMatchObject({ result: "answered" })
  await expect.poll(() => ended(fields[1] ?? "")).toMatchObject({ result: "outcome_unknown" })
  expect(ledger.filter((query) => query.includes("hangingRead"))).toHaveLength(2)
  expect(ledger.filter((query) => query.includes("hangingWrite"))).toHaveLength(1)
  await product.client.policies.remove(rule.id)
})
