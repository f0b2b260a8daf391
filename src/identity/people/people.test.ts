// Tests that people change only as an admin wants, and never so that nobody administers any more.
import { expect, test } from "vitest"
import type { UserFilter } from "../../core/people/user.ts"
import type { Principal } from "../../core/principal.ts"
import { systemClock } from "../../io/clock.ts"
import { newId } from "../../io/ids.ts"
import { agentGrantRow } from "../../store/testing/people/agent-grant-samples.ts"
import { openPeopleParts } from "../testing/people-parts.ts"
import { policyRow } from "../../store/testing/samples.ts"
import { createAccess } from "../access.ts"
import { newToken } from "../token-create.ts"
import { readMe } from "./me.ts"
import { createRole, getRole, listRoles, removeRole, updateRole } from "./roles.ts"
import { createTenant, listTenants } from "./tenants.ts"
import { createUser, getUser, listUsers, removeUser, updateUser } from "./users.ts"

const opened = await openPeopleParts()
const { store } = opened
const parts = { ...opened, access: createAccess(store, opened.clock) }

async function setUp() {
  const tenant = newId("tenant")
  await store.tenants.ensure({ tenant, id: "alice", name: "Alice", roles: ["admin"] })
  const principal = async (user: string): Promise<Principal> => {
    const found = await parts.access.of({ tenant, user, tokenId: null })
    if (found === null) throw new Error(`${user} is active`)
    return found.principal
  }
  return { tenant, admin: await principal("alice"), principal }
}

const conflict = { code: "conflict" }
const forbidden = { code: "forbidden" }

test("an admin adds, changes and removes people", async () => {
  const { admin } = await setUp()
  const anna = await createUser(admin, { name: " Anna Lee ", email: "Anna@Example.com", roles: ["member"] }, parts)
  const roles = [{ role: "member", from: "given" }]
  const rest = { email: "anna@example.com", status: "active", roles, service: false, source: "local", lastSeenAt: null }
  expect(anna).toEqual({ id: "anna", name: "Anna Lee", ...rest })
  expect((await createUser(admin, { name: "Änna", roles: [] }, parts)).id).toBe("anna-2")
  const { before, after } = await updateUser(admin, "anna", { name: "Anna", email: null, roles: ["admin"] }, parts)
  expect([before, after]).toMatchObject([anna, { name: "Anna", email: null, roles: [{ role: "admin", from: "given" }] }])
  expect((await listUsers(admin, {}, parts)).items.map(({ id }) => id)).toEqual(["alice", "anna", "anna-2"])
  await removeUser(admin, "anna", parts)
  await expect(getUser(admin, "anna", parts)).rejects.toMatchObject({ code: "not_found" })
})

test.each([
  [{ id: "anonymous", name: "x", roles: [] }, "invalid_request"],
  [{ id: "tok_1", name: "x", roles: [] }, "invalid_request"],
  [{ id: "a:b", name: "x", roles: [] }, "invalid_request"],
  [{ id: "", name: "x", roles: [] }, "invalid_request"],
  [{ id: "Bob", name: "x", roles: [] }, "invalid_request"],
  [{ id: "alice", name: "x", roles: [] }, "conflict"],
  [{ name: "", roles: [] }, "invalid_request"],
  [{ name: "two\nlines", roles: [] }, "invalid_request"],
  [{ name: "\u202Egnp", roles: [] }, "invalid_request"],
  [{ name: "x", email: "no address", roles: [] }, "invalid_request"],
  [{ name: "x", roles: ["nobody"] }, "invalid_request"],
] as const)("%o is refused: %s", async (input, code) => {
  const { admin } = await setUp()
  await expect(createUser(admin, input, parts)).rejects.toMatchObject({ code })
  expect((await listUsers(admin, {}, parts)).items).toHaveLength(1)
})

test("nobody takes the id of somebody whose history is kept, or an address that is somebody's", async () => {
  const { admin } = await setUp()
  await createUser(admin, { id: "bob", name: "Bob", email: "bob@example.com", roles: [] }, parts)
  await expect(createUser(admin, { name: "B", email: "BOB@example.com", roles: [] }, parts)).rejects.toMatchObject(conflict)
  const row = {
    tenant: admin.tenant,
    id: newId("aud"),
    at: "2026-11-01T12:00:00.000Z",
    user: "bob",
    principalKind: "human",
    tokenId: null,
  } as const
  const facts = { action: "call", subject: "x", executionId: null, decision: null, rule: null, outcome: "ok", details: "{}" }
  await parts.executions.journal.append([{ kind: "audit", row: { ...row, ...facts } }], "now")
  await removeUser(admin, "bob", parts)
  await expect(createUser(admin, { id: "bob", name: "Bob", roles: [] }, parts)).rejects.toThrow("still names an earlier user 'bob'")
  expect((await createUser(admin, { name: "Bob", roles: [] }, parts)).id).toBe("bob-2")
})

