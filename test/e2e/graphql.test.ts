// GraphQL through the real product: added over HTTP, connected, searched, described, called, approved, changed.
import { readFileSync, readdirSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { schema as github } from "@octokit/graphql-schema"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startGraphQL } from "../servers/graphql.ts"
import type { GraphQLServer } from "../servers/graphql.ts"
import { typeDefs } from "../servers/graphql-schema.ts"
import { listen } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let shop: GraphQLServer
let closed: GraphQLServer

beforeAll(async () => {
  shop = await startGraphQL()
  closed = await startGraphQL({ token: "s3cret-token-1" })
  product = await startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify({ listSyncWaitMs: 60_000 }) } })
})
afterAll(async () => {
  await product.stop()
  await Promise.all([shop.close(), closed.close()])
})

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await product.request("POST", path, body)
  return { httpStatus: answer.status, ...(answer.body as object) }
}
const get = async (path: string): Promise<Record<string, unknown>> => (await product.request("GET", path)).body as Record<string, unknown>

type Reply = { executionId: string; status: string; structured: Record<string, unknown> }
const run = async (code: string): Promise<Reply> => (await product.request("POST", "/executions", { code })).body as Reply
const resultOf = async (code: string): Promise<unknown> => (await run(code)).structured["result"]

describe("a public endpoint", () => {
  test("is detected, previewed, added and connected", async () => {
    expect(await post("/integrations/detect", { url: shop.url })).toMatchObject({ kind: "graphql", config: { endpoint: shop.endpoint } })
    expect(await post("/integrations/preview", { kind: "graphql", config: { endpoint: shop.endpoint } })).toMatchObject({
      facts: { origins: [shop.url] },
      tools: expect.arrayContaining([
        { name: "mutation.createPost", description: expect.stringMatching(/^Publish a post\n/), requiresApproval: true },
      ]),
    })
    const added = await post("/integrations", {
      slug: "shop",
      kind: "graphql",
      config: { endpoint: shop.endpoint, headers: { "X-Shop": "7" } },
    })
    expect(added).toMatchObject({
      slug: "shop",
      config: { endpoint: shop.endpoint, headers: { "X-Shop": "***" } },
      facts: { origins: [shop.url] },
    })
    expect((added["facts"] as { toolCount: number }).toolCount).toBeGreaterThan(20)
    expect(await post("/connections", { integration: "shop" })).toMatchObject({ status: "ready", error: null })
  })

  test("is listed with its policies, and described in TypeScript", async () => {
    const { items } = (await get("/tools?integration=shop&includeAnnotations=true")) as { items: { address: string }[] }
    const tool = (name: string): unknown => items.find((one) => one.address === `tools.shop.org.main.${name}`)
    expect(tool("query.viewer")).toMatchObject({ pluginId: "graphql", policy: "allow", requiresApproval: false })
    expect(tool("mutation.createPost")).toMatchObject({ policy: "require_approval", requiresApproval: true })
    expect(tool("graphql")).toMatchObject({ policy: "require_approval" })
    expect(tool("query.then_")).toBeDefined()
    const schema = await get("/tools/schema?address=tools.shop.org.main.query.users")
    expect(schema["inputTypeScript"]).toContain("filter?: UserFilter | null")
    expect(schema["outputTypeScript"]).toContain("users: User[]")
    expect(Object.keys(schema["schemaDefinitions"] as object).toSorted()).toEqual([
      "DateTime",
      "JSON",
      "PostState",
      "Role",
      "User",
      "UserFilter",
      "graphql-error",
    ])
  })

  test("is found by search and described from code", async () => {
    const found = (await resultOf(`return (await tools.search({ query: "publish a post" })).items[0]`)) as { path: string }
    expect(found).toMatchObject({ path: "shop.org.main.mutation.createPost", requiresApproval: true })
    const described = await resultOf(`return await tools.describe.tool({ path: "shop.query.user" })`)
    expect(described).toMatchObject({
      path: "shop.org.main.query.user",
      description: expect.stringContaining("Selectable of User: id, name"),
      inputTypeScript: expect.stringMatching(/e\.g\. "\{ id name \}".*\n.*select\?: string/),
    })
  })

  test("answers queries, whole and partial", async () => {
    expect(await resultOf(`return await tools.shop.query.viewer()`)).toMatchObject({
      ok: true,
      data: { data: { viewer: { name: "Ada" } } },
    })
    expect(await resultOf(`return (await tools.shop.query.users({ limit: 1, select: "{ name }" })).data`)).toEqual({
      data: { users: [{ name: "Ada" }] },
    })
    expect(await resultOf(`return (await tools.shop.query.headers().unwrap()).data.headers["x-shop"]`)).toBe("7")
    expect(await resultOf(`return (await tools.shop.query.partial()).data`)).toMatchObject({
      data: { partial: { fine: "yes" } },
      errors: [{ message: "The bad half" }],
    })
    expect(await resultOf(`return await tools.shop.query.broken()`)).toMatchObject({
      ok: false,
      error: { code: "upstream_error", message: "All of it is broken" },
    })
  })

  test("is not asked what does not fit its schema", async () => {
    shop.ledger.length = 0
    expect(await resultOf(`return (await tools.shop.query.users({ limit: "many" })).error`)).toMatchObject({ code: "invalid_arguments" })
    expect(await resultOf(`return (await tools.shop.query.user({})).error.message`)).toBe("Missing required parameter 'by'")
    expect(await resultOf(`return (await tools.shop.query.user({ by: { id: "1", name: "a" } })).error.code`)).toBe("invalid_arguments")
    expect(await resultOf(`return (await tools.shop.query.viewer({ select: "{ nam }" })).error`)).toMatchObject({
      code: "invalid_arguments",
      message: expect.stringContaining('Did you mean "name"'),
    })
    expect(shop.ledger).toEqual([])
  })

  test("runs mutations once they are approved, and raw queries at once", async () => {
    const code = `
      const one = await tools.shop.mutation.createPost({ input: { title: "Approved" } })
      const two = await tools.shop.graphql({ query: "query Q($n: Int!) { count users(limit: $n) { id } }", variables: { n: 1 } })
      return [one.data.data.createPost.post.title, two.data]`
    const paused = await run(code)
    expect(paused).toMatchObject({
      status: "paused",
      structured: { interactions: [{ kind: "approval", address: "tools.shop.org.main.mutation.createPost" }] },
    })
    expect(shop.created).toEqual([])
    const done = await post(`/executions/${paused.executionId}/resume`, { action: "accept" })
    expect(done).toMatchObject({ status: "completed", structured: { result: ["Approved", { data: { count: 3, users: [{ id: "u1" }] } }] } })
    expect(shop.created).toEqual([{ title: "Approved", tags: ["new"] }])
  })
})

