// Conformance of the revision, by which caches know that they are out of date.
import { describe, expect, it, vi } from "vitest"
import type { Store } from "../store.ts"
import type { StoreUnderTest } from "./suite.ts"
import { connect, connectionRef, ensureUser, integrationRow, newScope, policyRow, tokenRow, toolSet } from "./samples.ts"

export function testRevision(use: () => StoreUnderTest): void {
  const scope = newScope()
  const rule = policyRow("org")
  const token = tokenRow(scope)
  const changes: Record<string, (store: Store) => Promise<unknown>> = {
    "a new integration": (store) => store.integrations.put(scope, integrationRow("a")),
    "a connection with tools": (store) => connect(store, scope, "b", "org", toolSet("set", ["t"])),
    "a removed connection": (store) => store.connections.remove(scope, connectionRef("b", "org", "main")),
    "a renamed integration": (store) => store.integrations.rename(scope, "a", "renamed"),
    "a removed integration": (store) => store.integrations.remove(scope, "renamed"),
    "a new policy": (store) => store.policies.put(scope, rule),
    "a removed policy": (store) => store.policies.remove(scope, rule.id),
    "a new token": (store) => ensureUser(store, scope).then(() => store.tokens.put(token)),
    "a removed token": (store) => store.tokens.remove(scope, token.id),
  }

  describe("revision", () => {
    for (const [name, change] of Object.entries(changes)) {
      it(`changes with ${name}, at once here and soon elsewhere`, async () => {
        const { store, other } = use()
        const before = { here: store.revision(), elsewhere: other.revision() }
        await change(store)
        expect(store.revision()).not.toBe(before.here)
        await vi.waitFor(() => expect(other.revision()).not.toBe(before.elsewhere), { timeout: 60_000 })
      })
    }

    it("stays when nothing changed, when no cache has to know, and when a change was given up", async () => {
      const { store, other } = use()
      await other.integrations.put(scope, integrationRow("late"))
      const makeNoChange = async (): Promise<void> => {
        await store.integrations.get(scope, "a")
        await store.integrations.remove(scope, "absent")
        await store.policies.remove(scope, "absent")
        await store.tokens.remove(scope, "absent")
        await store.credentials.put(scope, "integration:a", new Uint8Array([1]))
        const givenUp = store.transaction(async (transaction) => {
          await transaction.integrations.put(scope, integrationRow("never"))
          throw new Error("on purpose")
        })
        await expect(givenUp).rejects.toThrow("on purpose")
      }
      // What the other one changed may still be on its way here, and come at any moment; but it comes once.
      const stays = async (): Promise<void> => {
        const before = store.revision()
        await makeNoChange()
        expect(store.revision()).toBe(before)
      }
      await vi.waitFor(stays, { timeout: 60_000 })
    })
  })
}
