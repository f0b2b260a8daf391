// Two tenants and two users: whatever one has, the other gets nothing of, through any route.
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { adminRole, memberRole } from "../../src/core/people/role.ts"
import { systemClock } from "../../src/io/clock.ts"
import { newToken } from "../../src/identity/token-create.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
const tokens: Record<string, string> = {}
const ids: Record<string, string> = {}

/** Until people can sign in, other tenants and users are made in the store itself. */
beforeAll(async () => {
  product = await startProduct()
  const store = await openSqliteStore({ path: join(product.dataDir, "executor.db") })
  for (const [name, tenant, id, roles] of [
    ["stranger", "other", "local", [adminRole]],
    ["colleague", "default", "colleague", [memberRole]],
  ] as const) {
    await store.tenants.ensure({ tenant, id, name, roles })
    const { row, token } = newToken({ tenant, user: id }, { name, kind: "human" }, systemClock)
    await store.tokens.put(row)
    tokens[name] = token
  }
  await store.close()
  const spec = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://example.com" }],
    paths: { "/a": { get: { operationId: "a/list", responses: {} } } },
  }
  await product.client.integrations.add({ slug: "mine", kind: "openapi", config: { spec } })
  await product.client.connections.create({ integration: "mine" })
  await product.client.connections.create({ integration: "mine", owner: "user", name: "private" })
  await product.client.roles.create({ id: "reader", name: "Reader", patterns: ["mine.**"] })
  const tool = { description: "x", schema: { input: { type: "object" } }, implementationType: "http" }
  const implementationConfig = { method: "GET", url: "https://example.com/" }
  ids["tool"] = (await product.client.registry.create({ ...tool, name: "Mine", implementationConfig })).id
  await product.client.registry.publish(ids["tool"])
  ids["draft"] = (await product.client.registry.create({ ...tool, name: "Draft", implementationConfig })).id
  ids["artifact"] = (await product.client.artifacts.create({ name: "Mine", code: "return 1" })).id
  ids["pipeline"] = (await product.client.pipelines.create({ name: "Mine" })).id
  ids["document"] = (await product.client.pipelines.documents.add(ids["pipeline"], { source: "mine", text: "mine alone" })).id
  await product.client.models.providers.create({ id: "mine", kind: "openai_compatible", baseUrl: "https://models.example.com/v1" })
  const agent = { name: "Mine", instructions: "x", model: { provider: "mine", name: "m" } }
  ids["agent"] = (await product.client.agents.create({ ...agent, slug: "mine" })).id
  await product.client.agents.publish(ids["agent"])
  const secret = { category: "custom", providerKey: "serper", label: "Mine", values: { api_key: "k" } }
  ids["credential"] = (await product.client.credentials.create(secret)).id
  await product.client.signIn.providers.create({ id: "acme", name: "Acme", issuer: "https://issuer.example.com", clientId: "c" })
  ids["invitation"] = (await product.client.invitations.create({ name: "Guest", roles: ["reader"] })).id
  ids["token"] = (await product.client.tokens.create({ name: "mine", kind: "agent" })).id
  const { code } = await product.client.sessions.create()
  const opened = await fetch(`${product.url}/signin`, {
    method: "POST",
    headers: { origin: product.url, "content-type": "application/json" },
    body: JSON.stringify({ code }),
  })
  expect(opened.status).toBeLessThan(300)
  ids["session"] = (await product.client.sessions.list()).items[0]?.id ?? ""
  tokens["agent"] = (await product.client.tokens.create({ name: "agent", kind: "agent" })).token
})
afterAll(() => product.stop())

const reads = [
  "/integrations/mine",
  "/connections/org/mine/main",
  "/connections/user/mine/private",
  "/tools/schema?address=tools.mine.org.main.a.list",
  "/tools/schema?address=tools.mine.user.private.a.list",
  "/tools/versions?address=tools.mine.org.main.a.list",
  "/tools/versions?address=tools.mine.user.private.a.list",
]
const writes: readonly [string, string, unknown?][] = [
  ["PATCH", "/integrations/mine", { name: "theirs" }],
  ["DELETE", "/integrations/mine"],
  ["POST", "/connections", { integration: "mine", name: "theirs" }],
  ["PATCH", "/connections/org/mine/main", { auth: { template: "none" } }],
  ["POST", "/connections/org/mine/main/refresh"],
  ["DELETE", "/connections/org/mine/main"],
  ["PATCH", "/connections/user/mine/private", { auth: { template: "none" } }],
  ["POST", "/connections/user/mine/private/refresh"],
  ["POST", "/connections/user/mine/private/health"],
  ["DELETE", "/connections/user/mine/private"],
]