describe("an endpoint that wants a credential", () => {
  test("has no tools until a connection brings one", async () => {
    expect(await post("/integrations", { slug: "closed", kind: "graphql", config: { endpoint: closed.endpoint } })).toMatchObject({
      facts: {
        toolCount: 0,
        origins: [closed.url],
        auth: [{ template: "bearer" }, {}],
        warnings: [{ message: expect.stringContaining("no tools until a connection") }],
      },
    })
    expect(await post("/connections", { integration: "closed", name: "nobody" })).toMatchObject({
      status: "error",
      toolCount: 0,
      error: expect.stringContaining("add one to the connection"),
    })
    const wrong = { template: "bearer", values: { token: "wrong-token-1" } }
    expect(await post("/connections", { integration: "closed", name: "wrong", auth: wrong })).toMatchObject({
      status: "error",
      error: expect.stringContaining("check the connection's credential"),
    })
    const right = { template: "bearer", values: { token: "s3cret-token-1" } }
    const main = await post("/connections", { integration: "closed", auth: right })
    expect(main).toMatchObject({ status: "ready", error: null })
    expect(main["toolCount"]).toBeGreaterThan(20)
    expect(await resultOf(`return (await tools.closed.query.headers()).data.data.headers.authorization`)).not.toContain("s3cret-token-1")
    expect(closed.ledger.at(-1)?.headers["authorization"]).toBe("Bearer s3cret-token-1")
  })
})