test("nobody removes or disables themselves, or the last admin by any way", async () => {
  const { admin, principal } = await setUp()
  await createRole(admin, { id: "boss", name: "Boss", patterns: ["*"], rights: ["admin"] }, parts)
  await createUser(admin, { id: "bob", name: "Bob", roles: ["boss"] }, parts)
  const bob = await principal("bob")
  await expect(removeUser(admin, "alice", parts)).rejects.toMatchObject(conflict)
  await expect(updateUser(admin, "alice", { status: "disabled" }, parts)).rejects.toMatchObject(conflict)
  await updateUser(bob, "alice", { roles: [] }, parts)
  await expect(removeUser(admin, "bob", parts)).rejects.toMatchObject(forbidden)
  await expect(updateUser(bob, "bob", { roles: ["member"] }, parts)).rejects.toMatchObject(conflict)
  await expect(updateRole(bob, "boss", { rights: [] }, parts)).rejects.toMatchObject(conflict)
  await createUser(bob, { id: "robot", name: "Robot", roles: ["admin"], service: true }, parts)
  await expect(updateUser(bob, "bob", { roles: [] }, parts)).rejects.toMatchObject(conflict)
})

test("of admins who remove and disable each other at once, one stays", async () => {
  const { admin, principal } = await setUp()
  for (const id of ["bob", "carol"]) await createUser(admin, { id, name: id, roles: ["admin"] }, parts)
  const [bob, carol] = [await principal("bob"), await principal("carol")]
  const done = await Promise.allSettled([
    removeUser(bob, "carol", parts),
    updateUser(carol, "bob", { status: "disabled" }, parts),
    updateUser(admin, "bob", { roles: [] }, parts),
    updateUser(bob, "alice", { status: "disabled" }, parts),
    removeUser(carol, "alice", parts),
  ])
  expect(done.some(({ status }) => status === "rejected")).toBe(true)
  const rows = await store.users.list(admin.tenant, { after: null, limit: 9 })
  expect(rows.filter(({ status, roles }) => status === "active" && roles.some(({ role }) => role === "admin"))).not.toHaveLength(0)
})

test("what somebody had when they were disabled or removed stays dead, with the tokens that they made for others", async () => {
  const { tenant, admin } = await setUp()
  await createUser(admin, { id: "robot", name: "Robot", roles: ["member"], service: true }, parts)
  for (const end of [
    async (id: string) => {
      await updateUser(admin, id, { status: "disabled" }, parts)
      await updateUser(admin, id, { status: "active" }, parts)
    },
    (id: string) => removeUser(admin, id, parts),
  ]) {
    const { id } = await createUser(admin, { name: "Bob", roles: ["admin"] }, parts)
    const bob = { tenant, user: id }
    const own = (["human", "agent"] as const).map((kind) => newToken(bob, { name: kind, kind }, systemClock).row)
    const made = { ...newToken({ tenant, user: "robot" }, { name: "made", kind: "agent" }, systemClock).row, createdBy: id }
    const other = { ...newToken({ tenant, user: "robot" }, { name: "other", kind: "agent" }, systemClock).row, createdBy: "alice" }
    for (const row of [...own, made, other]) await store.tokens.put(row)
    const grant = agentGrantRow(bob, { expiresAt: "2999-01-01T00:00:00.000Z" })
    await store.agentGrants.put(grant)
    await end(id)
    for (const { hash } of [...own, made]) expect(await store.tokens.findByHash(hash)).toBeNull()
    expect(await store.agentGrants.findByCode(grant.codeHash)).toBeNull()
    expect(await store.tokens.findByHash(other.hash)).toMatchObject({ name: "other" })
    expect((await store.tokens.names(tenant, [made.id])).get(made.id)).toBe("made")
  }
})

test("the human of this machine stays, whoever else is an admin", async () => {
  await store.tenants.ensure({ tenant: "default", id: "local", name: "Local", roles: ["admin"] })
  await store.tenants.ensure({ tenant: "default", id: "eve", name: "Eve", roles: ["admin"] })
  const eve: Principal = { tenant: "default", user: "eve", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null }
  for (const attempt of [
    removeUser(eve, "local", parts),
    updateUser(eve, "local", { status: "disabled" }, parts),
    updateUser(eve, "local", { roles: ["member"] }, parts),
  ])
    await expect(attempt).rejects.toMatchObject(conflict)
})

