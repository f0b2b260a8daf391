// Conformance of browser sessions and sign-in codes.
import { describe, expect, it } from "vitest"
import type { BrowserSessionRow } from "../store.ts"
import type { StoreUnderTest } from "./suite.ts"
import { ensureUser, newScope } from "./samples.ts"

let made = 0
const rowOf = (scope: { tenant: string; user: string }, fields: Partial<BrowserSessionRow> = {}): BrowserSessionRow => ({
  ...scope,
  id: `ses_${made++}`,
  kind: "code",
  hash: `hash-${scope.tenant}-${made}`,
  keyHash: null,
  createdAt: "2026-11-16T10:00:00.000Z",
  expiresAt: "2026-11-16T10:10:00.000Z",
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
  })
}
