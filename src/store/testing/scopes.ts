// Conformance of scoping: whoever knows another's ids gets nothing by them, and changes nothing.
import { describe, expect, it } from "vitest"
import { ExecutorError } from "../../core/errors.ts"
import { connectionSecretRef } from "../store.ts"
import { connectionRef, connectionRow, ensureUser, newScope, policyRow } from "./samples.ts"
import { catalogAttempts } from "./scope-attempts-catalog.ts"
import { peopleAttempts } from "./people/scope-attempts-people.ts"
import { createVictim, inventory, key, page, ref, sealed } from "./scope-victim.ts"
import type { StoreUnderTest } from "./suite.ts"

/** One for each verb of the store. */
const attempts = { ...peopleAttempts, ...catalogAttempts }

/** What every member of a tenant shares, or an admin reads: its catalog is not one user's, and tokens are called by name. */
const tenantWide =
  /^(tenants\.|users\.|roles\.|integrations\.|toolSets\.|documents\.|oauthClients\.|oauthFlows\.|signIn|identities\.|invitations\.|toolChanges\.(?:compare|defined)$|registryTools\.|toolVersions\.|artifacts\.|tenantCredentials\.|modelProviders\.|notifications\.|deliveries\.|agents\.|agentVersions\.|pipeline|toolEmbeddings\.|toolVectors\.|tokens\.(?:names|find|listAll)$)/

/** A refusal gives nothing away either. */
const answerOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.catch((error: unknown) => {
    if (error instanceof ExecutorError) return "refused"
    // A row that points to the victim's rows is refused by the database.
    if (error instanceof Error && /foreign key/i.test(error.message)) return "refused"
    throw error
  })

export function testScopes(use: () => StoreUnderTest): void {
  describe("scopes", () => {
    it("have an attempt for every verb", () => {
      const { store } = use()
      const nouns = Object.entries(store).filter(([, rows]) => typeof rows === "object")
      const verbs = nouns.flatMap(([noun, rows]) => Object.keys(rows as object).map((verb) => `${noun}.${verb}`)) // only objects are left
      expect(Object.keys(attempts).toSorted()).toEqual(verbs.toSorted())
    })

    for (const [verb, attempt] of Object.entries(attempts)) {
      it(`keep another tenant out of ${verb}`, async () => {
        const { store } = use()
        const victim = await createVictim(store)
        const stranger = newScope(victim.scope.user)
        await ensureUser(store, stranger)
        const before = await inventory(store, victim)
        expect([attempt.nothing, "refused"]).toContainEqual(await answerOf(attempt.try(store, stranger, victim)))
        expect(await inventory(store, victim)).toEqual(before)
      })

      if (tenantWide.test(verb)) continue
      it(`keep another user of the tenant out of ${verb}`, async () => {
        const { store } = use()
        const victim = await createVictim(store)
        const stranger = { ...victim.scope, user: "bob" }
        await ensureUser(store, stranger)
        const before = await inventory(store, victim)
        expect([attempt.nothing, "refused"]).toContainEqual(await answerOf(attempt.try(store, stranger, victim)))
        expect(await inventory(store, victim)).toEqual(before)
      })
    }

    it("leave other users' rows alone when the tenant's garbage is collected", async () => {
      const { store } = use()
      const victim = await createVictim(store)
      const before = await inventory(store, victim)
      await store.toolSets.collectGarbage({ ...victim.scope, user: "bob" })
      expect(await inventory(store, victim)).toEqual(before)
    })

    it("without a user see what the tenant owns and own nothing", async () => {
      const { store } = use()
      const victim = await createVictim(store)
      const nobody = { ...victim.scope, user: "" }
      const before = await inventory(store, victim)
      await store.connections.put(victim.scope, connectionRow("github", "org", "main"))
      expect((await store.connections.list(nobody, {}, page)).map((row) => row.owner)).toEqual(["org"])
      expect(await store.connections.list(nobody, { owner: "user" }, page)).toEqual([])
      expect(await store.tools.list(nobody, { owner: "user" }, page)).toEqual([])
      expect(await store.tools.count(nobody, { owner: "user" })).toBe(0)
      expect(await store.connections.get(nobody, ref)).toBeNull()
      expect(await store.connections.remove(nobody, ref)).toBe(false)
      expect(await store.tools.get(nobody, key)).toBeNull()
      expect(await store.credentials.get(nobody, connectionSecretRef(nobody, ref))).toBeNull()
      await expect(store.connections.put(nobody, connectionRow("github", "user", "main"))).rejects.toThrow(ExecutorError)
      await expect(store.policies.put(nobody, policyRow("user"))).rejects.toThrow(ExecutorError)
      await expect(store.credentials.put(nobody, connectionSecretRef(nobody, ref), sealed)).rejects.toThrow(ExecutorError)
      await store.connections.remove(victim.scope, connectionRef("github", "org", "main"))
      expect(await inventory(store, victim)).toEqual(before)
    })
  })
}