test("people are found by what is known of them, page by page", async () => {
  const { admin, principal } = await setUp()
  for (const [id, role] of [
    ["anna", "member"],
    ["ben", "admin"],
    ["bea", "member"],
  ] as const)
    await createUser(admin, { id, name: id.toUpperCase(), email: `${id}@example.com`, roles: [role] }, parts)
  await updateUser(admin, "bea", { status: "disabled" }, parts)
  const found = async (filter: UserFilter): Promise<string[]> => (await listUsers(admin, filter, parts)).items.map(({ id }) => id)
  expect(await found({ query: " EA@exam " })).toEqual(["bea"])
  expect(await found({ status: "disabled" })).toEqual(["bea"])
  expect(await found({ role: "member", status: "active" })).toEqual(["anna"])
  expect(await found({ source: "sso" })).toEqual([])
  expect(await found({ service: true })).toEqual([])
  expect(await found({ service: false, role: "admin" })).toEqual(["alice", "ben"])
  const first = await listUsers(admin, { query: "example.com", limit: 2 }, parts)
  const second = await listUsers(admin, { query: "example.com", limit: 2, cursor: first.nextCursor ?? "" }, parts)
  expect([first, second].map(({ items }) => items.map(({ id }) => id))).toEqual([["anna", "bea"], ["ben"]])
  expect(second.nextCursor).toBeNull()
  const counts = (await listRoles(admin, {}, parts)).items.map(({ id, people }) => [id, people])
  expect(counts).toEqual(expect.arrayContaining([["member", 2]]))
  const anna = await principal("anna")
  expect(await listUsers(anna, { query: "ben" }, parts)).toEqual({ items: [], nextCursor: null })
  expect((await listRoles(anna, {}, parts)).items).toMatchObject([{ id: "member", people: null }])
})

test("a member sees themselves, and changes nothing; an agent sees nobody", async () => {
  const { admin, principal } = await setUp()
  await createUser(admin, { id: "bob", name: "Bob", roles: ["member"] }, parts)
  const bob = await principal("bob")
  expect((await listUsers(bob, {}, parts)).items.map(({ id }) => id)).toEqual(["bob"])
  expect((await listRoles(bob, {}, parts)).items.map(({ id }) => id)).toEqual(["member"])
  await expect(getUser(bob, "alice", parts)).rejects.toMatchObject({ code: "not_found" })
  await expect(getRole(bob, "admin", parts)).rejects.toMatchObject({ code: "not_found" })
  const agent: Principal = { ...admin, kind: "agent" }
  for (const who of [bob, agent])
    for (const attempt of [
      createUser(who, { name: "x", roles: ["admin"] }, parts),
      updateUser(who, "bob", { roles: ["admin"] }, parts),
      removeUser(who, "alice", parts),
      createRole(who, { id: "x", name: "x", patterns: ["*"], rights: ["admin"] }, parts),
      updateRole(who, "member", { rights: ["admin"] }, parts),
      removeRole(who, "member", parts),
    ])
      await expect(attempt).rejects.toMatchObject(forbidden)
  await expect(listUsers(agent, {}, parts)).rejects.toMatchObject(forbidden)
})

test("whoever was demoted or disabled a moment ago changes nothing any more", async () => {
  const { admin, principal } = await setUp()
  for (const id of ["bob", "carol"]) await createUser(admin, { id, name: id, roles: ["admin"] }, parts)
  const [bob, carol] = [await principal("bob"), await principal("carol")]
  await updateUser(admin, "bob", { status: "disabled" }, parts)
  await updateUser(admin, "carol", { roles: ["member"] }, parts)
  for (const who of [bob, carol]) await expect(updateUser(who, "carol", { roles: ["admin"] }, parts)).rejects.toMatchObject(forbidden)
})

test("a role as the seed writes it; built-in ones stay; one in use names its people", async () => {
  const { admin } = await setUp()
  const seed = { id: "developer", name: "Developer", patterns: ["github.**", "linear.issues.*", "slack.channels.list"] }
  expect(await createRole(admin, seed, parts)).toEqual({ ...seed, description: "", rights: [] })
  await expect(createRole(admin, seed, parts)).rejects.toMatchObject(conflict)
  await expect(createRole(admin, { ...seed, id: "x", patterns: ["git-hub.*"] }, parts)).rejects.toThrow(
    /"-" at position 4 .*github\.issues\.\*/,
  )
  await expect(createRole(admin, { ...seed, id: "x", rights: ["root"] }, parts)).rejects.toThrow(/there are admin, auditor/)
  await expect(updateRole(admin, "admin", { patterns: [] }, parts)).rejects.toMatchObject(conflict)
  for (const id of ["admin", "member"]) await expect(removeRole(admin, id, parts)).rejects.toMatchObject(conflict)
  const { before, after } = await updateRole(admin, "member", { patterns: ["github.**"], rights: ["approve:github.*"] }, parts)
  expect([before.patterns, after]).toMatchObject([["*"], { id: "member", name: "Member", rights: ["approve:github.*"] }])
  await createUser(admin, { id: "bob", name: "Bob", roles: ["developer"] }, parts)
  await expect(removeRole(admin, "developer", parts)).rejects.toMatchObject({ ...conflict, details: { users: ["bob"], invitations: [] } })
  await updateUser(admin, "bob", { roles: [] }, parts)
  expect(await removeRole(admin, "developer", parts)).toMatchObject({ id: "developer" })
})

