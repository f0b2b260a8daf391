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
  tokens["agent"] = (await product.client.tokens.create({ name: "agent", kind: "agent" })).token
})
afterAll(() => product.stop())

const reads = [
  "/integrations/mine",
  "/connections/org/mine/main",
  "/connections/user/mine/private",
  "/tools/schema?address=tools.mine.org.main.a.list",
  "/tools/schema?address=tools.mine.user.private.a.list",
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

describe("another tenant", () => {
  test.each(reads)("GET %s is not there", async (path) => {
    expect((await product.request("GET", path, undefined, tokens["stranger"])).status).toBe(404)
  })
  test.each(writes)("%s %s is not there", async (method, path, body) => {
    expect((await product.request(method, path, body, tokens["stranger"])).status).toBe(404)
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