/** What admins have: `{name}` stands for an id of ours. */
const administered: readonly [string, string, unknown?][] = [
  ["GET", "/users/colleague"],
  ["PATCH", "/users/colleague", { roles: ["admin"] }],
  ["DELETE", "/users/colleague"],
  ["GET", "/roles/reader"],
  ["PATCH", "/roles/reader", { patterns: ["*"] }],
  ["DELETE", "/roles/reader"],
  ["DELETE", "/invitations/{invitation}"],
  ["DELETE", "/sessions/{session}"],
  ["DELETE", "/tokens/{token}"],
  ["PATCH", "/signin/providers/acme", { name: "theirs" }],
  ["DELETE", "/signin/providers/acme"],
  ["POST", "/signin/providers/acme/test"],
  ["POST", "/access/explain", { user: "colleague", address: "mine.a.list" }],
  ["POST", "/access/explain", { token: "{token}", address: "mine.a.list" }],
  ["PATCH", "/passkeys/psk_x", { name: "theirs" }],
  ["DELETE", "/passkeys/psk_x"],
]

/** What makers of tools have. */
const made: readonly [string, string, unknown?][] = [
  ["GET", "/tools/{draft}"],
  ["PUT", "/tools/{tool}", { description: "theirs" }],
  ["PUT", "/tools/{tool}", { status: "disabled" }],
  ["PUT", "/tools/{draft}", { slug: "theirs" }],
  ["DELETE", "/tools/{tool}"],
  ["DELETE", "/tools/{draft}"],
  ["POST", "/tools/{tool}/publish", {}],
  ["POST", "/tools/{draft}/publish", {}],
  ["POST", "/tools/{tool}/version?new_version=9.0.0"],
  ["POST", "/tools/{tool}/rollback", { version: "1.0.0" }],
  ["GET", "/tools/{tool}/versions"],
  ["GET", "/tools/{tool}/versions/1.0.0"],
  ["GET", "/tools/{tool}/diff"],
  ["GET", "/artifacts/{artifact}"],
  ["GET", "/artifacts/{artifact}/versions"],
  ["PUT", "/artifacts/{artifact}", { code: "return 2" }],
  ["DELETE", "/artifacts/{artifact}"],
  ["PATCH", "/credentials/{credential}", { label: "theirs" }],
  ["PATCH", "/pipelines/{pipeline}", { name: "theirs" }],
  ["DELETE", "/pipelines/{pipeline}"],
  ["GET", "/pipelines/{pipeline}/documents"],
  ["POST", "/pipelines/{pipeline}/documents", { source: "mine", text: "theirs" }],
  ["DELETE", "/pipelines/{pipeline}/documents/{document}"],
  ["DELETE", "/credentials/{credential}"],
]
const makes: readonly [string, string, unknown?][] = [
  ["GET", "/artifacts"],
  ["GET", "/credentials"],
  ["GET", "/registry/export"],
  ["POST", "/registry/import", { tools: [] }],
  ["POST", "/artifacts", { name: "Theirs", code: "return 1" }],
  ["POST", "/pipelines", { name: "Theirs" }],
  ["POST", "/credentials", { category: "custom", providerKey: "x", label: "x", values: { token: "x" } }],
  [
    "POST",
    "/tools",
    {
      name: "Theirs",
      description: "x",
      schema: { input: {} },
      implementationType: "http",
      implementationConfig: { method: "GET", url: "https://example.com" },
    },
  ],
]
const filled = <Value>(value: Value): Value =>
  JSON.parse((JSON.stringify(value) ?? "null").replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "")) as Value // of the same shape
const ask = (who: string, [method, path, body]: readonly [string, string, unknown?]) =>
  product.request(method, filled(path), body === undefined ? undefined : filled(body), tokens[who])