test("everybody learns who they are, and where each role and right comes from", async () => {
  const { admin, principal } = await setUp()
  await createRole(admin, { id: "lead", name: "Lead", patterns: [], rights: ["people.invite", "auditor"] }, parts)
  await createRole(admin, { id: "audit", name: "Audit", patterns: [], rights: ["auditor"] }, parts)
  await createUser(admin, { id: "bob", name: "Bob", roles: ["lead", "audit"] }, parts)
  const row = await store.users.get({ tenant: admin.tenant, user: "bob" })
  if (row !== null) await store.users.put({ ...row, roles: [...row.roles, { role: "member", from: "sso:okta" }] })
  expect(await readMe(await principal("bob"), parts)).toMatchObject({
    id: "bob",
    kind: "human",
    roles: [
      { role: "lead", from: "given" },
      { role: "audit", from: "given" },
      { role: "member", from: "sso:okta" },
    ],
    rights: [
      { right: "people.invite", from: ["lead"] },
      { right: "auditor", from: ["lead", "audit"] },
    ],
    token: null,
  })
  const { after } = await updateUser(admin, "bob", { roles: ["audit"] }, parts)
  expect(after.roles.map(({ role }) => role)).toEqual(["audit", "member"])
})

test("tenants are for the human of this machine alone", async () => {
  await store.tenants.ensure({ tenant: "default", id: "local", name: "Local", roles: ["admin"] })
  const operator: Principal = { tenant: "default", user: "local", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null }
  const { admin } = await setUp()
  const id = newId("t").replace("_", "-").toLowerCase()
  for (const who of [admin, { ...operator, user: "eve" }, { ...operator, tenant: admin.tenant }, { ...operator, kind: "agent" as const }]) {
    await expect(createTenant(who, { id }, parts)).rejects.toMatchObject(forbidden)
    await expect((async () => listTenants(who, {}, parts))()).rejects.toMatchObject(forbidden)
  }
  const tries = await Promise.allSettled([createTenant(operator, { id }, parts), createTenant(operator, { id }, parts)])
  expect(tries.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
  await expect(createTenant(operator, { id: "No" }, parts)).rejects.toMatchObject({ code: "invalid_request" })
  expect((await listTenants(operator, {}, parts)).items.map((tenant) => tenant.id)).toContain(id)
  expect((await parts.access.of({ tenant: id, user: "admin", tokenId: null }))?.principal.rights).toEqual(["admin"])
})

test("a role that a provider or a policy names is in use, and says where", async () => {
  const { tenant, admin } = await setUp()
  const provider = {
    tenant,
    id: "acme",
    name: "Acme",
    issuer: "https://issuer.example",
    clientId: "c",
    scopes: "[]",
    claim: "groups",
    rules: '[{"value":"eng-*","roles":["ruled"]}]',
    defaultRole: "fallback",
    allow: "{}",
    createdAt: "2026-11-01T12:00:00.000Z",
  }
  await store.signInProviders.put(provider)
  const [bound, answered] = [policyRow("org", { role: "bound" }), policyRow("user", { by: '{"role":"answers"}' })]
  await store.policies.put({ tenant, user: "alice" }, bound)
  await store.tenants.ensure({ tenant, id: "bob", name: "Bob", roles: ["member"] })
  await store.policies.put({ tenant, user: "bob" }, answered)
  for (const [id, details] of [
    ["ruled", { providers: ["acme"], policies: [] }],
    ["fallback", { providers: ["acme"], policies: [] }],
    ["bound", { providers: [], policies: [bound.id] }],
    ["answers", { providers: [], policies: [answered.id] }],
  ] as const) {
    await createRole(admin, { id, name: id, patterns: [] }, parts)
    const named = [...details.providers.map((one) => `the sign-in provider ${one}`), ...details.policies.map((one) => `the policy ${one}`)]
    await expect(removeRole(admin, id, parts)).rejects.toMatchObject({
      code: "conflict",
      details,
      message: expect.stringContaining(named[0] ?? ""),
    })
  }
  await createRole(admin, { id: "free", name: "Free", patterns: [] }, parts)
  expect((await removeRole(admin, "free", parts)).id).toBe("free")
})
