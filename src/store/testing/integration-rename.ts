// Conformance of renaming an integration: all that names it follows, of every owner, and nothing else.
import { describe, expect, it } from "vitest"
import { connectionSecretRef, integrationSecretRef } from "../store.ts"
import type { Store } from "../store.ts"
import type { Scope } from "../../core/principal.ts"
import { agentGrantRow } from "./people/agent-grant-samples.ts"
import { at, clientRow, flowRow, grantRow } from "./people/oauth-samples.ts"
import {
  connectionRef,
  connectionRow,
  ensureUser,
  integrationRow,
  newScope,
  policyRow,
  roleRow,
  tokenRow,
  toolKey,
  toolSet,
} from "./samples.ts"
import type { StoreUnderTest } from "./suite.ts"

const page = { after: null, limit: 100 }
const kept = { versionsMax: 9, removedToolsMax: 9 }
const owned = [
  ["org", "alice"],
  ["user", "alice"],
  ["user", "bob"],
] as const

/** An integration `builtin` with a connection of the tenant and one of each user. */
async function addBuiltin(store: Store, scope: Scope): Promise<void> {
  for (const user of ["alice", "bob"]) await ensureUser(store, { ...scope, user })
  const documentHash = await store.documents.put(scope, "the document")
  await store.toolSets.put(scope, toolSet("set", ["t"]))
  await store.integrations.put(scope, integrationRow("builtin", { documentHash, toolSetId: "set" }))
  for (const [owner, user] of owned) {
    const [who, ref] = [{ ...scope, user }, connectionRef("builtin", owner, "main")]
    await store.connections.put(who, connectionRow("builtin", owner, "main", { toolSetId: "set" }))
    await store.pins.put(who, ref, [{ tool: "t", definition: user }])
    await store.toolChanges.add(who, ref, [{ tool: "t", at: at(1), change: "changed", diff: null }], kept)
    await store.oauthGrants.put(who, ref, grantRow(owner, { ...ref, grantedBy: user }))
  }
}