describe("an endpoint that repeats what it was sent", () => {
  test.each([200, 401])("with status %i: no answer, row or log has the secret", async (status) => {
    const parrot = await listen(
      createServer((request, response) => {
        const errors = [
          { message: `Cannot ask that: ${request.headers.authorization ?? ""} ${String(request.headers["x-key"])} ${request.url}` },
        ]
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ errors }))
      }),
    )
    const slug = `parrot${status}`
    const config = { endpoint: `${parrot.url}/graphql?key=query-secret-3`, headers: { "X-Key": "header-secret-2" } }
    const auth = { template: "bearer", values: { token: "token-secret-1" } }
    const texts = [
      await post("/integrations/preview", { kind: "graphql", config }),
      await post("/integrations", { slug, kind: "graphql", config }),
      await post("/integrations", { slug, kind: "graphql", config: { ...config, sdl: "type Query { a: Int }" } }),
      await product.request("PATCH", `/integrations/${slug}`, { config: { sdl: null } }),
      await post("/connections", { integration: slug, auth }),
      await post(`/connections/org/${slug}/main/refresh`, {}),
      await post(`/connections/org/${slug}/main/health`, {}),
      await get(`/integrations/${slug}`),
      await get(`/connections/org/${slug}/main`),
      await post("/integrations/detect", { url: config.endpoint.replace("//", "//ada:pass-secret-4@") }),
    ]
    await parrot.close()
    const shown = JSON.stringify(texts.slice(0, -1)) + product.output()
    expect(shown).toContain("Cannot ask that: *** *** /graphql?key=***")
    const kept = readdirSync(product.dataDir).map((file) => readFileSync(join(product.dataDir, file), "latin1"))
    for (const secret of ["token-secret-1", "header-secret-2", "query-secret-3", "pass-secret-4"])
      expect([shown, ...kept].filter((text) => text.includes(secret))).toEqual([])
  })
})

describe("a schema as text", () => {
  test("needs no endpoint that tells it, and can be replaced by one that does", async () => {
    const sdl = "type Query { count: Int! }"
    expect(await post("/integrations", { slug: "told", kind: "graphql", config: { endpoint: shop.endpoint, sdl } })).toMatchObject({
      facts: { toolCount: 2 },
    })
    expect(await post("/connections", { integration: "told" })).toMatchObject({ status: "ready", toolCount: 2 })
    expect(await resultOf(`return (await tools.told.query.count()).data`)).toEqual({ data: { count: 3 } })
    await product.request("PATCH", "/integrations/told", { config: { sdl: null } })
    const { items } = (await get("/tools?integration=told")) as { items: unknown[] }
    expect(items.length).toBeGreaterThan(20)
    await product.request("PATCH", "/integrations/told", { config: { sdl: typeDefs.replaceAll("viewer", "me") } })
    const after = (await get("/tools?integration=told")) as { items: { name: string }[] }
    expect(after.items.map((tool) => tool.name)).toContain("query.me")
  })
  test("may be GitHub's", async () => {
    const added = await post("/integrations", {
      slug: "github",
      kind: "graphql",
      config: { endpoint: `${closed.url}/graphql`, sdl: github.idl },
    })
    expect(added).toMatchObject({ httpStatus: 201, facts: { origins: [closed.url] } })
    expect(await post("/connections", { integration: "github" })).toMatchObject({ status: "ready" })
    const refused = await resultOf(
      `return (await tools.github.query.repository({ owner: "a", name: "b", select: "{ issues(first: 5, states: [OPENED]) { nodes { title } } }" })).error`,
    )
    expect(refused).toMatchObject({ code: "invalid_arguments", message: expect.stringContaining('Did you mean the enum value "OPEN"') })
    expect(await resultOf(`return (await tools.github.query.viewer()).error`)).toMatchObject({
      code: "upstream_error",
      status: 401,
      message: "Bad credentials",
    })
    expect(
      await resultOf(
        `return (await tools.search({ query: "add a star to a repository", namespace: "github" })).items.map((item) => item.path)`,
      ),
    ).toContain("github.org.main.mutation.addStar")
  })
})

describe("what cannot be added", () => {
  test.each([
    [{ endpoint: "nowhere" }, "config.endpoint"],
    [{ endpoint: "http://127.0.0.1:1/graphql" }, "could not be introspected"],
    [{ endpoint: "https://api.example.com/graphql", sdl: "type Query {" }, "The SDL cannot be read"],
  ])("%j", async (config, message) => {
    expect(await post("/integrations", { slug: "wrong", kind: "graphql", config })).toMatchObject({
      httpStatus: 400,
      error: { code: "invalid_request", message: expect.stringContaining(message) },
    })
    expect(await get("/integrations/wrong")).toMatchObject({ error: { code: "not_found" } })
  })
})
