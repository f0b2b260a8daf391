// Attacks by members and agents: nobody raises themselves, or reads and changes people of others, through any route.
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { newToken } from "../../src/identity/token-create.ts"
import { systemClock } from "../../src/io/clock.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
const tokens: Record<string, string> = {}
const ids: Record<string, string> = {}
const as = (who: string, method: string, path: string, body?: unknown) => product.request(method, path, body, tokens[who])

beforeAll(async () => {
  product = await startProduct()
  const { client } = product
  await client.roles.create({ id: "lead", name: "Lead", patterns: ["github.**"], rights: ["people.invite"] })
  await client.roles.create({ id: "reader", name: "Reader", patterns: ["github.issues.list"] })
  await client.roles.create({ id: "audits", name: "Audits", patterns: [], rights: ["auditor"] })
  const { token } = await client.tenants.create({ id: "acme" })
  tokens["stranger"] = token
  tokens["agent"] = (await client.tokens.create({ name: "agent", kind: "agent" })).token
  await client.users.create({ id: "robot", name: "Robot", roles: ["member"], service: true })
  tokens["robot"] = (await client.tokens.create({ name: "robot", kind: "agent", user: "robot" })).token
  ids["invitation"] = (await client.invitations.create({ name: "Guest", roles: ["reader"] })).id
})
afterAll(() => product.stop())

const administration: readonly [string, string, unknown?][] = [
  ["POST", "/users", { name: "x", roles: ["admin"] }],
  ["PATCH", "/users/robot", { roles: ["admin"] }],
  ["PATCH", "/users/local", { status: "disabled" }],
  ["DELETE", "/users/robot"],
  ["POST", "/roles", { id: "x", name: "x", patterns: ["*"], rights: ["admin"] }],
  ["PATCH", "/roles/member", { rights: ["admin"] }],
  ["DELETE", "/roles/reader"],
  ["POST", "/tenants", { id: "mine" }],
  ["GET", "/tenants"],
  ["POST", "/invitations", { roles: ["admin"] }],
  ["POST", "/tokens", { name: "x", kind: "agent", user: "robot" }],
]

describe("an agent of an admin, and one of a service account", () => {
  test.each([
    ...administration,
    ["GET", "/users"],
    ["GET", "/roles"],
    ["GET", "/sessions"],
    ["GET", "/invitations"],
    ["POST", "/roles/preview", { patterns: ["*"] }],
    ["POST", "/tokens", { name: "x", kind: "human" }],
    ["POST", "/sessions"],
  ] as const)("%s %s is forbidden", async (method, path, body?: unknown) => {
    for (const who of ["agent", "robot"]) expect((await as(who, method, path, body)).status).toBe(403)
  })
  test("knows who it is, without rights", async () => {
    expect((await as("agent", "GET", "/me")).body).toMatchObject({ id: "local", kind: "agent", rights: [] })
  })
})

