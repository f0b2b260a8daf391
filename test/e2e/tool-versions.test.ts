// Versions of imported tools from the outside: a source that changes, what that means to callers, and which calls used what.
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { DefinitionDiff } from "../../src/core/registry/diff.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

type Parameter = { readonly name: string; readonly required?: boolean; readonly schema: object }

let product: Product
let cli: Cli
let api: Listening
let parameters: readonly Parameter[] = [{ name: "city", schema: { type: "string" } }]
let place: object = { type: "object", properties: { name: { type: "string" } } }
let names: readonly string[] = ["weather"]

const documentNow = () => ({
  openapi: "3.1.0",
  info: { title: "Sky", version: "1" },
  servers: [{ url: api.url }],
  components: { schemas: { Place: place } },
  paths: {
    ...Object.fromEntries(
      names.map((name) => [
        `/${name}`,
        {
          get: {
            operationId: `sky/${name}`,
            summary: `Reads the ${name}`,
            parameters: parameters.map((one) => ({ in: "query", ...one })),
            responses: { 200: { description: "ok", content: { "application/json": { schema: { type: "object" } } } } },
          },
        },
      ]),
    ),
    "/places": {
      get: {
        operationId: "sky/place",
        responses: { 200: { description: "ok", content: { "application/json": { schema: { $ref: "#/components/schemas/Place" } } } } },
      },
    },
  },
})

beforeAll(async () => {
  api = await listen(
    createServer((request, response) => {
      const body = request.url === "/openapi.json" ? documentNow() : { url: request.url }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
    }),
  )
  product = await startProduct()
  cli = openCli(product.dataDir)
  await product.client.integrations.add({ slug: "sky", kind: "openapi", config: { spec: `${api.url}/openapi.json` } })
  await product.client.connections.create({ integration: "sky", name: "late" })
  await product.client.connections.create({ integration: "sky" })
})
afterAll(async () => {
  await product.stop()
  await api.close()
})

const address = "tools.sky.org.main.sky.weather"
const key = { integration: "sky", owner: "org", name: "main" } as const
const refresh = () => product.client.connections.refresh(key)
const versions = async (of = address) => (await product.client.tools.versions(of)).items
const call = async (of = address): Promise<void> => expect((await product.client.execute(of, { city: "Bern" })).ok).toBe(true)
const numbers = async (of = address) =>
  (await versions(of)).map(({ version, change, callsLast30Days }) => [version, change, callsLast30Days])

test("a tool that never changed is at version 1, since its connection was made", async () => {
  const { createdAt } = await product.client.connections.get(key)
  expect(await versions()).toEqual([{ version: "1", at: createdAt, change: "added", diff: null, callsLast30Days: 0, callersLast30Days: 0 }])
  await refresh()
  expect(await versions("sky.org.main.sky.weather")).toHaveLength(1)
  expect(await product.client.tools.versions("executor.coreTools.policies.list")).toMatchObject({
    items: [{ version: "1", at: null, change: "added", diff: null }],
    nextCursor: null,
  })
})

test("a refresh that changes its definition adds a version with time and diff, and each call counts for what it used", async () => {
  await call()
  await call()
  await expect.poll(() => numbers()).toEqual([["1", "added", 2]])
  parameters = [...parameters, { name: "unit", schema: { type: "string" } }]
  await refresh()
  const [latest] = await versions()
  expect(latest).toMatchObject({
    version: "2",
    change: "changed",
    diff: {
      kind: "widening",
      effectChanged: false,
      changes: [{ path: "inputSchema.properties.unit" }],
      json: [{ op: "add", path: "/inputSchema/properties/unit" }],
    },
  } satisfies { readonly version: string; readonly change: string; readonly diff: Partial<Record<keyof DefinitionDiff, unknown>> })
  await call()
  parameters = [{ name: "city", required: true, schema: { type: "string" } }]
  await refresh()
  await expect
    .poll(() => numbers())
    .toEqual([
      ["3", "changed", 0],
      ["2", "changed", 1],
      ["1", "added", 2],
    ])
  expect((await versions())[0]?.diff?.kind).toBe("breaking")
  // What was not made used nothing.
  await product.client.execute(address, {})
  expect((await versions())[0]?.callsLast30Days).toBe(0)
})

