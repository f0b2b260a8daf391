// The catalog over HTTP: lists, pages, filters, secrets that stay inside, and what others can not reach.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TestServer } from "../testing/server.ts"
import { startTestServer } from "../testing/server.ts"

type Page = { items: Record<string, unknown>[]; nextCursor: string | null }

const operation = (name: string) => ({
  operationId: name,
  tags: ["things"],
  summary: `The ${name}`,
  responses: { 200: { description: "Fine" } },
})
const spec = {
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  servers: [{ url: "https://things.example" }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } } },
  paths: Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `/things/${index}`,
      { get: operation(`getThing${index}`), post: operation(`makeThing${index}`) },
    ]),
  ),
}

let server: TestServer
const items = async (path: string, token?: string): Promise<Record<string, unknown>[]> =>
  ((await server.call("GET", path, token === undefined ? {} : { token })).body as Page).items

const own = {
  integration: "things",
  owner: "user",
  name: "mine",
  auth: { template: "api_key", values: { key: "hush-key" }, placements: [{ in: "header", name: "x-key", value: "${key}" }] },
}

beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", "/api/integrations", {
    body: { slug: "things", kind: "openapi", config: { spec, headers: { "x-tenant": "hush-header" } } },
  })
  await server.call("POST", "/api/connections", { body: { integration: "things", auth: { template: "none" } } })
  await server.call("POST", "/api/connections", { body: own })
})
afterAll(() => server.close())

describe("lists", () => {
  test("all tools come when no limit is given", async () => {
    const { body } = await server.call("GET", "/api/tools?integration=things")
    expect((body as Page).items).toHaveLength(120)
    expect((body as Page).nextCursor).toBeNull()
  })

  test("types, status and skip are filters in both spellings, and the summary counts the same", async () => {
    const of = async (query: string) => ((await server.call("GET", `/api/tools?integration=things&${query}`)).body as Page).items.length
    expect(await of("tool_type=custom&implementation_type=http&status=published")).toBe(120)
    expect(await of("toolType=custom&implementationType=mcp")).toBe(0)
    expect(await of("skip=100")).toBe(20)
    expect(await of("skip=100&limit=7")).toBe(7)
    const { body } = await server.call("GET", "/api/tools?integration=things&skip=118&limit=1")
    const { nextCursor } = body as Page
    expect(await of(`limit=7&cursor=${encodeURIComponent(nextCursor ?? "")}`)).toBe(1)
    const both = await server.call("GET", `/api/tools?skip=1&cursor=${encodeURIComponent(nextCursor ?? "")}`)
    expect([both.status, JSON.stringify(both.body)]).toEqual([400, expect.stringContaining("skip and cursor")])
    for (const wrong of ["status=gone", "tool_type=x", "skip=-1", "skip=1.5"])
      expect((await server.call("GET", `/api/tools?${wrong}`)).status).toBe(400)
    const counted = await server.call("GET", "/api/tools/summary?integration=things")
    expect(counted.body).toMatchObject({
      total: 120,
      buckets: { custom: 120, mcp: 0 },
      subtypes: { http: 120 },
      statuses: { published: 120 },
    })
  })

  test("pages join to the whole, without gaps and repetitions", async () => {
    const seen: unknown[] = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const { body } = await server.call("GET", `/api/tools?limit=7${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`)
      seen.push(...(body as Page).items.map((tool) => tool["address"]))
      cursor = (body as Page).nextCursor
    }
    expect(seen).toEqual((await items("/api/tools")).map((tool) => tool["address"]))
  })

  test.each([
    ["/api/tools?owner=user", 60],
    ["/api/tools?connection=main", 60],
    ["/api/tools?integration=things&query=MAKETHING2", 22],
    ["/api/tools?integration=nothing", 0],
    ["/api/tools?query=%25", 0],
    ["/api/connections?owner=user", 1],
    ["/api/connections?integration=nothing", 0],
    ["/api/integrations?limit=1", 1],
  ])("%s has %i items", async (path, count) => {
    expect(await items(path)).toHaveLength(count)
  })

  test("annotations come when asked for, in either spelling", async () => {
    expect((await items("/api/tools?limit=1"))[0]).not.toHaveProperty("requiresApproval")
    expect((await items("/api/tools?limit=1&includeAnnotations=true"))[0]).toHaveProperty("requiresApproval")
    expect((await items("/api/tools?limit=1&include_annotations=1"))[0]).toHaveProperty("requiresApproval")
  })

  test("the schema of a tool", async () => {
    const { status, body } = await server.call("GET", "/api/tools/schema?address=things.org.main.things.getThing1")
    expect(status).toBe(200)
    expect(body).toMatchObject({ inputSchema: { type: "object" }, inputTypeScript: expect.any(String) })
  })
})

test("no answer holds a secret", async () => {
  for (const path of [
    "/api/integrations",
    "/api/integrations/things",
    "/api/connections",
    "/api/connections/user/things/mine",
    "/api/tools?limit=5",
  ]) {
    const text = JSON.stringify((await server.call("GET", path)).body)
    expect(text).not.toContain("hush")
  }
  expect((await server.call("GET", "/api/integrations/things")).body).toMatchObject({ config: { headers: { "x-tenant": "***" } } })
})

