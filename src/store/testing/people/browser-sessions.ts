// Conformance of browser sessions, sign-in codes and invitations.
import { describe, expect, it } from "vitest"
import type { BrowserSessionRow } from "../../session-store.ts"
import type { StoreUnderTest } from "../suite.ts"
import { ensureUser, invitationRow, newScope, sessionRow } from "../samples.ts"

let made = 0
const rowOf = (scope: { tenant: string; user: string }, fields: Partial<BrowserSessionRow> = {}): BrowserSessionRow => ({
  ...scope,
  id: `ses_${made++}`,
  kind: "code",
  hash: `hash-${scope.tenant}-${made}`,
  keyHash: null,
  createdAt: "2026-11-16T10:00:00.000Z",
  expiresAt: "2026-11-16T10:10:00.000Z",
  lastSeenAt: null,
  method: null,
  address: null,
  userAgent: null,
  ...fields,
})

export function testBrowserSessions(use: () => StoreUnderTest): void {
  describe("browser sessions", () => {
    it("finds one by kind and hash, and in no other way", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const row = rowOf(scope, { kind: "session", keyHash: "key" })
      await store.browserSessions.put(row)
      expect(await other.browserSessions.find("session", row.hash)).toEqual(row)
      expect(await store.browserSessions.find("code", row.hash)).toBeNull()
      expect(await store.browserSessions.take("code", row.hash)).toBeNull()
      expect(await store.browserSessions.find("session", "other")).toBeNull()
    })

    it("is taken by exactly one of those who try at once", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const row = rowOf(scope)
      await store.browserSessions.put(row)
      const taken = await Promise.all([store, other, store, other].map((one) => one.browserSessions.take("code", row.hash)))
      expect(taken.filter((one) => one !== null)).toEqual([row])
      expect(await store.browserSessions.find("code", row.hash)).toBeNull()
    })

    it("drops what ran out when another is made", async () => {
      const { store } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const old = rowOf(scope)
      const still = rowOf(scope, { expiresAt: "2026-12-16T10:00:00.000Z", kind: "session" })
      await store.browserSessions.put(old)
      await store.browserSessions.put(still)
      await store.browserSessions.put(rowOf(scope, { createdAt: "2026-11-17T10:00:00.000Z", expiresAt: "2026-11-17T10:10:00.000Z" }))
      expect(await store.browserSessions.find("code", old.hash)).toBeNull()
      expect(await store.browserSessions.find("session", still.hash)).toEqual(still)
    })

    it("refuses one for a user that does not exist, and a hash that is taken", async () => {
      const { store } = use()
      const scope = newScope()
      await expect(store.browserSessions.put(rowOf(scope))).rejects.toThrow(/foreign key/i)
      await ensureUser(store, scope)
      const row = rowOf(scope)
      await store.browserSessions.put(row)
      await expect(store.browserSessions.put(rowOf(scope, { hash: row.hash }))).rejects.toThrow(/unique/i)
    })

    it("lists and ends sessions, of one user or of the whole tenant, and no codes", async () => {
      const { store, other } = use()
      const scope = newScope()
      const bob = { ...scope, user: "bob" }
      for (const one of [scope, bob]) await ensureUser(store, one)
      const [own, others] = [sessionRow(scope, { id: "ses_a" }), sessionRow(bob, { id: "ses_b" })]
      for (const row of [own, others, rowOf(scope, { id: "ses_c" })]) await store.browserSessions.put(row)
      const page = { after: null, limit: 9 }
      expect(await other.browserSessions.list(scope, page)).toEqual([own])
      expect(await other.browserSessions.list({ tenant: scope.tenant, user: null }, page)).toEqual([own, others])
      expect(await other.browserSessions.list({ tenant: scope.tenant, user: null }, { after: "ses_a", limit: 9 })).toEqual([others])
      const seenAt = "2026-11-02T12:00:00.000Z"
      await store.browserSessions.seen(own, seenAt)
      expect(await other.browserSessions.find("session", own.hash)).toEqual({ ...own, lastSeenAt: seenAt })
      expect(await store.browserSessions.remove(scope, "ses_b")).toBe(false)
      expect(await store.browserSessions.remove(scope, "ses_c")).toBe(false)
      expect(await store.browserSessions.remove({ tenant: scope.tenant, user: null }, "ses_b")).toBe(true)
      await store.browserSessions.removeAll(scope)
      expect(await other.browserSessions.list({ tenant: scope.tenant, user: null }, page)).toEqual([])
    })
  })

  describe("invitations", () => {
    it("is found by its hash, listed until it is accepted, and accepted by exactly one", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const [first, second] = [invitationRow(scope, { id: "inv_a" }), invitationRow(scope, { id: "inv_b", email: null, roles: [] })]
      for (const row of [first, second]) await store.invitations.put(row)
      expect(await other.invitations.findByHash(first.hash)).toEqual(first)
      expect(await other.invitations.get(scope.tenant, "inv_b")).toEqual(second)
      expect(await other.invitations.list(scope.tenant, { after: null, limit: 9 })).toEqual([first, second])
      const at = "2026-11-02T12:00:00.000Z"
      await ensureUser(store, { ...scope, user: "bob" })
      const accepted = { user: "bob", at }
      const taken = await Promise.all([store, other, store, other].map((one) => one.invitations.accept(scope.tenant, "inv_a", accepted)))
      expect(taken.filter(Boolean)).toHaveLength(1)
      expect(await other.invitations.findByHash(first.hash)).toEqual({ ...first, user: "bob", acceptedAt: at })
      expect(await other.invitations.list(scope.tenant, { after: null, limit: 9 })).toEqual([second])
      expect(await store.invitations.remove(scope.tenant, "inv_a")).toBe(false)
      expect(await store.invitations.remove(scope.tenant, "inv_b")).toBe(true)
      await store.invitations.dropExpired(scope.tenant, "2026-12-01T00:00:00.000Z")
      expect(await other.invitations.findByHash(first.hash)).toBeNull()
    })

    it("goes with its user, and needs one", async () => {
      const { store } = use()
      const scope = newScope()
      await expect(store.invitations.put(invitationRow(scope))).rejects.toThrow(/foreign key/i)
      await ensureUser(store, scope)
      const row = invitationRow(scope)
      await store.invitations.put(row)
      await store.users.remove(scope)
      expect(await store.invitations.findByHash(row.hash)).toBeNull()
    })
  })
}
