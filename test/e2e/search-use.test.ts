// What agents called after their searches orders the next ones, within a tenant and its bound, and is listed to those who may read it.
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startTestServer } from "../../src/surfaces/http/testing/server.ts"
import type { TestServer } from "../../src/surfaces/http/testing/server.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"

const query = "archive an order"
const operation = (operationId: string, summary: string) => ({ operationId, summary, responses: { 200: { description: "OK" } } })
const spec = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": { get: operation("orders/archive-open", "Archive an open order") },
    "/paid-orders": { get: operation("orders/archive-paid", "Archive a paid order") },
    "/customers": { get: operation("customers/list", "List customers") },
  },
}
const first = "shop.org.main.orders.archiveOpen"
const second = "shop.org.main.orders.archivePaid"

let echo: Echo
let server: TestServer
const clientOf = (token: string, to = server): Client => createClient({ origin: `${to.url}/api`, token })
const addShop = async (client: Client): Promise<void> => {
  await client.integrations.add({ slug: "shop", name: "Shop", kind: "openapi", config: { spec, baseUrl: echo.url } })
  await client.connections.create({ integration: "shop" })
}
const pathsOf = async (client: Client): Promise<string[]> =>
  (await client.tools.search({ query })).items.slice(0, 2).map(({ path }) => path)
const useOf = async (client: Client, path = second): Promise<number | undefined> =>
  (await client.tools.search({ query, explain: true })).items.find((item) => item.path === path)?.explanation?.factors.use
const searchAndCall = (client: Client) => client.run(`await tools.search({ query: "${query}" }); return (await tools.${second}()).ok`)

beforeAll(async () => {
  echo = await startEcho()
  server = await startTestServer()
  await addShop(clientOf(server.tokens.human))
  await addShop(clientOf(server.tokens.stranger))
})
afterAll(async () => {
  await server.close()
  await echo.close()
})

test("what was called after a search comes first in the next one, explained, and only in its own tenant", async () => {
  const [human, agent, member, stranger] = (["human", "agent", "member", "stranger"] as const).map((name) => clientOf(server.tokens[name]))
  if (!human || !agent || !member || !stranger) throw new Error("a client is missing")
  expect(await pathsOf(human)).toEqual([first, second])
  expect(await useOf(human)).toBe(1)
  expect((await human.tools.search({ query })).items[0]).not.toHaveProperty("explanation")
  expect((await searchAndCall(agent)).structured).toMatchObject({ result: true })
  await expect.poll(() => useOf(human), { timeout: 30_000 }).toBeCloseTo(1.267)
  expect(await pathsOf(human)).toEqual([second, first])
  const [hit] = (await human.tools.search({ query, explain: true })).items
  expect(hit?.explanation?.words.map(({ word }) => word).toSorted()).toEqual(["archive", "order"])
  // Others of the tenant cannot tell that one person did so, however often it is repeated.
  expect(await useOf(member)).toBe(1)
  for (let more = 0; more < 5; more += 1) await searchAndCall(agent)
  await expect.poll(async () => (await human.tools.searches()).items.length).toBe(6)
  expect(await useOf(member)).toBe(1)
  expect(await useOf(stranger)).toBe(1)
  expect(await pathsOf(stranger)).toEqual([first, second])
  const long = await human.run(`return await tools.search({ query: "a".repeat(2001) })`)
  expect(JSON.stringify(long.structured)).toContain("query must have at most 2000 characters")
  // What is named by its path keeps its place, and evaluation is not judged by what was learned.
  expect((await human.tools.search({ query: first })).items[0]?.path).toBe(first)
  const { search } = await human.tools.evaluate([{ query, tools: { [first]: 2 } }])
  expect(search.hit1).toBe(1)
})

test("searches are listed to those who may read their executions, by outcome and page by page", async () => {
  const [human, agent, member, otherAgent, stranger] = (["human", "agent", "member", "otherAgent", "stranger"] as const).map((name) =>
    clientOf(server.tokens[name]),
  )
  if (!human || !agent || !member || !otherAgent || !stranger) throw new Error("a client is missing")
  await member.run(`await tools.search({ query: "the secret plan of a member" })`)
  await human.run(`await tools.discover({ query: "list customers" }); return await tools.shop.customers.list()`)
  const queriesOf = async (client: Client): Promise<string[]> => [
    ...new Set((await client.tools.searches()).items.map((made) => made.query)),
  ]
  await expect.poll(() => queriesOf(human)).toEqual(["list customers", "the secret plan of a member", query])
  expect(await queriesOf(agent)).toEqual([query])
  expect(await queriesOf(member)).toEqual(["the secret plan of a member"])
  expect(await queriesOf(otherAgent)).toEqual([])
  expect(await queriesOf(stranger)).toEqual([])
  const by = async (outcome: "first" | "other" | "none" | "nothing") => (await human.tools.searches({ outcome })).items
  expect(await by("nothing")).toMatchObject([{ query: "the secret plan of a member", called: [], principal: { user: "member" } }])
  expect((await by("first"))[0]).toMatchObject({ query: "list customers", called: ["shop.org.main.customers.list"], outcome: "first" })
  expect((await by("other"))[0]).toMatchObject({ query, called: [second] })
  const paged: string[] = []
  let cursor: string | undefined
  do {
    const page = await human.tools.searches({ limit: 3, ...(cursor === undefined ? {} : { cursor }) })
    paged.push(...page.items.map(({ executionId, callKey }) => `${executionId} ${callKey}`))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(new Set(paged).size).toBe(8)
  await expect(human.tools.searches({ cursor: "bm90aGluZw" })).rejects.toThrow("start again without it")
})

test("switched off, nothing is learned", async () => {
  const other = await startTestServer({ env: { EXECUTOR_SEARCH_LEARNING: "0" } })
  try {
    const client = clientOf(other.tokens.human, other)
    await addShop(client)
    await searchAndCall(client)
    await expect.poll(async () => (await client.tools.searches()).items.length).toBe(1)
    for (let asked = 0; asked < 3; asked += 1) expect(await useOf(client)).toBe(1)
    expect(await pathsOf(client)).toEqual([first, second])
  } finally {
    await other.close()
  }
})
