// The client against the real server: the same surface, and every failure as an `ExecutorError`.
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ToolAddress } from "../../core/address.ts"
import type { TestServer } from "../http/testing/server.ts"
import { startTestServer } from "../http/testing/server.ts"
import type { Client } from "./index.ts"
import { createClient, ExecutorError } from "./index.ts"

const spec = {
  openapi: "3.1.0",
  info: { title: "Clock", version: "1" },
  servers: [{ url: "https://clock.example" }],
  paths: {
    "/time": {
      get: { operationId: "getTime", tags: ["time"], summary: "Now", responses: { 200: { description: "The time." } } },
      put: { operationId: "setTime", tags: ["time"], responses: { 204: { description: "Set." } } },
    },
  },
}
const key = { integration: "clock", owner: "org", name: "main" } as const

let server: TestServer
let client: Client
beforeAll(async () => {
  server = await startTestServer()
  client = createClient({ origin: `${server.url}/api/`, token: server.tokens.human })
})
afterAll(() => server.close())

test("one API from adding to removing", async () => {
  expect(await client.health()).toEqual({ status: "ok", version: "1.2.3", store: "sqlite" })
  expect((await client.integrations.preview({ kind: "openapi", config: { spec } })).tools).toHaveLength(2)
  expect(await client.integrations.add({ slug: "clock", kind: "openapi", config: { spec } })).toMatchObject({
    slug: "clock",
    facts: { toolCount: 2 },
  })
  expect(await client.connections.create({ integration: "clock", auth: { template: "none" } })).toMatchObject({
    status: "ready",
    toolCount: 2,
  })

  const tools = await client.tools.list({ integration: "clock", owner: "org", includeAnnotations: true })
  expect(tools.map((tool) => tool.address)).toEqual(["tools.clock.org.main.time.getTime", "tools.clock.org.main.time.setTime"])
  expect(tools.map((tool) => tool.requiresApproval)).toEqual([false, true])
  const first = await client.tools.page({ integration: "clock" }, { limit: 1 })
  const second = await client.tools.page({ integration: "clock" }, { limit: 1, cursor: first.nextCursor ?? "" })
  expect([...first.items, ...second.items].map((tool) => tool.name)).toEqual(["time.getTime", "time.setTime"])
  expect(second.nextCursor).toBeNull()
  expect(await client.tools.schema(ToolAddress.make("tools.clock.org.main.time.getTime"))).toMatchObject({
    inputSchema: { type: "object" },
  })
  expect(await client.tools.schema("tools.clock.org.main.nope")).toBeNull()

  expect(await client.integrations.update("clock", { name: "The clock" })).toMatchObject({ name: "The clock" })
  expect((await client.integrations.list({ limit: 5 })).items.map((one) => one.slug)).toEqual(["clock"])
  expect(await client.integrations.get("clock")).toMatchObject({ slug: "clock" })
  expect((await client.connections.list({ integration: "clock", owner: "org", limit: 5 })).items).toHaveLength(1)
  expect(await client.connections.get(key)).toMatchObject({ address: "tools.clock.org.main" })
  expect(await client.connections.update(key, { auth: { template: "none" } })).toMatchObject({ status: "ready" })
  expect(await client.connections.refresh(key)).toMatchObject({ toolCount: 2 })
  expect(await client.connections.health(key)).toMatchObject({ status: "ready" })
  await expect(client.connections.remove(key)).resolves.toBeUndefined()
  await expect(client.integrations.remove("clock")).resolves.toBeUndefined()
  expect(await client.tools.list({ integration: "clock" })).toEqual([])
})

test("tokens", async () => {
  const made = await client.tokens.create({ name: "agent of a test", kind: "agent", elicitation: ["browser", "native"] })
  const agent = createClient({ origin: `${server.url}/api`, token: made.token })
  expect(await agent.tools.list({ integration: "clock" })).toEqual([])
  const listed = await client.tokens.list({ limit: 100 })
  expect(listed.items).toContainEqual(expect.objectContaining({ id: made.id, name: "agent of a test" }))
  expect(JSON.stringify(listed)).not.toContain(made.token)
  await client.tokens.remove(made.id)
  await expect(agent.tools.list()).rejects.toMatchObject({ code: "unauthorized" })
})