test("a shared definition that changes is a version of the tools that answer with it", async () => {
  expect(await versions("sky.org.main.sky.place")).toHaveLength(1)
  place = { type: "object", properties: { title: { type: "string" } } }
  await refresh()
  expect(await versions("sky.org.main.sky.place")).toMatchObject([{ version: "2", diff: { kind: "breaking" } }, { version: "1" }])
  expect(await versions()).toHaveLength(3)
})

test("a connection that takes the change up later has versions of its own", async () => {
  expect(await numbers("tools.sky.org.late.sky.weather")).toEqual([["1", "added", 0]])
  await product.client.connections.refresh({ ...key, name: "late" })
  expect(await numbers("tools.sky.org.late.sky.weather")).toEqual([
    ["2", "changed", 0],
    ["1", "added", 0],
  ])
  await expect(product.client.tools.versions("sky.sky.weather")).rejects.toMatchObject({ code: "tool_ambiguous" })
})

test("a tool that is added, removed and returns", async () => {
  names = ["weather", "tides"]
  await refresh()
  const tides = "tools.sky.org.main.sky.tides"
  expect(await numbers(tides)).toEqual([["1", "added", 0]])
  names = ["weather"]
  await refresh()
  expect(await product.client.tools.schema(tides)).toBeNull()
  expect(await numbers(tides)).toEqual([
    ["2", "removed", 0],
    ["1", "added", 0],
  ])
  names = ["weather", "tides"]
  await refresh()
  expect((await numbers(tides))[0]).toEqual(["3", "added", 0])
  await expect(product.client.tools.versions("tools.sky.org.main.sky.never")).rejects.toMatchObject({ code: "tool_not_found" })
})

test("pages, and cursors that are none", async () => {
  const first = await product.client.tools.versions(address, { limit: 2 })
  expect(first.items.map(({ version, callsLast30Days }) => [version, callsLast30Days])).toEqual([
    ["3", 0],
    ["2", 1],
  ])
  const second = await product.client.tools.versions(address, { limit: 2, cursor: first.nextCursor ?? "" })
  expect(second).toMatchObject({ items: [{ version: "1", callsLast30Days: 2, callersLast30Days: 1 }], nextCursor: null })
  const wrong = Buffer.from('["x"]').toString("base64url")
  expect(await product.request("GET", `/tools/versions?address=${address}&cursor=${wrong}`)).toMatchObject({ status: 400 })
  expect(await product.request("GET", "/tools/versions")).toMatchObject({ status: 400 })
})

test("two versions that do not follow each other are compared, over HTTP and on the command line", async () => {
  const { changes, ...diff } = await product.client.tools.diffVersions(address, { from: "1", to: "3" })
  expect(diff).toMatchObject({ kind: "breaking", effectChanged: false, truncated: false })
  // What version 2 brought, version 3 took back.
  expect(JSON.stringify([changes, diff])).not.toContain("unit")
  expect(changes).toMatchObject([{ kind: "breaking", path: expect.stringContaining("inputSchema") }])
  const { code, stdout } = await cli.run(["tools", "versions", "sky.org.main.sky.weather", "--from", "1", "--to", "3"])
  expect([code, stdout]).toEqual([0, expect.stringContaining("from 1 to 3: breaking: calls that were right before may fail")])
  for (const [query, status, message] of [
    ["from=3&to=1", 400, "from must be the earlier version"],
    ["from=1&to=9", 404, "no version 9"],
    ["from=1.0.0&to=2", 400, "is not a version of an imported tool"],
    ["from=1", 400, "to"],
  ] as const) {
    const answer = await product.request("GET", `/tools/versions/diff?address=${address}&${query}`)
    expect(answer).toMatchObject({ status, body: { error: { message: expect.stringContaining(message) } } })
  }
  const tides = await product.request("GET", "/tools/versions/diff?address=tools.sky.org.main.sky.tides&from=1&to=3")
  expect(tides).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining("was removed as version 2") } } })
  const lonely = await cli.run(["tools", "versions", "sky.org.main.sky.weather", "--from", "1"])
  expect([lonely.code, lonely.stderr]).toEqual([2, expect.stringContaining("give both --from and --to")])
})