export function testIntegrationRename(use: () => StoreUnderTest): void {
  describe("renamed integrations", () => {
    it("keep their connections of every owner, with pins, changes, grants and tools", async () => {
      const { store, other } = use()
      const scope = newScope()
      await addBuiltin(store, scope)
      const before = await store.integrations.get(scope, "builtin")
      expect(await store.integrations.rename(scope, "builtin", "builtin_api")).toEqual([
        { user: "", owner: "org", connection: "main" },
        { user: "alice", owner: "user", connection: "main" },
        { user: "bob", owner: "user", connection: "main" },
      ])
      expect(await other.integrations.list(scope, page)).toEqual([{ ...before, slug: "builtin_api" }])
      for (const [owner, user] of owned) {
        const [who, ref] = [{ ...scope, user }, connectionRef("builtin_api", owner, "main")]
        expect(await other.connections.get(who, ref)).toEqual(connectionRow("builtin_api", owner, "main", { toolSetId: "set" }))
        expect(await other.pins.list(who, ref)).toEqual([{ tool: "t", definition: user }])
        expect(await other.toolChanges.list(who, toolKey("builtin_api", owner, "main", "t"), { after: null, limit: 9 })).toHaveLength(1)
        expect(await other.oauthGrants.get(who, ref)).toMatchObject({ integration: "builtin_api", grantedBy: user })
        expect(await other.tools.get(who, toolKey("builtin_api", owner, "main", "t"))).toMatchObject({ name: "t" })
        expect(await other.connections.get(who, connectionRef("builtin", owner, "main"))).toBeNull()
      }
    })

    it("keep their OAuth clients and flows; credentials stay where they are sealed for", async () => {
      const { store } = use()
      const scope = newScope()
      await addBuiltin(store, scope)
      const [bound, free] = [clientRow({ integration: "builtin" }), clientRow({ integration: "builtin_2" })]
      const flow = flowRow(scope, { integration: "builtin" })
      const refs = [integrationSecretRef("builtin"), connectionSecretRef(scope, connectionRef("builtin", "user", "main"))]
      for (const client of [bound, free]) await store.oauthClients.put(scope, client)
      await store.oauthFlows.put(flow)
      for (const ref of refs) await store.credentials.put(scope, ref, new Uint8Array([1]))
      await store.integrations.rename(scope, "builtin", "builtin_api")
      expect((await store.oauthClients.get(scope, bound.id))?.integration).toBe("builtin_api")
      expect((await store.oauthClients.get(scope, free.id))?.integration).toBe("builtin_2")
      expect((await store.oauthFlows.findById(flow.id))?.integration).toBe("builtin_api")
      for (const ref of refs) expect(await store.credentials.get(scope, ref)).toEqual(new Uint8Array([1]))
    })

    it("are followed by patterns whose first segment is their slug, and by no others", async () => {
      const { store } = use()
      const scope = newScope()
      await addBuiltin(store, scope)
      const written = ["builtin", "builtin.**", "builtin.org.main.builtin", "builtin_2.**", "built*.**", "*.builtin.**", "**"]
      const renamed = ["builtin_api", "builtin_api.**", "builtin_api.org.main.builtin", "builtin_2.**", "built*.**", "*.builtin.**", "**"]
      const bob = { ...scope, user: "bob" }
      const rules = written.map((pattern, position) => policyRow(position % 2 === 0 ? "org" : "user", { pattern, position }))
      for (const rule of rules) await store.policies.put(bob, rule)
      const patterns = JSON.stringify(written)
      const [token, open, grant] = [tokenRow(bob, { patterns }), tokenRow(scope), agentGrantRow(bob, { patterns })]
      await store.roles.put(scope.tenant, roleRow({ patterns: written }))
      for (const one of [token, open]) await store.tokens.put(one)
      await store.agentGrants.put(grant)
      await store.integrations.rename(scope, "builtin", "builtin_api")
      expect(await Promise.all(rules.map(async ({ id }) => (await store.policies.get(bob, id))?.pattern))).toEqual(renamed)
      expect(await store.roles.list(scope.tenant)).toEqual([roleRow({ patterns: renamed })])
      expect(await store.tokens.get(bob, token.id)).toEqual({ ...token, patterns: JSON.stringify(renamed) })
      expect(await store.tokens.get(scope, open.id)).toEqual(open)
      expect(await store.agentGrants.findByCode(grant.codeHash)).toEqual({ ...grant, patterns: JSON.stringify(renamed) })
    })

    it("never take another's slug, and stay as they are when that fails", async () => {
      const { store } = use()
      const scope = newScope()
      await addBuiltin(store, scope)
      await store.integrations.put(scope, integrationRow("builtin_api"))
      await expect(store.integrations.rename(scope, "builtin", "builtin_api")).rejects.toMatchObject({ code: "conflict" })
      expect(await store.integrations.rename(scope, "absent", "free")).toBeNull()
      expect((await store.integrations.list(scope, page)).map(({ slug }) => slug)).toEqual(["builtin", "builtin_api"])
      const renamedThenFailed = store.transaction(async (transaction) => {
        await transaction.integrations.rename(scope, "builtin", "free")
        throw new Error("no")
      })
      await expect(renamedThenFailed).rejects.toThrow("no")
      expect(await store.connections.get(scope, connectionRef("builtin", "user", "main"))).not.toBeNull()
      expect(await store.integrations.get(scope, "free")).toBeNull()
    })

    it("are found in every tenant by slug and kind", async () => {
      const { store } = use()
      const [one, two] = [newScope(), newScope()]
      await store.integrations.put(one, integrationRow("registry"))
      await store.integrations.put(two, integrationRow("registry", { kind: "registry" }))
      await store.integrations.put(two, integrationRow("local"))
      const found = await store.integrations.findNamed(["registry", "local"], "registry")
      expect(found.filter(({ tenant }) => tenant === one.tenant)).toEqual([{ tenant: one.tenant, slug: "registry" }])
      expect(found.filter(({ tenant }) => tenant === two.tenant)).toEqual([{ tenant: two.tenant, slug: "local" }])
    })

    it("are renamed once by two processes at the same time", async () => {
      const { store, other } = use()
      const scope = newScope()
      await addBuiltin(store, scope)
      const answers = await Promise.all([store, other].map((one) => one.integrations.rename(scope, "builtin", "builtin_api")))
      expect(answers.filter((answer) => answer === null)).toHaveLength(1)
    })
  })
}