test("blocked tools are left out unless asked for, as in the SDK", async () => {
  const seen: string[] = []
  const spy: typeof fetch = (url, init) => {
    seen.push(url instanceof Request ? url.url : String(url))
    return fetch(url, init)
  }
  const watched = createClient({ origin: `${server.url}/api`, token: server.tokens.human, fetch: spy })
  await watched.tools.list()
  await watched.tools.page({ includeBlocked: true, query: "a&b=c#d ü" }, {})
  expect(seen[0]).toContain("includeBlocked=false")
  expect(seen[1]).toContain("includeBlocked=true&query=a%26b%3Dc%23d%20%C3%BC&limit=100")
})

describe("failures", () => {
  test("the server's code, message and details", async () => {
    const error: unknown = await client.tokens.create({ name: "", kind: "agent" }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ExecutorError)
    expect(error).toMatchObject({ code: "invalid_request", message: expect.stringContaining("'name'"), details: { in: "body" } })
    await expect(client.integrations.get("nope")).rejects.toMatchObject({ code: "not_found" })
  })

  test.each(["..", ".", "", "%2e%2E", "%2e"])("the name %j can not lead to another path", async (name) => {
    await expect(client.integrations.remove(name)).rejects.toMatchObject({ code: "invalid_request" })
    await expect(client.connections.get({ ...key, name })).rejects.toMatchObject({ code: "invalid_request" })
    await expect(client.tokens.remove(name)).rejects.toMatchObject({ code: "invalid_request" })
  })

  test.each(["../tokens", "a/b", "a?limit=1", "a#b", "a\\b"])("the name %j stays one segment", async (name) => {
    await expect(client.integrations.get(name)).rejects.toMatchObject({
      code: "not_found",
      message: expect.not.stringContaining("There is nothing at"),
    })
  })

  test.each(["127.0.0.1:4788", "ftp://host/api", "", "/api"])("the origin %j is refused at once", (origin) => {
    expect(() => createClient({ origin, token: "x" })).toThrow("http://127.0.0.1:4788/api")
  })

  test("no server", async () => {
    const nobody = createClient({ origin: "http://127.0.0.1:1/api", token: "x" })
    await expect(nobody.health()).rejects.toMatchObject({
      code: "upstream_unreachable",
      message: expect.stringContaining("No server is responding at http://127.0.0.1:1/api"),
    })
  })

  test("an origin without /api is answered with a hint", async () => {
    const lost = createClient({ origin: server.url, token: server.tokens.human })
    await expect(lost.tools.list()).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining("below /api") })
  })

  test.each([
    [200, "text/html", "<h1>It works!</h1>", "internal", "is not an Executor API"],
    [502, "text/html", "Bad gateway", "internal", "is not an Executor API"],
    [500, "application/json", "null", "internal", "without a reason"],
    [400, "application/json", '{"error":"text"}', "internal", "without a reason"],
    [418, "application/json", '{"error":{"code":"teapot","message":"Short and stout"}}', "internal", "Short and stout"],
    [400, "application/json", '{"error":{"code":"__proto__","message":"Polluted"}}', "internal", "Polluted"],
    [302, "text/plain", "", "upstream_unreachable", "No server is responding"],
    [200, "application/json", '{"hello":"world"}', "internal", 'not from an Executor API: its JSON has no \'status\' ({"hello":"world"})'],
    [200, "application/json", "null", "internal", "not from an Executor API"],
    [200, "application/json", "[1]", "internal", "not from an Executor API"],
  ])("another server that answers %i %s %s", async (status, type, body, code, message) => {
    const other = createServer((_, response) => response.writeHead(status, { "content-type": type, location: "/elsewhere" }).end(body))
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const address = other.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const confused = createClient({ origin: `http://127.0.0.1:${port}/api`, token: "x" })
    await expect(confused.health()).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
    await expect(confused.tools.list()).rejects.toMatchObject({ code })
    await expect(confused.execute("a.b")).rejects.toMatchObject({ code })
    other.closeAllConnections()
    other.close()
  })
})
