// Conformance of tenants, users, roles, tokens and policies.
import { describe, expect, it } from "vitest"
import type { StoreUnderTest } from "../suite.ts"
import { connectionSecretRef } from "../../store.ts"
import { connectionRef, connectionRow, ensureUser, integrationRow, newScope, policyRow, roleRow, tokenRow, userRow } from "../samples.ts"

export function testIdentity(use: () => StoreUnderTest): void {
  describe("tenants", () => {
    it("makes a user once and never changes it", async () => {
      const { store } = use()
      const scope = newScope()
      expect(await store.users.get(scope)).toBeNull()
      const user = { tenant: scope.tenant, id: scope.user, name: "Alice", roles: ["admin", "ops"] }
      await store.tenants.ensure(user)
      await store.tenants.ensure({ ...user, name: "Mallory", roles: [] })
      const given = ["admin", "ops"].map((role) => ({ role, from: "given" }))
      const rest = { email: null, status: "active", isService: false, source: "local", lastSeenAt: null, createdAt: expect.any(String) }
      expect(await store.users.get(scope)).toEqual({ ...user, ...rest, roles: given })
    })

    it("lists every tenant in pages", async () => {
      const { store, other } = use()
      const ids = [newScope(), newScope()].map(({ tenant }) => tenant).toSorted()
      for (const tenant of ids) await ensureUser(store, { tenant, user: "alice" })
      const [first = "", second = ""] = ids
      const next = await other.tenants.list({ after: first, limit: 100 })
      expect(next.map(({ id }) => id)).toContain(second)
      expect(next.map(({ id }) => id)).not.toContain(first)
      expect(await other.tenants.list({ after: null, limit: 1 })).toHaveLength(1)
    })

    it("lets two processes make the same user at once", async () => {
      const { store, other } = use()
      const scope = newScope()
      await Promise.all([store, other, store, other].map((one) => ensureUser(one, scope)))
      expect(await store.users.get(scope)).not.toBeNull()
    })
  })

  describe("users", () => {
    it("keeps all that is known of a person, and changes it everywhere", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const bob = userRow(scope, { id: "bob", email: "bob@example.com", roles: [{ role: "ops", from: "sso:okta" }] })
      await store.users.put(bob)
      expect(await other.users.get({ ...scope, user: "bob" })).toEqual(bob)
      const before = store.revision()
      await store.users.seen({ ...scope, user: "bob" }, "2026-11-02T12:00:00.000Z")
      expect(store.revision()).toBe(before)
      await store.users.put({ ...bob, status: "disabled", isService: true, lastSeenAt: "2026-11-02T12:00:00.000Z" })
      expect(store.revision()).not.toBe(before)
      expect(await other.users.get({ ...scope, user: "bob" })).toMatchObject({ status: "disabled", isService: true })
      expect((await other.users.list(scope.tenant, { after: null, limit: 9 })).map(({ id }) => id)).toEqual(["alice", "bob"])
      expect((await other.users.list(scope.tenant, { after: "alice", limit: 9 })).map(({ id }) => id)).toEqual(["bob"])
    })

    it("takes a user's tokens along, and leaves other people's", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await store.users.put(userRow(scope, { id: "bob" }))
      const [own, others] = [tokenRow({ ...scope, user: "bob" }), tokenRow(scope)]
      for (const token of [own, others]) await store.tokens.put(token)
      expect(await store.users.remove({ ...scope, user: "bob" })).toBe(true)
      expect(await store.users.remove({ ...scope, user: "bob" })).toBe(false)
      expect(await other.tokens.findByHash(own.hash)).toBeNull()
      expect(await other.tokens.findByHash(others.hash)).toEqual(others)
    })

    it("takes a user's own connections, credentials and rules along, and leaves what others have", async () => {
      const { store, other } = use()
      const scope = newScope()
      const bob = { ...scope, user: "bob" }
      for (const one of [scope, bob]) await ensureUser(store, one)
      await store.integrations.put(scope, integrationRow("github"))
      const ref = connectionRef("github", "user", "main")
      for (const one of [scope, bob]) {
        await store.connections.put(one, connectionRow("github", "user", "main"))
        await store.credentials.put(one, connectionSecretRef(one, ref), new Uint8Array([1]))
        await store.policies.put(one, policyRow("user"))
      }
      await store.users.remove(bob)
      await store.users.put(userRow(bob))
      expect(await other.connections.get(bob, ref)).toBeNull()
      expect(await other.credentials.get(bob, connectionSecretRef(bob, ref))).toBeNull()
      expect(await other.policies.list(bob)).toEqual([])
      expect(await other.connections.get(scope, ref)).not.toBeNull()
      expect(await other.credentials.get(scope, connectionSecretRef(scope, ref))).not.toBeNull()
      expect(await other.policies.list(scope)).toHaveLength(1)
      expect(await store.users.remove({ ...scope, user: "" })).toBe(false)
    })

    it("refuses a user of a tenant that does not exist", async () => {
      await expect(use().store.users.put(userRow(newScope()))).rejects.toThrow(/foreign key/i)
    })
  })

  describe("roles", () => {
    it("keeps, replaces and removes them by id", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const role = roleRow({ id: "developer" })
      await store.roles.put(scope.tenant, role)
      await store.roles.put(scope.tenant, roleRow({ id: "auditors", rights: ["auditor", "approve:github.**"] }))
      await store.roles.put(scope.tenant, { ...role, name: "Dev" })
      expect(await other.roles.list(scope.tenant)).toEqual([
        roleRow({ id: "auditors", rights: ["auditor", "approve:github.**"] }),
        { ...role, name: "Dev" },
      ])
      expect(await store.roles.remove(scope.tenant, "developer")).toBe(true)
      expect(await store.roles.remove(scope.tenant, "developer")).toBe(false)
      expect(await other.roles.list(newScope().tenant)).toEqual([])
    })
  })

  describe("tokens", () => {
    it("keeps what narrows a token, when it ends, and whose client it is", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const token = tokenRow(scope, {
        patterns: '["github.**"]',
        expiresAt: "2026-12-01T00:00:00.000Z",
        createdBy: "bob",
        client: "claude",
        surface: "mcp",
      })
      await store.tokens.put(token)
      expect(await other.tokens.get(scope, token.id)).toEqual(token)
    })

    it("shows an admin the tokens of every user of the tenant, and of no other", async () => {
      const { store, other } = use()
      const scope = newScope()
      const bob = { ...scope, user: "bob" }
      for (const one of [scope, bob]) await ensureUser(store, one)
      const [own, others] = [tokenRow(scope, { id: "tok_a" }), tokenRow(bob, { id: "tok_b" })]
      for (const token of [own, others]) await store.tokens.put(token)
      expect(await other.tokens.listAll(scope.tenant, { after: null, limit: 9 })).toEqual([own, others])
      expect(await other.tokens.find(scope.tenant, "tok_b")).toEqual(others)
      await store.tokens.remove(bob, "tok_b")
      expect(await other.tokens.find(scope.tenant, "tok_b")).toBeNull()
      expect(await other.tokens.listAll(scope.tenant, { after: null, limit: 9 })).toEqual([own])
    })

    it("finds a token by its hash, and no longer once it is removed", async () => {
      const { store } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const token = tokenRow(scope, { kind: "agent" })
      await store.tokens.put(token)
      expect(await store.tokens.findByHash(token.hash)).toEqual(token)
      expect(await store.tokens.remove(scope, token.id)).toBe(true)
      expect(await store.tokens.remove(scope, token.id)).toBe(false)
      expect(await store.tokens.findByHash(token.hash)).toBeNull()
    })

    it("finds a user's token by its id, in every process, and nobody else's", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const token = tokenRow(scope, { kind: "agent" })
      const { id } = token
      await store.tokens.put(token)
      expect(await other.tokens.get(scope, id)).toEqual(token)
      expect(await other.tokens.get({ ...scope, user: "another" }, id)).toBeNull()
      expect(await other.tokens.get(newScope(), id)).toBeNull()
      await store.tokens.remove(scope, id)
      expect(await other.tokens.get(scope, id)).toBeNull()
    })

    it("keeps the name of a token that was removed, and nothing to get in with", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const [kept, removed] = [tokenRow(scope, { name: "kept" }), tokenRow(scope, { name: "removed" })]
      await store.tokens.put(kept)
      await store.tokens.put(removed)
      await store.tokens.remove(scope, removed.id)
      const names = new Map([
        [kept.id, "kept"],
        [removed.id, "removed"],
      ])
      expect(await other.tokens.names(scope.tenant, [kept.id, removed.id, "unknown"])).toEqual(names)
      expect(await other.tokens.names(newScope().tenant, [kept.id])).toEqual(new Map())
      expect(await other.tokens.names(scope.tenant, [])).toEqual(new Map())
      expect(await other.tokens.list(scope, { after: null, limit: 10 })).toEqual([kept])
      expect(await other.tokens.findByHash(`revoked:${scope.tenant}/${removed.id}`)).toBeNull()
    })

    it("replaces a token of the same id, and refuses a hash that is taken", async () => {
      const { store } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const token = tokenRow(scope)
      await store.tokens.put(token)
      await store.tokens.put({ ...token, name: "renamed" })
      expect((await store.tokens.findByHash(token.hash))?.name).toBe("renamed")
      await expect(store.tokens.put(tokenRow(scope, { hash: token.hash }))).rejects.toThrow(/unique/i)
    })

    it("refuses a token for a user that does not exist", async () => {
      await expect(use().store.tokens.put(tokenRow(newScope()))).rejects.toThrow(/foreign key/i)
    })

    it("lists a user's tokens in pages", async () => {
      const { store } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const ids = ["a", "b", "c", "d", "e"]
      for (const id of ids) await store.tokens.put(tokenRow(scope, { id }))
      expect((await store.tokens.list(scope, { after: null, limit: 2 })).map((token) => token.id)).toEqual(["a", "b"])
      expect((await store.tokens.list(scope, { after: "b", limit: 10 })).map((token) => token.id)).toEqual(["c", "d", "e"])
      expect(await store.tokens.list(scope, { after: "e", limit: 10 })).toEqual([])
    })
  })

  describe("policies", () => {
    it("lists both owners' rules by owner and position", async () => {
      const { store } = use()
      const scope = newScope()
      const rules = [
        policyRow("org", { position: 1 }),
        policyRow("org", { position: 1.5, action: "allow", when: '[{"arg":"amount","op":"lt","value":100}]' }),
        policyRow("org", { position: 20, action: "require_approval", role: "developer", by: '{"notRequester":true}' }),
        policyRow("user", { position: 0 }),
      ]
      for (const rule of rules.toReversed()) await store.policies.put(scope, rule)
      expect(await store.policies.list(scope)).toEqual(rules)
      expect(await store.policies.list({ ...scope, user: "bob" })).toEqual(rules.slice(0, 3))
      const own = policyRow("user", { role: "developer" })
      await store.policies.put({ ...scope, user: "bob" }, own)
      expect((await store.policies.listWithRoles(scope.tenant)).map(({ id }) => id)).toEqual([rules[2]?.id ?? "", own.id].toSorted())
      expect(await store.policies.listWithRoles(newScope().tenant)).toEqual([])
      expect(await store.policies.get(scope, rules[1]?.id ?? "")).toEqual(rules[1])
    })

    it("replaces and removes by id", async () => {
      const { store } = use()
      const scope = newScope()
      const rule = policyRow("org")
      await store.policies.put(scope, rule)
      await store.policies.put(scope, { ...rule, owner: "user", pattern: "slack.**" })
      expect(await store.policies.list(scope)).toEqual([{ ...rule, owner: "user", pattern: "slack.**" }])
      expect(await store.policies.remove(scope, rule.id)).toBe(true)
      expect(await store.policies.remove(scope, rule.id)).toBe(false)
      expect(await store.policies.get(scope, rule.id)).toBeNull()
    })
  })
}
