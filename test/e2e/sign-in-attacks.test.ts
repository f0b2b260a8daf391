// Attacks on signing in: whatever does not fit is refused in words, recorded, and makes nobody.
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { adminRole } from "../../src/core/people/role.ts"
import { systemClock } from "../../src/io/clock.ts"
import { newToken } from "../../src/identity/token-create.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import type { Store, UserRow } from "../../src/store/store.ts"
import { startLyingProvider } from "../servers/lying-provider.ts"
import type { LyingProvider } from "../servers/lying-provider.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let provider: LyingProvider
let store: Store
let otherTenant: string

const clientId = "executor"
const settings = (id: string, fields: object = {}) => ({
  id,
  name: id,
  issuer: provider.issuer,
  clientId,
  rules: [
    { value: "eng", roles: ["member"] },
    { value: "ops", roles: ["admin"] },
  ],
  ...fields,
})

beforeAll(async () => {
  product = await startProduct({
    env: {
      EXECUTOR_LIMITS: JSON.stringify({ signInAttemptsPerAddressMax: 1000, signInAttemptsPerAccountMax: 1000, oauthRequestMs: 1500 }),
    },
  })
  provider = await startLyingProvider(clientId)
  store = await openSqliteStore({ path: join(product.dataDir, "executor.db") })
  await store.tenants.ensure({ tenant: "other", id: "boss", name: "boss", roles: [adminRole] })
  const { row, token } = newToken({ tenant: "other", user: "boss" }, { name: "boss", kind: "human" }, systemClock)
  await store.tokens.put(row)
  otherTenant = token
  for (const body of [settings("acme"), settings("domains", { defaultRole: "member", rules: [], allow: { domains: ["acme.com"] } })])
    expect((await product.request("POST", "/signin/providers", body)).status).toBe(201)
  expect((await product.request("POST", "/signin/providers", settings("acme"), otherTenant)).status).toBe(201)
}, 120_000)
afterAll(async () => {
  await store.close()
  await provider.close()
  await product.stop()
})
beforeEach(() => {
  Object.assign(provider, { claims: {}, header: { alg: "RS256", kid: "one" }, signature: "good", metadata: {}, userinfo: {}, token: null })
})