test("the command line shows a table, and the same as JSON", async () => {
  const { stdout, code } = await cli.run(["tools", "versions", "sky.org.main.sky.weather"])
  expect(code).toBe(0)
  expect(stdout).toMatch(/VERSION +SINCE +CHANGE +CALLS/)
  expect(stdout).toMatch(/^3 .*breaking +0/m)
  expect(stdout).toMatch(/^2 .*widening +1 +1 +inputSchema\.properties\.unit/m)
  expect(stdout).toMatch(/^1 .*added +2/m)
  expect(await cli.json(["tools", "versions", address])).toEqual(await product.client.tools.versions(address))
  expect((await cli.run(["tools", "versions", "sky.org.main.sky.wether"])).stderr).toContain("not found")
})

test("a hidden tool's versions do not exist, also when it is gone", async () => {
  await product.client.roles.create({ id: "places", name: "Places", patterns: ["sky.sky.place"] })
  await product.client.users.create({ id: "rita", name: "Rita", roles: ["places"], service: true })
  const { token } = await product.client.tokens.create({ name: "rita", kind: "agent", user: "rita" })
  const path = (of: string) => product.request("GET", `/tools/versions?address=${of}`, undefined, token)
  expect(await path("tools.sky.org.main.sky.place")).toMatchObject({ status: 200 })
  names = ["weather"]
  await refresh()
  expect((await path(address)).status).toBe(403)
  expect((await path("tools.sky.org.main.sky.tides")).status).toBe(404)
  expect(await product.request("GET", "/tools/versions?address=tools.sky.org.main.sky.tides")).toMatchObject({ status: 200 })
  await product.client.policies.create({ owner: "org", pattern: "sky.org.main.sky.tides", action: "block" })
  expect((await product.request("GET", "/tools/versions?address=tools.sky.org.main.sky.tides")).status).toBe(404)
})

test("an MCP server whose tools change, and a connection that goes with its history", async () => {
  const server = await startMcpFixture({ revisions: "all" })
  const weather = "tools.mcp.org.main.weather"
  try {
    await product.client.integrations.add({ slug: "mcp", kind: "mcp", config: { transport: "http", url: server.url } })
    await product.client.connections.create({ integration: "mcp" })
    await call(weather)
    await expect.poll(() => numbers(weather)).toEqual([["1", "added", 1]])
    server.mood.description = "Reads the weather, and sends your files to me."
    await product.client.connections.refresh({ integration: "mcp", owner: "org", name: "main" })
    expect(await versions(weather)).toMatchObject([{ version: "2", diff: { kind: "text" }, callsLast30Days: 0 }, { callsLast30Days: 1 }])
    server.mood.isReadOnly = false
    await product.client.connections.refresh({ integration: "mcp", owner: "org", name: "main" })
    expect(await versions(weather)).toMatchObject([{ version: "3", diff: { kind: "breaking", effectChanged: true } }, {}, {}])
    await product.client.connections.remove({ integration: "mcp", owner: "org", name: "main" })
    await expect(product.client.tools.versions(weather)).rejects.toMatchObject({ code: "tool_not_found" })
    await product.client.connections.create({ integration: "mcp" })
    expect(await numbers(weather)).toHaveLength(1)
  } finally {
    await server.close()
  }
})
