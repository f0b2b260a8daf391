// Attacks on who somebody becomes by signing in: claims, roles, the settings of providers, and one-time codes.
import { expect, test } from "vitest"
import { adminRole } from "../../src/core/people/role.ts"
import type { UserRow } from "../../src/store/store.ts"
import { expectRefused, otherTenant, post, product, provider, settings, signIn, store, users } from "./sign-in-attack.ts"

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

test("an admin reads what a provider said of somebody, and what became of it", async () => {
  const groups = Array.from({ length: 3000 }, (_, at) => `group-${at}`)
  const person = { sub: "told", name: "<b>Told</b>", email: "told@acme.com", email_verified: true }
  expect((await signIn("acme", { ...person, groups: ["eng", ...groups] })).status).toBe(200)
  const { id = "", source } = (await users()).find(({ email }) => email === person.email) ?? {}
  expect(source).toBe("sso:acme")
  const [large] = await product.client.users.signIns(id)
  expect(large).toMatchObject({ provider: "acme", subject: "told", isComplete: false, roles: ["member"], refusal: null })
  expect(large?.claims).not.toHaveProperty("groups")
  expect((await signIn("acme", { ...person, groups: ["sales"] })).status).toBe(403)
  const records = await product.client.users.signIns(id)
  expect(records).toMatchObject([{ isComplete: true, claims: { ...person, groups: ["sales"] }, values: ["sales"], roles: [] }])
  expect(records[0]?.refusal).toContain("nothing here gives you a role")
  await expect(product.client.users.signIns("nobody")).rejects.toMatchObject({ code: "not_found" })
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