type Started = { readonly state: string; readonly nonce: string; readonly key: string; readonly cookie: string }

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${product.url}${path}`, {
    method: "POST",
    headers: { origin: product.url, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })

async function start(id: string, body: object = {}): Promise<Started> {
  const response = await post(`/api/signin/oidc/${id}`, body)
  expect(response.status).toBe(200)
  const { url, key } = (await response.json()) as { url: string; key: string } // as the page reads it
  const query = new URL(url).searchParams
  expect(query.get("code_challenge_method")).toBe("S256")
  return {
    state: query.get("state") ?? "",
    nonce: query.get("nonce") ?? "",
    key,
    cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "",
  }
}

type Answer = {
  readonly status: number
  readonly message: string
  readonly cookies: readonly string[]
  readonly body: Record<string, unknown>
}

async function finish(flow: Started, answer: Record<string, string> = {}): Promise<Answer> {
  const query = new URLSearchParams({ code: "code", state: flow.state, ...answer }).toString()
  const response = await post("/signin/oidc/callback", { answer: query, key: flow.key }, { cookie: flow.cookie })
  const body = (await response.json()) as Record<string, unknown> & { error?: { message: string } } // as the page reads it
  return { status: response.status, message: body.error?.message ?? "", cookies: response.headers.getSetCookie(), body }
}

/** With claims that belong to the flow, unless they are said to be others. */
async function signIn(id: string, claims: object, answer: Record<string, string> = {}): Promise<Answer> {
  const flow = await start(id)
  provider.claims = { nonce: flow.nonce, ...claims }
  return finish(flow, answer)
}

const users = (tenant = "default"): Promise<UserRow[]> => store.users.list(tenant, { after: null, limit: 100 })
const lastRow = async () => (await product.client.audit.list({ action: "signin.oidc", limit: 1 })).items[0]

async function expectRefused(work: Promise<Answer>, reason: string, outcome = "forbidden"): Promise<string> {
  const before = await users()
  const answer = await work
  expect(answer.status, answer.message).toBeGreaterThanOrEqual(400)
  expect(answer.message).not.toBe("")
  expect(answer.cookies.filter((cookie) => cookie.includes("session"))).toEqual([])
  expect(await lastRow()).toMatchObject({ outcome, details: { reason, isAuthenticated: false } })
  expect(await users()).toEqual(before)
  return answer.message
}

const good = { sub: "good", groups: ["eng"], email: "good@acme.com", email_verified: true }

test("a good answer signs in, once", async () => {
  const flow = await start("acme")
  provider.claims = { nonce: flow.nonce, ...good }
  const first = await finish(flow)
  expect(first.status, first.message).toBe(200)
  expect(first.cookies.some((cookie) => /executor_session.*HttpOnly; SameSite=Strict/.test(cookie))).toBe(true)
  await expectRefused(finish(flow), "state")
})

test("of two who hand over the same answer at once, one gets in", async () => {
  const flow = await start("acme")
  provider.claims = { nonce: flow.nonce, ...good }
  const both = await Promise.all([finish(flow), finish(flow)])
  expect(both.map(({ status }) => status)).toContain(200)
  expect(both.map(({ status }) => status)).toContain(403)
})

test.each([
  ["nonce", { nonce: "another" }],
  ["nonce", { nonce: undefined }],
  ["iss", { iss: "https://evil.example" }],
  ["aud", { aud: "another-client" }],
  ["azp", { aud: [clientId], azp: "another-client" }],
  ["exp", { exp: 1 }],
])("a wrong %s is refused: %j", async (reason, claims) => {
  await expectRefused(signIn("acme", { ...good, ...claims }), reason, "unauthorized")
})

test("several audiences need to say which of them was meant", async () => {
  const answer = await signIn("acme", { ...good, aud: [clientId, "another"] })
  expect(answer.status).toBe(401)
})

test.each([
  ["none", { alg: "none" }],
  ["foreign", { alg: "RS256", kid: "one" }],
  ["good", { alg: "HS256" }],
  ["foreign", { alg: "RS256", kid: "unknown" }],
] as const)("a token with the signature %s and the header %j is refused", async (signature, header) => {
  Object.assign(provider, { signature, header })
  await expectRefused(signIn("acme", good), "signature", "unauthorized")
})

test("an unsigned token is refused also where the provider's metadata allows it", async () => {
  Object.assign(provider, {
    signature: "none",
    header: { alg: "none" },
    metadata: { id_token_signing_alg_values_supported: ["none", "RS256"] },
  })
  await expectRefused(signIn("acme", good), "signature", "unauthorized")
  provider.metadata = { id_token_signing_alg_values_supported: ["none", "HS256"] }
  const answer = await post("/api/signin/oidc/acme", {})
  expect(answer.status).toBe(400)
})

test("an unknown state, another issuer's answer and the provider's own refusal are told apart", async () => {
  const flow = await start("acme")
  await expectRefused(finish({ ...flow, state: "made-up" }), "state")
  await expectRefused(finish(flow, { iss: "https://evil.example" }), "iss", "unauthorized")
  const refused = await start("acme")
  const query = new URLSearchParams({ error: "access_denied", error_description: "<b>no</b>", state: refused.state }).toString()
  const response = await post("/signin/oidc/callback", { answer: query, key: refused.key }, { cookie: refused.cookie })
  expect(await response.text()).toContain("access_denied")
})

test("another browser, or another tab, cannot finish it", async () => {
  const [mine, theirs] = [await start("acme"), await start("acme")]
  provider.claims = { nonce: theirs.nonce, ...good }
  await expectRefused(finish({ ...theirs, cookie: "" }), "browser")
  await expectRefused(finish({ ...theirs, cookie: mine.cookie }), "browser")
  await expectRefused(finish({ ...theirs, key: mine.key }), "browser")
  expect((await finish(theirs)).status).toBe(200)
})

test("crafted claims give nothing, and only the value that a rule names makes an admin", async () => {
  const crafted = {
    sub: "crafted",
    roles: ["admin"],
    rights: ["admin"],
    role: "admin",
    groups: ["admin", "*"],
    realm_access: { roles: ["admin"] },
  }
  await expectRefused(signIn("acme", crafted), "no_role")
  expect((await signIn("acme", { sub: "operator", groups: ["ops"] })).status).toBe(200)
  expect((await users()).filter(({ roles }) => roles.some(({ role }) => role === "admin"))).toHaveLength(2)
})

test.each([
  ["an unverified address", "domains", { email: "x@acme.com", email_verified: false }, "email_unverified"],
  ["an address that nobody vouches for", "domains", { email: "x@acme.com" }, "email_unverified"],
  ["another domain", "domains", { email: "x@acme.com.evil.example", email_verified: true }, "domain"],
  [
    "groups that did not fit",
    "acme",
    { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://graph" } } },
    "overage",
  ],
])("%s is refused", async (_name, id, claims, reason) => {
  const message = await expectRefused(signIn(id, { sub: "mallory", ...claims }), reason)
  if (reason === "overage") expect(message).toContain("app roles")
})

test("an address that somebody has makes nobody that person", async () => {
  const victim = { ...(await users())[0], tenant: "default", id: "victim", name: "Victim", email: "victim@acme.com" } as UserRow // the rest is the local human's
  await store.users.put({ ...victim, roles: [{ role: "admin", from: "given" }], status: "active", isService: false })
  const message = await expectRefused(
    signIn("acme", { sub: "thief", groups: ["eng"], email: "Victim@acme.com", email_verified: true }),
    "email_taken",
  )
  expect(message).toContain("invite")
})

test("claims that are not in the token are asked for once, and never replace what is signed", async () => {
  provider.userinfo = { sub: "quiet", groups: ["eng"], email: "quiet@acme.com", email_verified: true }
  provider.ledger.length = 0
  expect((await signIn("acme", { sub: "quiet" })).status).toBe(200)
  expect(provider.ledger.filter((path) => path === "/userinfo")).toHaveLength(1)
  provider.userinfo = { sub: "somebody-else", groups: ["eng"] }
  await expectRefused(signIn("acme", { sub: "liar" }), "userinfo", "unauthorized")
})

test("roles follow the groups at every sign-in, and those given by hand stay", async () => {
  const person = { sub: "moving", email: "moving@acme.com", email_verified: true }
  const rolesNow = async () => (await users()).find(({ email }) => email === person.email)?.roles
  expect((await signIn("acme", { ...person, groups: ["eng", "ops"] })).status).toBe(200)
  expect(await rolesNow()).toEqual([
    { role: "member", from: "sso:acme" },
    { role: "admin", from: "sso:acme" },
  ])
  const row = (await users()).find(({ email }) => email === person.email) as UserRow // it was just made
  await store.users.put({ ...row, roles: [...row.roles, { role: "member", from: "given" }] })
  expect((await signIn("acme", { ...person, groups: [] })).status).toBe(200)
  expect(await rolesNow()).toEqual([{ role: "member", from: "given" }])
  await store.users.put({ ...row, roles: [{ role: "admin", from: "sso:acme" }] })
  expect((await signIn("acme", { ...person, groups: [] })).status).toBe(403)
  expect(await rolesNow()).toEqual([])
  await store.users.put({ ...row, status: "disabled" })
  expect((await signIn("acme", { ...person, groups: ["eng"] })).message).toContain("disabled")
})

test("two tenants with the same issuer stay apart", async () => {
  const flow = await start("acme", { tenant: "other" })
  provider.claims = { nonce: flow.nonce, ...good }
  expect((await finish(flow)).status).toBe(200)
  const [here, there] = [await users(), await users("other")]
  expect(there.filter(({ email }) => email === good.email)).toHaveLength(1)
  expect(here.find(({ email }) => email === good.email)?.id).not.toBe(there.find(({ email }) => email === good.email)?.id)
  const page = await (await fetch(`${product.url}/signin/other`)).text()
  expect([page.includes('data-oidc="acme"'), page.includes('data-oidc="domains"')]).toEqual([true, false])
  expect(await (await fetch(`${product.url}/signin/nowhere`)).text()).not.toContain("data-oidc=")
})

test.each(["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "evil", "/a\nb"])(
  "a return to %j is refused",
  async (path) => {
    const response = await post("/api/signin/oidc/acme", { return: path })
    expect(response.status).toBe(400)
  },
)

test("requests of other pages are refused, and so is an address that the provider does not lead back to", async () => {
  expect((await post("/api/signin/oidc/acme", {}, { origin: "https://evil.example" })).status).toBe(403)
  const response = await fetch(`${product.url}/signin/oidc/callback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  })
  expect(response.status).toBe(403)
  const port = new URL(product.url).port
  const localhost = await fetch(`http://localhost:${port}/api/signin/oidc/acme`, {
    method: "POST",
    headers: { origin: `http://localhost:${port}`, "content-type": "application/json" },
    body: "{}",
  })
  expect(await localhost.text()).toContain(`Sign in at ${product.url}/signin/default`)
})