describe("people, sign-in and sessions", () => {
  test.each(administered)("%s %s is not there for another tenant's admin", async (...call) => {
    expect((await ask("stranger", call)).status).toBe(404)
  })
  test.each([
    ["/users", ["local"]],
    ["/roles", ["admin", "member"]],
    ["/invitations", []],
    ["/sessions", []],
    ["/signin/providers", []],
    ["/passkeys", []],
  ] as const)("GET %s shows another tenant's admin their own", async (path, own) => {
    const { body } = await ask("stranger", ["GET", path])
    expect((body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(own)
  })
  test.each(["stranger", "colleague"])("the audit shows %s what they did themselves", async (who) => {
    type Line = { readonly principal: { readonly tokenName: string | null } }
    const { items } = (await ask(who, ["GET", "/audit?limit=100"])).body as { items: Line[] }
    const exported = await fetch(`${product.url}/api/audit/export`, { headers: { authorization: `Bearer ${tokens[who]}` } })
    const lines = (await exported.text()).split("\n").filter((line) => line.includes('"principal"'))
    for (const { principal } of [...items, ...lines.map((line) => JSON.parse(line) as Line)]) expect(principal.tokenName).toBe(who)
  })
  test.each([
    ...administered.filter(([, path]) => path !== "/users/colleague"),
    ["GET", "/users/local"],
    ["DELETE", "/users/colleague"],
    ["GET", "/invitations"],
    ["GET", "/signin/providers"],
    ["POST", "/users", { name: "x", roles: ["admin"] }],
    ["PATCH", "/users/colleague", { roles: ["admin"] }],
    ["POST", "/roles", { id: "x", name: "x", patterns: ["*"], rights: ["admin"] }],
    ["PATCH", "/roles/member", { rights: ["admin"] }],
    ["POST", "/invitations", { roles: ["member"] }],
    ["POST", "/signin/providers", { name: "x", issuer: "https://example.com", clientId: "c", rules: [{ value: "*", roles: ["admin"] }] }],
    ["GET", "/tenants"],
    ["POST", "/tenants", { id: "x" }],
    ["POST", "/tokens", { name: "x", kind: "agent", user: "local" }],
  ] as const)("%s %s does nothing for a colleague", async (method, path, body?: unknown) => {
    const isTheirs = path === "/access/explain" && JSON.stringify(body).includes("colleague")
    expect(isTheirs ? [200] : [403, 404]).toContain((await ask("colleague", [method, path, body])).status)
  })
  test("a colleague sees themselves, their role, and nobody's sessions", async () => {
    for (const [path, own] of [
      ["/users", ["colleague"]],
      ["/roles", ["member"]],
      ["/sessions", []],
    ] as const)
      expect(((await ask("colleague", ["GET", path])).body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(own)
  })
  test("all of it is still there", async () => {
    expect((await product.client.users.list()).items.map(({ id }) => id)).toEqual(expect.arrayContaining(["colleague", "local"]))
    expect(await product.client.users.get("colleague")).toMatchObject({ roles: [{ role: "member", from: "given" }] })
    expect(await product.client.roles.get("reader")).toMatchObject({ patterns: ["mine.**"] })
    expect((await product.client.invitations.list()).items).toHaveLength(1)
    expect((await product.client.sessions.list()).items.map(({ id }) => id)).toEqual([ids["session"]])
    expect((await product.client.tokens.list()).items.map(({ id }) => id)).toContain(ids["token"])
    expect((await product.request("GET", "/signin/providers")).body).toMatchObject({ items: [{ id: "acme", name: "Acme" }] })
  })
})

describe("the registry", () => {
  test.each([
    ...made,
    ["GET", "/tools/{tool}"],
    ["GET", "/registry?slug=mine"],
    ["GET", "/pipelines/{pipeline}"],
    ["POST", "/pipelines/{pipeline}/query", { query: "mine" }],
    ["POST", "/pipelines/mine/query", { query: "mine" }],
  ] as typeof made)("%s %s is not there for another tenant's admin", async (...call) => {
    expect((await ask("stranger", call)).status).toBe(404)
  })
  test.each(["/registry", "/artifacts", "/credentials", "/pipelines"])("GET %s is empty for another tenant's admin", async (path) => {
    expect((await ask("stranger", ["GET", path])).body).toMatchObject({ items: [], nextCursor: null })
  })
  test("an artifact or a credential of another tenant makes no tool", async () => {
    const tool = { name: "Theft", description: "", schema: { input: {} } }
    const artifact = { ...tool, implementationType: "artifact", artifactId: "{artifact}" }
    const builtin = {
      ...tool,
      implementationType: "internal",
      implementationConfig: { builtin: "web_search", credentials_ref: "{credential}" },
    }
    for (const body of [artifact, builtin]) expect((await ask("stranger", ["POST", "/tools", body])).status).toBe(400)
  })
  test.each([...made, ...makes])("%s %s does nothing for a colleague without rights", async (...call) => {
    expect([403, 404]).toContain((await ask("colleague", call)).status)
  })
  test.each([...made, ...makes])("%s %s does nothing for an agent of an admin", async (...call) => {
    expect([403, 404]).toContain((await ask("agent", call)).status)
  })
  test("a colleague sees what is published, and nothing of drafts", async () => {
    expect((await ask("colleague", ["GET", "/tools/{tool}"])).body).toMatchObject({ status: "published", hasUnpublishedChanges: false })
    const { items } = (await ask("colleague", ["GET", "/registry"])).body as { items: { slug: string }[] }
    expect(items.map(({ slug }) => slug)).toEqual(["mine"])
  })
  test("all of it is still there", async () => {
    expect(await product.client.registry.get(ids["tool"] ?? "")).toMatchObject({ status: "published", version: "1.0.0", description: "x" })
    expect(await product.client.registry.get(ids["draft"] ?? "")).toMatchObject({ status: "draft", slug: "draft" })
    expect(await product.client.artifacts.get(ids["artifact"] ?? "")).toMatchObject({ version: "1" })
    expect((await product.client.credentials.list()).items).toMatchObject([{ label: "Mine" }])
    expect(await product.client.pipelines.query("mine", { query: "alone" })).toMatchObject({ results: [{ text: "mine alone" }] })
  })
})

describe("agents and the providers of their models", () => {
  const theirs: readonly [string, string, unknown?][] = ["{agent}", "mine"].flatMap((ref): [string, string, unknown?][] => [
    ["GET", `/agents/${ref}`],
    ["PUT", `/agents/${ref}`, { instructions: "theirs" }],
    ["DELETE", `/agents/${ref}`],
    ["POST", `/agents/${ref}/publish`, {}],
    ["POST", `/agents/${ref}/rollback`, { version: "1.0.0" }],
    ["GET", `/agents/${ref}/versions`],
    ["GET", `/agents/${ref}/diff`],
    ["POST", `/agents/${ref}/runs`, { text: "Go." }],
    ["POST", `/agents/${ref}/runs`, { text: "Go.", mode: "debug" }],
  ])
  const providers: readonly [string, string, unknown?][] = [
    ["PATCH", "/models/providers/mine", { baseUrl: "https://theirs.example.com/v1" }],
    ["DELETE", "/models/providers/mine"],
    ["POST", "/models/providers/mine/test", {}],
  ]
  test.each([...theirs, ...providers])("%s %s is not there for another tenant's admin", async (...call) => {
    expect((await ask("stranger", call)).status).toBe(404)
  })
  test.each(["/agents", "/models/providers"])("GET %s is empty for another tenant's admin", async (path) => {
    expect((await ask("stranger", ["GET", path])).body).toMatchObject({ items: [] })
  })
  test.each([
    ["agent_call", { target_agent_id: "{agent}" }],
    ["agent_call", { target_agent_slug: "mine" }],
    ["rag_retrieval", { pipeline_id: "{pipeline}" }],
  ])("a tool of type %s with %j of another tenant is not made", async (implementationType, implementationConfig) => {
    const tool = { name: "Theft", description: "", schema: { input: {} }, implementationType, implementationConfig }
    expect((await ask("stranger", ["POST", "/tools", tool])).status).toBe(400)
  })
  test("an agent with another tenant's provider is not made, nor run once", async () => {
    const agent = { name: "Theft", instructions: "x", model: { provider: "mine", name: "m" } }
    const refused = { status: 400, body: { error: { message: expect.stringContaining("mine") as unknown } } }
    expect(await ask("stranger", ["POST", "/agents", agent])).toMatchObject(refused)
    expect(
      await ask("stranger", ["POST", "/agents/runs", { agent: { instructions: "x", model: agent.model }, text: "Go." }]),
    ).toMatchObject(refused)
  })
  test("code of another tenant does not reach the agent", async () => {
    const { body } = await ask("stranger", ["POST", "/executions", { code: 'return await tools.agents.mine({ text: "Go." })' }])
    expect(JSON.stringify(body)).toContain("tool_not_found")
  })
  test("all of it is still there, and nothing ran", async () => {
    expect(await product.client.agents.get("mine")).toMatchObject({ id: ids["agent"], status: "published", instructions: "x" })
    expect((await product.client.models.providers.list()).items).toMatchObject([{ id: "mine", baseUrl: "https://models.example.com/v1" }])
    expect((await product.client.executions.list({ tool: "tools.agents.org.main.mine" })).items).toEqual([])
  })
})

describe("another tenant", () => {
  test.each(reads)("GET %s is not there", async (path) => {
    expect((await product.request("GET", path, undefined, tokens["stranger"])).status).toBe(404)
  })
  test.each(writes)("%s %s is not there", async (method, path, body) => {
    expect((await product.request(method, path, body, tokens["stranger"])).status).toBe(404)
  })
  test("GET /tools/inventory does not name it", async () => {
    const { status, body } = await product.request("GET", "/tools/inventory", undefined, tokens["stranger"])
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('"mine"')
    const own = await product.request("GET", "/tools/inventory")
    expect(JSON.stringify(own.body)).toContain('"mine"')
  })

  test("GET /tools/summary counts none of its tools", async () => {
    const { body } = await product.request("GET", "/tools/summary?integration=mine", undefined, tokens["stranger"])
    expect(body).toMatchObject({ total: 0 })
  })

  test.each(["/integrations", "/connections", "/tools?integration=mine"])("GET %s is empty", async (path) => {
    expect((await product.request("GET", path, undefined, tokens["stranger"])).body).toMatchObject({ items: [], nextCursor: null })
  })
  test("tokens of others are neither listed nor revoked", async () => {
    const { items } = await product.client.tokens.list()
    for (const { id } of items) expect((await product.request("DELETE", `/tokens/${id}`, undefined, tokens["stranger"])).status).toBe(404)
    const theirs = (await product.request("GET", "/tokens", undefined, tokens["stranger"])).body as { items: { name: string }[] }
    expect(theirs.items.map((token) => token.name)).toEqual(["stranger"])
  })
  test("the same slug can be theirs as well", async () => {
    const spec = { openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: "https://example.com" }], paths: {} }
    expect(
      (await product.request("POST", "/integrations", { slug: "mine", kind: "openapi", config: { spec } }, tokens["stranger"])).status,
    ).toBe(201)
    expect((await product.request("DELETE", "/integrations/mine", undefined, tokens["stranger"])).status).toBe(204)
  })
})

describe("another user of the tenant", () => {
  test("sees what is shared and nothing that is somebody's own", async () => {
    const { body } = await product.request("GET", "/tools?integration=mine", undefined, tokens["colleague"])
    expect((body as { items: { address: string }[] }).items.map((tool) => tool.address)).toEqual(["tools.mine.org.main.a.list"])
  })
  test.each(writes.filter(([, path]) => path.includes("/user/")))("%s %s is not there", async (method, path, body) => {
    expect((await product.request(method, path, body, tokens["colleague"])).status).toBe(404)
  })
  test.each(writes.filter(([, path]) => !path.includes("/user/")))("%s %s is for admins", async (method, path, body) => {
    expect((await product.request(method, path, body, tokens["colleague"])).status).toBe(403)
  })
  test("their own connection is theirs", async () => {
    const created = await product.request(
      "POST",
      "/connections",
      { integration: "mine", owner: "user", name: "private" },
      tokens["colleague"],
    )
    expect(created.status).toBe(201)
    expect((await product.request("DELETE", "/connections/user/mine/private", undefined, tokens["colleague"])).status).toBe(204)
    expect((await product.request("GET", "/connections/user/mine/private")).status).toBe(200)
  })
})

describe("an agent of an admin", () => {
  test.each([
    ...writes.filter(([, path]) => !path.endsWith("/health")),
    ["POST", "/tokens", { name: "x", kind: "human" }],
    ["GET", "/tokens"],
    ["POST", "/integrations/detect", { url: "https://example.com" }],
  ] as const)("%s %s is forbidden", async (method, path, body?: unknown) => {
    expect((await product.request(method, path, body, tokens["agent"])).status).toBe(403)
  })
  test("sees the tools", async () => {
    expect(
      ((await product.request("GET", "/tools?integration=mine", undefined, tokens["agent"])).body as { items: unknown[] }).items,
    ).toHaveLength(2)
  })
})

test("nothing was changed by any of this", async () => {
  expect(await product.client.integrations.get("mine")).toMatchObject({ name: "T" })
  expect((await product.client.connections.list()).items.map((row) => row.address)).toEqual([
    "tools.mine.org.main",
    "tools.mine.user.private",
  ])
})

test("a revoked token is refused at the next request", async () => {
  const { id, token } = await product.client.tokens.create({ name: "short", kind: "human" })
  expect((await product.request("GET", "/tools", undefined, token)).status).toBe(200)
  await product.client.tokens.remove(id)
  expect((await product.request("GET", "/tools", undefined, token)).status).toBe(401)
})
