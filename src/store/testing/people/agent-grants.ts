// Conformance of agent grants: what humans allowed MCP clients.
import { describe, expect, it } from "vitest"
import type { StoreUnderTest } from "../suite.ts"
import { agentGrantRow as grantOf, minute as at } from "./agent-grant-samples.ts"
import { ensureUser, newScope, tokenRow } from "../samples.ts"

export function testAgentGrants(use: () => StoreUnderTest): void {
  describe("agent grants", () => {
    const setUp = async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const grant = grantOf(scope, { patterns: '["github.**"]' })
      await store.agentGrants.put(grant)
      const redeemed = { tokenId: `tok_${scope.tenant}`, secretHash: `secret-${scope.tenant}`, at: at(0), expiresAt: at(100) }
      return { store, other, scope, grant, redeemed }
    }

    it("is found by its code, then by its secret and its token as well", async () => {
      const { store, other, scope, grant, redeemed } = await setUp()
      expect(await other.agentGrants.findByCode(grant.codeHash)).toEqual(grant)
      expect(await store.agentGrants.findBySecret(redeemed.secretHash)).toBeNull()
      expect(await store.agentGrants.redeem(grant, redeemed)).toBe(true)
      const { tokenId, secretHash, expiresAt } = redeemed
      const after = { ...grant, tokenId, secretHash, expiresAt, rotatedAt: at(0) }
      expect(await store.agentGrants.findByCode(grant.codeHash)).toEqual(after)
      expect(await store.agentGrants.findBySecret(secretHash)).toEqual(after)
      expect(await store.agentGrants.findByToken(scope, tokenId)).toEqual(after)
      expect(await store.agentGrants.findByToken({ ...scope, user: "bob" }, tokenId)).toBeNull()
      expect(await store.agentGrants.findByToken(newScope(), tokenId)).toBeNull()
      expect(await store.agentGrants.count(scope)).toBe(1)
      expect(await store.agentGrants.count({ ...scope, user: "bob" })).toBe(0)
    })

    it("is redeemed by exactly one of those who try at once, and in time", async () => {
      const { store, other, grant, redeemed } = await setUp()
      const tries = await Promise.all([store, other, store].map((one) => one.agentGrants.redeem(grant, redeemed)))
      expect(tries.filter(Boolean)).toHaveLength(1)
      const late = await setUp()
      expect(await late.store.agentGrants.redeem(late.grant, { ...late.redeemed, at: at(1) })).toBe(false)
    })

    it("is followed by one generation at a time", async () => {
      const { store, other, grant, redeemed } = await setUp()
      await store.agentGrants.redeem(grant, redeemed)
      const tries = await Promise.all([store, other].map((one) => one.agentGrants.rotate(grant, { at: at(2), expiresAt: at(200) })))
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await store.agentGrants.findByCode(grant.codeHash)).toMatchObject({ generation: 1, rotatedAt: at(2), expiresAt: at(200) })
      expect(await store.agentGrants.rotate({ ...grant, generation: 1 }, { at: at(200), expiresAt: at(300) })).toBe(false)
    })

    it("is gone when it is removed", async () => {
      const { store, scope, grant } = await setUp()
      await store.agentGrants.removeAll({ ...scope, user: "bob" })
      expect(await store.agentGrants.remove(scope, grant.id)).toBe(true)
      expect(await store.agentGrants.remove(scope, grant.id)).toBe(false)
      expect(await store.agentGrants.findByCode(grant.codeHash)).toBeNull()
      const [one, two] = [grantOf(scope), grantOf(scope)]
      for (const each of [one, two]) await store.agentGrants.put(each)
      await store.agentGrants.removeAll(scope)
      expect(await store.agentGrants.count(scope)).toBe(0)
    })

    it("goes with its token", async () => {
      const { store, scope, grant, redeemed } = await setUp()
      await store.tokens.put(tokenRow(scope, { id: redeemed.tokenId }))
      await store.agentGrants.put(grantOf(scope))
      await store.agentGrants.redeem(grant, redeemed)
      expect(await store.tokens.remove(scope, redeemed.tokenId)).toBe(true)
      expect(await store.agentGrants.findBySecret(redeemed.secretHash)).toBeNull()
      expect(await store.agentGrants.count(scope)).toBe(1)
    })

    it("drops what ran out when another is made, and revokes its tokens", async () => {
      const { store, scope, grant, redeemed } = await setUp()
      const token = tokenRow(scope, { id: redeemed.tokenId })
      const kept = tokenRow(scope)
      await store.tokens.put(token)
      await store.tokens.put(kept)
      await store.agentGrants.redeem(grant, redeemed)
      const before = store.revision()
      await store.agentGrants.put(grantOf(scope, { createdAt: at(101), expiresAt: at(102) }))
      expect(store.revision()).not.toBe(before)
      expect(await store.agentGrants.findByCode(grant.codeHash)).toBeNull()
      expect(await store.tokens.findByHash(token.hash)).toBeNull()
      expect(await store.tokens.findByHash(kept.hash)).toEqual(kept)
    })

    it("refuses one for a user that does not exist, and a code that is taken", async () => {
      const { store, scope, grant } = await setUp()
      await expect(store.agentGrants.put(grantOf(newScope()))).rejects.toThrow(/foreign key/i)
      await expect(store.agentGrants.put(grantOf(scope, { codeHash: grant.codeHash }))).rejects.toThrow(/unique/i)
    })
  })
}