test.each([
  ["is huge", (response: ServerResponse) => response.writeHead(200, { "content-type": "application/json" }).end("x".repeat(3_000_000))],
  ["is slow", () => {}],
  ["redirects", (response: ServerResponse) => response.writeHead(302, { location: "https://evil.example/" }).end()],
  ["is no JSON", (response: ServerResponse) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>")],
  [
    "has no ID token",
    (response: ServerResponse) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"access_token":"x","token_type":"Bearer"}'),
  ],
])("a provider whose answer %s", async (_name, token) => {
  provider.token = token
  const before = await users()
  const answer = await signIn("acme", good)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.message).not.toBe("")
  expect(await lastRow()).toMatchObject({ details: { isAuthenticated: false } })
  expect(await users()).toEqual(before)
})

test("settings are for admins, show no secret, and refuse roles that would make everybody powerful", async () => {
  const agent = (await product.client.tokens.create({ name: "agent", kind: "agent" })).token
  for (const [method, path, body] of [
    ["GET", "/signin/providers"],
    ["POST", "/signin/providers", settings("x")],
    ["PATCH", "/signin/providers/acme", { name: "x" }],
    ["DELETE", "/signin/providers/acme"],
    ["POST", "/signin/providers/acme/test"],
  ] as const)
    expect((await product.request(method, path, body, agent)).status).toBe(403)
  expect((await product.request("DELETE", "/signin/providers/domains", undefined, otherTenant)).status).toBe(404)
  await product.client.signIn.providers.update("domains", { clientSecret: "s3cret-value" })
  expect(JSON.stringify([await product.client.signIn.providers.list(), await product.client.audit.list({})])).not.toContain("s3cret-value")
  for (const wrong of [
    { defaultRole: "admin" },
    { defaultRole: "nobody" },
    { rules: [{ value: "*", roles: ["admin"] }] },
    { rules: [{ value: "a", roles: ["nobody"] }] },
    { rules: [{ value: "a", roles: [] }] },
    { allow: { domains: ["*"] } },
    { issuer: "http://idp.example.com" },
    { scopes: ["a b"] },
  ])
    expect((await product.request("PATCH", "/signin/providers/domains", wrong)).status, JSON.stringify(wrong)).toBe(400)
})

