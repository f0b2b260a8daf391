// Conformance of OAuth's rows: clients of one tenant, flows that end once, grants that one process renews.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../../core/principal.ts"
import type { OauthGrantRow } from "../../oauth-store.ts"
import { oauthClientSecretRef, oauthFlowSecretRef } from "../../oauth-store.ts"
import type { Store } from "../../store.ts"
import type { StoreUnderTest } from "../suite.ts"
import { at, clientRow, flowRow, grantRow } from "./oauth-samples.ts"
import { connectionRow, integrationRow, newScope } from "../samples.ts"

const sealed = new Uint8Array([1, 2, 3])

async function connectWith(store: Store, scope: Scope, grant: OauthGrantRow): Promise<void> {
  await store.integrations.put(scope, integrationRow("github"))
  await store.connections.put(scope, connectionRow("github", grant.owner, "main"))
  await store.oauthGrants.put(scope, grant, grant)
}

export function testOauth(use: () => StoreUnderTest): void {
  testClients(use)
  testFlows(use)
  testGrants(use)
}

function testClients(use: () => StoreUnderTest): void {
  describe("OAuth clients", () => {
    it("are kept, replaced, listed in pages and removed with their secret, in one tenant", async () => {
      const { store } = use()
      const scope = newScope()
      const stranger = newScope()
      const rows = ["a", "b", "c"].map((id) => clientRow({ id, integration: "github", redirectUri: "http://x", expiresAt: at(1) }))
      for (const row of rows) await store.oauthClients.put(scope, row)
      await store.oauthClients.put(scope, clientRow({ id: "b", clientId: "new" }))
      await store.credentials.put(scope, oauthClientSecretRef("b"), sealed)
      expect(await store.oauthClients.get(scope, "a")).toEqual(rows[0])
      expect((await store.oauthClients.get(scope, "b"))?.clientId).toBe("new")
      expect((await store.oauthClients.list(scope, { after: "a", limit: 1 })).map((row) => row.id)).toEqual(["b"])
      expect(await store.oauthClients.list(stranger, { after: null, limit: 10 })).toEqual([])
      expect(await store.oauthClients.get(stranger, "b")).toBeNull()
      expect(await store.oauthClients.remove(stranger, "b")).toBe(false)
      expect(await store.oauthClients.remove(scope, "b")).toBe(true)
      expect(await store.oauthClients.remove(scope, "b")).toBe(false)
      expect(await store.credentials.get(scope, oauthClientSecretRef("b"))).toBeNull()
    })
  })
}

function testFlows(use: () => StoreUnderTest): void {
  describe("OAuth flows", () => {
    it("are found by id and by state, and by nothing else", async () => {
      const { store, other } = use()
      const flow = flowRow(newScope(), { resource: "https://a/b", redirectTo: "/", tokenId: null, principalKind: "agent" })
      await store.oauthFlows.put(flow)
      expect(await other.oauthFlows.findById(flow.id)).toEqual(flow)
      expect(await other.oauthFlows.findByState(flow.stateHash)).toEqual(flow)
      expect(await store.oauthFlows.findById(flow.stateHash)).toBeNull()
      expect(await store.oauthFlows.findByState("")).toBeNull()
    })

    it("belong to the first browser that opens them", async () => {
      const { store, other } = use()
      const flow = flowRow(newScope())
      await store.oauthFlows.put(flow)
      const bound = await Promise.all([store, other, store].map((one, index) => one.oauthFlows.bind(flow, `browser ${index}`)))
      expect(bound.filter(Boolean)).toHaveLength(1)
      const owner = `browser ${bound.indexOf(true)}`
      expect(await store.oauthFlows.bind(flow, owner)).toBe(true)
      expect((await store.oauthFlows.findById(flow.id))?.browserHash).toBe(owner)
    })

    it("are used once, before they run out, however many try", async () => {
      const { store, other } = use()
      const scope = newScope()
      const flow = flowRow(scope)
      await store.oauthFlows.put(flow)
      const used = await Promise.all([store, other, store, other].map((one) => one.oauthFlows.use(flow, at(1))))
      expect(used.filter(Boolean)).toHaveLength(1)
      expect(await store.oauthFlows.bind(flow, "late")).toBe(false)
      const late = flowRow(scope)
      await store.oauthFlows.put(late)
      expect(await store.oauthFlows.use(late, at(10))).toBe(false)
    })

    it("leave with their secrets once they ran out", async () => {
      const { store } = use()
      const scope = newScope()
      const [old, live, elsewhere] = [flowRow(scope), flowRow(scope, { expiresAt: at(40) }), flowRow(newScope())]
      for (const flow of [old, live, elsewhere]) await store.oauthFlows.put(flow)
      for (const flow of [old, live]) await store.credentials.put(scope, oauthFlowSecretRef(flow.id), sealed)
      await store.oauthFlows.put(flowRow(scope, { createdAt: at(20), expiresAt: at(30) }))
      expect(await store.oauthFlows.findById(old.id)).toBeNull()
      expect(await store.credentials.get(scope, oauthFlowSecretRef(old.id))).toBeNull()
      expect(await store.credentials.get(scope, oauthFlowSecretRef(live.id))).toEqual(sealed)
      expect(await store.oauthFlows.findById(live.id)).not.toBeNull()
      expect(await store.oauthFlows.findById(elsewhere.id)).not.toBeNull()
    })
  })
}