describe("an admin of another tenant", () => {
  test.each([
    ["GET", "/users/robot"],
    ["PATCH", "/users/robot", { roles: ["admin"] }],
    ["DELETE", "/users/robot"],
    ["GET", "/roles/reader"],
    ["PATCH", "/roles/reader", { patterns: ["*"] }],
    ["DELETE", "/roles/reader"],
    ["POST", "/tokens", { name: "x", kind: "agent", user: "robot" }],
  ] as const)("%s %s is not there", async (method, path, body?: unknown) => {
    expect((await as("stranger", method, path, body)).status).toBe(404)
  })
  test("finds none of our people, roles, tokens and invitations, and runs no server", async () => {
    for (const [path, own] of [
      ["/users", ["admin"]],
      ["/roles", ["admin", "member"]],
      ["/invitations", []],
      ["/sessions", []],
    ] as const)
      expect(((await as("stranger", "GET", path)).body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(own)
    expect((await as("stranger", "DELETE", `/invitations/${ids["invitation"]}`)).status).toBe(404)
    expect((await as("stranger", "GET", "/tenants")).status).toBe(403)
    expect((await as("stranger", "POST", "/tenants", { id: "mine" })).status).toBe(403)
  })
})

test("nobody gets a token of another person, or a human's of a service account", async () => {
  await product.client.users.create({ id: "bob", name: "Bob", roles: ["member"] })
  expect((await product.request("POST", "/tokens", { name: "x", kind: "agent", user: "bob" })).status).toBe(403)
  expect((await product.request("POST", "/tokens", { name: "x", kind: "human", user: "robot" })).status).toBe(403)
  expect((await product.request("POST", "/tokens", { name: "x", kind: "human", patterns: ["*"] })).status).toBe(400)
  expect((await product.request("POST", "/tokens", { name: "x", kind: "agent", expiresAt: "2001-01-01" })).status).toBe(400)
})

/** Tokens of people come from their sign-in, which is tried elsewhere: here they are written straight into the store. */
async function signIn(user: string): Promise<void> {
  const store = await openSqliteStore({ path: join(product.dataDir, "executor.db") })
  const { row, token } = newToken({ tenant: "default", user }, { name: user, kind: "human" }, systemClock)
  await store.tokens.put(row)
  await store.close()
  tokens[user] = token
}

test("an admin becomes the operator by no invitation", async () => {
  const { client } = product
  await client.users.create({ id: "boss", name: "Boss", roles: ["admin"] })
  await signIn("boss")
  expect((await as("boss", "GET", "/tenants")).status).toBe(403)
  for (const roles of [[], ["admin"]])
    expect(await as("boss", "POST", "/invitations", { user: "local", roles })).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining("'local' is the operator") } },
    })
  expect((await as("boss", "POST", "/invitations", { user: "boss", roles: [] })).status).toBe(201)
  expect((await client.invitations.create({ user: "local", roles: [] })).user).toBe("local")
})

test("nobody invites anybody, themselves included, into a role that answers for others", async () => {
  const { client } = product
  await client.roles.create({ id: "hr", name: "HR", patterns: ["shop.**"], rights: ["people.invite"] })
  await client.roles.create({ id: "finance", name: "Finance", patterns: [], rights: [] })
  await client.users.create({ id: "mallory", name: "Mallory", roles: ["hr"] })
  await signIn("mallory")
  const early = await as("mallory", "POST", "/invitations", { roles: ["finance"] })
  expect(early.status).toBe(201)
  await client.policies.create({ owner: "org", pattern: "shop.**", action: "require_approval", by: { role: "finance" } })
  expect(await as("mallory", "POST", "/invitations", { roles: ["finance"] })).toMatchObject({
    status: 403,
    body: { error: { code: "forbidden", message: expect.stringContaining("A policy names the role 'finance'") } },
  })
  const own = (await as("mallory", "POST", "/invitations", { roles: ["hr"] })).body as { token: string }
  for (const { token } of [early.body as { token: string }, own])
    expect((await as("mallory", "POST", "/invitations/accept", { token })).status).toBe(403)
  expect((await client.users.get("mallory")).roles).toEqual([{ role: "hr", from: "given" }])
})

test("a disabled service account's agent is refused at once and for good, and nobody removes the last admin", async () => {
  expect((await as("robot", "GET", "/me")).status).toBe(200)
  await product.client.users.update("robot", { status: "disabled" })
  expect((await as("robot", "GET", "/me")).status).toBe(401)
  await product.client.users.update("robot", { status: "active" })
  expect((await as("robot", "GET", "/me")).status).toBe(401)
  for (const [method, body] of [["DELETE"], ["PATCH", { status: "disabled" }], ["PATCH", { roles: [] }]] as const)
    expect((await product.request(method, "/users/local", body)).status).toBe(409)
})

test("every change is in the audit, with before and after", async () => {
  await product.client.roles.update("reader", { patterns: ["github.**"] })
  const { items } = await product.client.audit.list({ action: "role.update" })
  expect(items[0]).toMatchObject({
    subject: "reader",
    outcome: "ok",
    details: { before: { patterns: ["github.issues.list"] }, after: { patterns: ["github.**"] } },
  })
  expect((await product.client.audit.list({ action: "user.disable", outcome: "ok" })).items[0]).toMatchObject({ subject: "robot" })
})