test("every one-time code that signs somebody in is in the audit, and every one that does not", async () => {
  const { code } = await product.client.sessions.create()
  const codeRow = async () => (await product.client.audit.list({ action: "signin.code", limit: 1 })).items[0]
  expect((await post("/signin", { code })).status).toBe(200)
  expect(await codeRow()).toMatchObject({ outcome: "ok", subject: "local", principal: { user: "local" } })
  for (const wrong of [code, "made-up"]) {
    expect((await post("/signin", { code: wrong })).status).toBe(401)
    const row = await codeRow()
    expect(row).toMatchObject({ outcome: "unauthorized", principal: { user: "anonymous" }, details: { isAuthenticated: false } })
    expect(JSON.stringify(row)).not.toContain(wrong)
  }
})

test("an empty list of whom to let in is refused, because it would be everybody", async () => {
  for (const allow of [{ domains: [] }, { values: [] }, { domains: ["acme.com"], values: [] }]) {
    expect((await product.request("POST", "/signin/providers", settings("nobody", { allow }))).status).toBe(400)
    expect((await product.request("PATCH", "/signin/providers/domains", { allow })).status).toBe(400)
  }
})

test("another issuer is not sent the secret of the one before", async () => {
  expect((await product.request("POST", "/signin/providers", settings("secretive", { clientSecret: "s3cret" }))).status).toBe(201)
  const change = (fields: object) => product.request("PATCH", "/signin/providers/secretive", fields)
  const issuer = "https://other.example"
  for (const fields of [{ issuer }, { issuer, clientSecret: "***" }]) expect((await change(fields)).status).toBe(400)
  expect((await change({ issuer: provider.issuer, name: "Same" })).status).toBe(200)
  expect((await change({ issuer, clientSecret: "another" })).status).toBe(200)
  // Where there is no secret, there is nothing to send.
  expect((await product.request("POST", "/signin/providers", settings("public"))).status).toBe(201)
  expect((await product.request("PATCH", "/signin/providers/public", { issuer })).status).toBe(200)
})

test("a provider is not removed while the last admin is one by it alone", async () => {
  const scope = { tenant: "other", user: "boss" }
  const boss = await store.users.get(scope)
  if (boss === null) throw new Error("They were made")
  await store.users.put({ ...boss, roles: [{ role: adminRole, from: "sso:acme" }] })
  const remove = () => product.request("DELETE", "/signin/providers/acme", undefined, otherTenant)
  const refused = await remove()
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining("without an admin")])
  expect((await store.users.get(scope))?.roles).toEqual([{ role: adminRole, from: "sso:acme" }])
  await store.users.put(boss)
  expect((await remove()).status).toBe(204)
})