function testGrants(use: () => StoreUnderTest): void {
  describe("OAuth grants", () => {
    it("are kept and replaced with their connection, and go with it", async () => {
      const { store } = use()
      const scope = newScope()
      const grant = grantRow("org")
      await connectWith(store, scope, grant)
      expect(await store.oauthGrants.get(scope, grant)).toEqual(grant)
      const next: OauthGrantRow = {
        ...grant,
        version: 2,
        renewable: false,
        issuedAt: null,
        renewAt: null,
        expiresAt: null,
        lapsedAt: at(3),
        lapsedReason: "gone",
      }
      await store.oauthGrants.put(scope, next, next)
      expect(await store.oauthGrants.get(scope, grant)).toEqual(next)
      await store.oauthGrants.put({ ...scope, user: "bob" }, { ...grant, owner: "user" }, null)
      expect(await store.oauthGrants.get(scope, grant)).toEqual(next)
      await store.oauthGrants.put(scope, grant, null)
      expect(await store.oauthGrants.get(scope, grant)).toBeNull()
      await store.oauthGrants.put(scope, grant, grant)
      await store.connections.remove(scope, grant)
      expect(await store.oauthGrants.get(scope, grant)).toBeNull()
      await expect(store.oauthGrants.put(scope, grant, grant)).rejects.toThrow(/foreign key/i)
    })

    it("are their owner's: others neither see nor claim them", async () => {
      const { store } = use()
      const scope = newScope()
      const grant = grantRow("user")
      await connectWith(store, scope, grant)
      const claim = { version: 1, owner: "node", now: at(1), until: at(2) }
      for (const other of [{ ...scope, user: "bob" }, { ...scope, user: "" }, newScope()]) {
        expect(await store.oauthGrants.get(other, grant)).toBeNull()
        expect(await store.oauthGrants.claim(other, grant, claim)).toBe(false)
      }
    })

    it("are renewed by one of many, and by another once its lease is over", async () => {
      const { store, other } = use()
      const scope = newScope()
      const grant = grantRow("org")
      await connectWith(store, scope, grant)
      const claims = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? store : other).oauthGrants.claim(scope, grant, { version: 1, owner: `n${index}`, now: at(1), until: at(2) }),
      )
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1)
      expect(await other.oauthGrants.claim(scope, grant, { version: 1, owner: "late", now: at(2), until: at(3) })).toBe(false)
      expect(await other.oauthGrants.claim(scope, grant, { version: 2, owner: "odd", now: at(3), until: at(4) })).toBe(false)
      expect(await other.oauthGrants.claim(scope, grant, { version: 1, owner: "next", now: at(3), until: at(4) })).toBe(true)
      expect(await store.oauthGrants.get(scope, grant)).toMatchObject({ leaseOwner: "next", leaseUntil: at(4) })
    })
  })
}
