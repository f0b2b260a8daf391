// What a model is told of tools whose schemas model APIs refuse: every provider would refuse the whole question because of one of them.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ModelRequest } from "../servers/model.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"
import { connectMcp } from "./mcp-client.ts"

let bench: AgentBench
let echo: Echo
beforeAll(async () => {
  ;[bench, echo] = await Promise.all([startAgents(), startEcho()])
})
afterAll(() => Promise.all([bench.stop(), echo.close()]))

type Told = { readonly name: string; readonly description: string; readonly parameters: Record<string, unknown> }

const toldIn = (request: ModelRequest | undefined): Told[] =>
  ((request?.body["tools"] ?? []) as { readonly function: Told }[]).map((tool) => tool.function)

/** Answers the first question with a call, and keeps all questions. */
async function callOnce(slug: string, name: string, args: string | object) {
  const seen: ModelRequest[] = []
  const reply = await bench.run(slug, (request) => {
    seen.push(request)
    return seen.length === 1 ? { calls: [{ name, arguments: args }] } : { text: "Done." }
  })
  return { reply, told: toldIn(seen[0]), seen }
}

describe("an agent that takes input by a schema", () => {
  const inputSchema = {
    type: "object",
    properties: { order: { $ref: "#/$defs/Order" }, note: { type: ["string", "null"] } },
    required: ["order"],
    $defs: { Order: { type: "integer" } },
  }
  beforeAll(async () => {
    await bench.agent("orders", { instructions: "I am the child.", tools: [], inputSchema })
    await bench.agent("desk", { instructions: "I am the parent.", tools: ["agents.orders"] })
  })

  test("is one plain object to the model of another, and its arguments are put right and checked", async () => {
    const { told, seen } = await callOnce("desk", "agents__orders", { order: "12" })
    expect(told).toMatchObject([
      { name: "agents__orders", parameters: { type: "object", properties: { order: {}, note: {}, input: {}, text: {} } } },
    ])
    expect(told[0]?.parameters).not.toHaveProperty("anyOf")
    expect(seen.map(({ system }) => system)).toEqual(["I am the parent.", "I am the child.", "I am the parent."])
    expect(JSON.parse(seen[1]?.userText ?? "")).toEqual({ order: 12 })
    const wrong = await callOnce("desk", "agents__orders", { order: "many" })
    expect(wrong.seen.map(({ system }) => system)).toEqual(["I am the parent.", "I am the parent."])
    expect(wrong.seen[1]?.outputs[0]?.text).toContain("invalid_arguments")
  })

  test("is one to clients of /mcp/direct as well", async () => {
    const { token } = await bench.product.client.tokens.create({ name: "direct", kind: "agent" })
    const client = await connectMcp(`${bench.product.url}/mcp/direct/agents`, { era: "modern", token })
    const { tools } = await client.listTools()
    const { inputSchema: told } = tools.find(({ name }) => name === "orders") ?? {}
    expect(told).toMatchObject({ type: "object", properties: { order: { $ref: "#/$defs/Order" }, text: {} }, $defs: { Order: {} } })
    expect(told).not.toHaveProperty("anyOf")
    await client.close()
  })
})

test("arguments whose names providers refuse have others, and reach the API under their own; long descriptions are cut", async () => {
  const parameter = (name: string, required = false) => ({ name, in: "query", required, schema: { type: "string" } })
  const description = `Lists\u202e things. ${"It says a lot. ".repeat(200)}`
  const parameters = [parameter("filter[status]", true), parameter("$top"), parameter("top"), parameter(`long_${"x".repeat(80)}`)]
  const paths = { "/things": { get: { operationId: "things/list", description, parameters, responses: {} } } }
  const spec = { openapi: "3.1.0", info: { title: "Odd", version: "1" }, servers: [{ url: echo.url }], paths }
  await bench.product.client.integrations.add({ slug: "odd", kind: "openapi", config: { spec } })
  await bench.product.client.connections.create({ integration: "odd" })
  await bench.agent("odd", { tools: ["odd.**"] })
  const { told, reply } = await callOnce("odd", "odd__things_list", { filter_status: "open", top_2: "3", top: "4" })
  const { parameters: shown, description: words } = told[0] as Told
  expect(shown).toMatchObject({ required: ["filter_status"] })
  const names = Object.keys(shown["properties"] ?? {})
  expect(names.slice(0, 3)).toEqual(["filter_status", "top_2", "top"])
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
  expect(words.length).toBeLessThan(1024)
  expect(words).not.toContain("\u202e")
  const query = new URL(echo.ledger.at(-1)?.path ?? "", echo.url).searchParams
  expect(Object.fromEntries(query)).toEqual({ "filter[status]": "open", $top: "3", top: "4" })
  // The history has them as the tool takes them.
  const { calls } = await bench.product.client.executions.get(reply.executionId)
  expect(calls.find(({ address }) => address.startsWith("tools.odd"))?.args).toEqual({ "filter[status]": "open", $top: "3", top: "4" })
})
