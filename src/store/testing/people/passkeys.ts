// Conformance of passkeys and of the challenges that browsers answer with them.
import { describe, expect, it } from "vitest"
import type { PasskeyChallengeRow, PasskeyRow } from "../../passkey-store.ts"
import type { Scope } from "../../../core/principal.ts"
import { newId } from "../../../io/ids.ts"
import type { StoreUnderTest } from "../suite.ts"
import { ensureUser, newScope } from "../samples.ts"

export const passkeyRow = (scope: Scope, change: Partial<PasskeyRow> = {}): PasskeyRow => ({
  tenant: scope.tenant,
  user: scope.user,
  id: newId("psk"),
  credentialId: newId("credential"),
  publicKey: new Uint8Array([1, 0, 255]),
  userHandle: "handle",
  counter: 0,
  isSynced: false,
  transports: '["internal"]',
  name: "laptop",
  createdAt: "2026-11-16T10:00:00.000Z",
  lastUsedAt: null,
  ...change,
})

export const challengeRow = (change: Partial<PasskeyChallengeRow> = {}): PasskeyChallengeRow => ({
  hash: newId("hash"),
  keyHash: "key",
  challengeHash: "challenge",
  purpose: "sign_in",
  subject: "",
  userHandle: "",
  createdAt: "2026-11-16T10:00:00.000Z",
  expiresAt: "2026-11-16T10:05:00.000Z",
  ...change,
})

const later = "2026-11-17T10:00:00.000Z"

export function testPasskeys(use: () => StoreUnderTest): void {
  describe("passkeys", () => {
    it("finds one by its credential, and lists a user's own", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await ensureUser(store, { ...scope, user: "bob" })
      const [first, second, bobs] = [passkeyRow(scope), passkeyRow(scope, { isSynced: true }), passkeyRow({ ...scope, user: "bob" })]
      for (const row of [first, second, bobs]) await store.passkeys.add(row)
      expect(await other.passkeys.findByCredential(second.credentialId)).toEqual(second)
      expect(await other.passkeys.findByCredential("unknown")).toBeNull()
      expect(await other.passkeys.list(scope)).toEqual([first, second])
      expect(await other.passkeys.list(newScope())).toEqual([])
    })

    it("refuses a credential that anybody has, in any tenant, and a user that does not exist", async () => {
      const { store, other } = use()
      const [scope, foreign] = [newScope(), newScope()]
      await ensureUser(store, scope)
      await ensureUser(store, foreign)
      const row = passkeyRow(scope)
      await store.passkeys.add(row)
      const taken = passkeyRow(foreign, { credentialId: row.credentialId })
      expect(await other.passkeys.add(taken)).toBe(false)
      // Also inside of a transaction, which goes on.
      const isKnown = other.transaction(
        async (rows) => !(await rows.passkeys.add(taken)) && (await rows.passkeys.list(foreign)).length === 0,
      )
      expect(await isKnown).toBe(true)
      await expect(store.passkeys.add(passkeyRow({ ...scope, user: "nobody" }))).rejects.toThrow(/foreign key/i)
    })

    it("renames and removes one's own alone; all go with their user", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const [row, second] = [passkeyRow(scope), passkeyRow(scope)]
      await store.passkeys.add(row)
      await store.passkeys.add(second)
      for (const stranger of [newScope(), { ...scope, user: "bob" }]) {
        expect(await store.passkeys.rename(stranger, row.id, "theirs")).toBe(false)
        expect(await store.passkeys.remove(stranger, row.id)).toBe(false)
      }
      expect(await store.passkeys.rename(scope, row.id, "phone")).toBe(true)
      expect(await other.passkeys.findByCredential(row.credentialId)).toEqual({ ...row, name: "phone" })
      expect(await store.passkeys.remove(scope, row.id)).toBe(true)
      expect(await store.passkeys.remove(scope, row.id)).toBe(false)
      await store.users.remove(scope)
      expect(await other.passkeys.findByCredential(second.credentialId)).toBeNull()
    })

    it("takes a counter that grows, and refuses a copy's", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const counting = passkeyRow(scope, { counter: 4 })
      await store.passkeys.add(counting)
      const tries = await Promise.all([store, other].map((one) => one.passkeys.used(counting, 5, later)))
      expect(tries.filter((isTaken) => isTaken)).toHaveLength(1)
      expect(await store.passkeys.used(counting, 0, later)).toBe(false)
      expect(await store.passkeys.used(counting, 3_000_000_000, later)).toBe(true)
      expect(await other.passkeys.findByCredential(counting.credentialId)).toMatchObject({ counter: 3_000_000_000, lastUsedAt: later })
    })

    it("takes any counter of a synced key, and 0 of one that does not count, until it is gone", async () => {
      const { store } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const [synced, silent] = [passkeyRow(scope, { counter: 9, isSynced: true }), passkeyRow(scope)]
      await store.passkeys.add(synced)
      await store.passkeys.add(silent)
      expect(await store.passkeys.used(synced, 1, later)).toBe(true)
      expect(await store.passkeys.used(silent, 0, later)).toBe(true)
      await store.passkeys.remove(scope, silent.id)
      expect(await store.passkeys.used(silent, 0, later)).toBe(false)
    })
  })

  describe("passkey challenges", () => {
    it("are taken by exactly one of those who try at once", async () => {
      const { store, other } = use()
      const row = challengeRow({ purpose: "register", subject: "a user", userHandle: "handle" })
      await store.passkeyChallenges.put(row)
      const taken = await Promise.all([store, other, store, other].map((one) => one.passkeyChallenges.take(row.hash)))
      expect(taken.filter((one) => one !== null)).toEqual([row])
      expect(await store.passkeyChallenges.take("unknown")).toBeNull()
    })

    it("are dropped once they ran out", async () => {
      const { store, other } = use()
      const old = challengeRow()
      await store.passkeyChallenges.put(old)
      await store.passkeyChallenges.put(challengeRow({ createdAt: later, expiresAt: later }))
      expect(await other.passkeyChallenges.take(old.hash)).toBeNull()
    })
  })
}