describe("others", () => {
  const things = ["/api/integrations/things", "/api/connections/org/things/main", "/api/connections/user/things/mine"]
  const attempts = (path: string): [string, string, unknown?][] => [
    ["GET", path],
    ["PATCH", path, {}],
    ["DELETE", path],
    ...(path.includes("connections")
      ? ([
          ["POST", `${path}/refresh`],
          ["POST", `${path}/health`],
        ] as [string, string][])
      : []),
  ]

  test("another tenant sees nothing and changes nothing", async () => {
    const token = server.tokens.stranger
    for (const path of ["/api/integrations", "/api/connections"]) expect(await items(path, token)).toEqual([])
    expect((await items("/api/tools", token)).filter((tool) => tool["static"] !== true)).toEqual([])
    for (const [method, path, body] of things.flatMap(attempts)) {
      const answer = await server.call(method, path, body === undefined ? { token } : { token, body })
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { error: { code: "not_found" } } })
    }
    const [mine] = await items("/api/tokens")
    expect(await server.call("DELETE", `/api/tokens/${String(mine?.["id"])}`, { token })).toMatchObject({ status: 404 })
    const schema = await server.call("GET", "/api/tools/schema?address=tools.things.org.main.things.getThing1", { token })
    expect(schema).toMatchObject({ status: 404, body: { error: { code: "tool_not_found" } } })
    expect(await items("/api/tools?integration=things")).toHaveLength(120)
  })

  test("a colleague sees what is shared, and nothing of what is another's own", async () => {
    const token = server.tokens.colleague
    expect(await items("/api/tools?integration=things", token)).toHaveLength(60)
    expect((await items("/api/connections", token)).map((connection) => connection["address"])).toEqual(["tools.things.org.main"])
    for (const [method, path, body] of attempts("/api/connections/user/things/mine")) {
      const answer = await server.call(method, path, body === undefined ? { token } : { token, body })
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404 })
    }
  })

  test("an agent reads and changes nothing", async () => {
    const token = server.tokens.agent
    expect(await items("/api/tools?integration=things", token)).toHaveLength(120)
    for (const [method, path, body] of [...attempts("/api/integrations/things"), ...attempts("/api/connections/org/things/main")]) {
      if (method === "GET" || path.endsWith("/health") || path.endsWith("/refresh")) continue
      expect(await server.call(method, path, body === undefined ? { token } : { token, body }), `${method} ${path}`).toMatchObject({
        status: 403,
      })
    }
    const add = { slug: "more", kind: "openapi", config: { spec } }
    expect(await server.call("POST", "/api/integrations", { token, body: add })).toMatchObject({
      status: 403,
      body: { error: { code: "forbidden" } },
    })
  })
})

test("what exists can not be added again, and what is wrong is said", async () => {
  const add = (body: unknown) => server.call("POST", "/api/integrations", { body })
  expect(await add({ slug: "things", kind: "openapi", config: { spec } })).toMatchObject({
    status: 409,
    body: { error: { code: "conflict" } },
  })
  expect(await add({ slug: "Bad Slug", kind: "openapi", config: { spec } })).toMatchObject({ status: 400 })
  expect(await add({ slug: "tools", kind: "openapi", config: { spec } })).toMatchObject({ status: 400 })
  expect(await add({ slug: "x", kind: "soap", config: {} })).toMatchObject({ status: 400 })
  expect(await add({ slug: "x", kind: "openapi", config: { spec: "file:///etc/passwd" } })).toMatchObject({ status: 400 })
  expect(await add({ slug: "x", kind: "openapi", config: { spec: "/etc/passwd" } })).toMatchObject({ status: 400 })
})

test.each([
  ["YAML", `openapi: 3.1.0\npaths: ${"[".repeat(9_000)}${"]".repeat(9_000)}`],
  ["endless YAML", `openapi: 3.1.0\npaths: ${"[".repeat(200_000)}`],
])("a document that is nested too deeply is refused in words: %s", async (_name, text) => {
  const answer = await server.call("POST", "/api/integrations", { body: { slug: "deep", kind: "openapi", config: { spec: text } } })
  expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("nested too deeply") } } })
})

test("PATCH merges: what is given changes, null removes, and the facts are those of the new config", async () => {
  const get = (operationId: string) => ({ get: { operationId, responses: { 200: { description: "ok" } } } })
  const two = {
    openapi: "3.1.0",
    info: { title: "Two", version: "1" },
    servers: [{ url: "https://two.example" }],
    paths: { "/a": get("a"), "/b": get("b") },
  }
  await server.call("POST", "/api/integrations", {
    body: { slug: "merged", kind: "openapi", config: { spec: two, baseUrl: "https://other.example", include: ["/a"] } },
  })
  const patch = async (config: object) => (await server.call("PATCH", "/api/integrations/merged", { body: { config } })).body
  expect(await patch({ baseUrl: null })).toMatchObject({
    config: { include: ["/a"] },
    facts: { toolCount: 1, origins: ["https://two.example"] },
  })
  expect((await server.call("GET", "/api/integrations/merged")).body).not.toHaveProperty("config.baseUrl")
  expect(await patch({ include: null })).toMatchObject({ facts: { toolCount: 2 } })
  expect(await patch({ exclude: ["/b"] })).toMatchObject({ config: { exclude: ["/b"] }, facts: { toolCount: 1 } })
  expect(await patch({ spec: "http://127.0.0.1:1/none.json" })).toMatchObject({ facts: { toolCount: 1 } })
  await server.call("DELETE", "/api/integrations/merged")
})
