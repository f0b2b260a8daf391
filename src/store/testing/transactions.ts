// Conformance of transactions: all or nothing, invisible until the end, and no way to wait for oneself.
import { describe, expect, it } from "vitest"
import type { Store } from "../store.ts"
import type { StoreUnderTest } from "./suite.ts"
import { connect, connectionRow, ensureUser, integrationRow, newScope, policyRow, tokenRow, hasToolSet, toolSet } from "./samples.ts"

export function testTransactions(use: () => StoreUnderTest): void {
  describe("transactions", () => {
    it("keep nothing when the work throws, and hand its error on", async () => {
      const { store } = use()
      const scope = newScope()
      const failure = new Error("on purpose")
      const work = store.transaction(async (transaction) => {
        await transaction.integrations.put(scope, integrationRow("a"))
        await transaction.toolSets.put(scope, toolSet("set", ["t"]))
        throw failure
      })
      await expect(work).rejects.toBe(failure)
      expect(await store.integrations.get(scope, "a")).toBeNull()
      expect(await hasToolSet(store, scope, "set")).toBe(false)
    })

    it("answer what the work answers, and see their own changes", async () => {
      const { store } = use()
      const scope = newScope()
      const seen = await store.transaction(async (transaction) => {
        await connect(transaction, scope, "a", "org", toolSet("set", ["t1", "t2"]))
        return transaction.tools.list(scope, {}, { after: null, limit: 10 })
      })
      expect(seen.map((row) => row.name)).toEqual(["t1", "t2"])
    })

    it("show nothing to others until they end, and all of it at once then", async () => {
      const { store, other } = use()
      const scope = newScope()
      const work = store.transaction(async (transaction) => {
        await connect(transaction, scope, "a", "org", toolSet("set", ["t"]))
        for (const reader of [store, other]) {
          expect(await reader.integrations.get(scope, "a")).toBeNull()
          expect(await reader.tools.list(scope, {}, { after: null, limit: 10 })).toEqual([])
        }
      })
      await work
      for (const reader of [store, other]) expect(await reader.tools.count(scope, {})).toBe(1)
    })

    it("keep nothing when a statement failed, even if its error was caught", async () => {
      const { store } = use()
      const scope = newScope()
      const work = store.transaction(async (transaction) => {
        await transaction.integrations.put(scope, integrationRow("a"))
        await transaction.toolSets.put(scope, toolSet("twice", ["t", "t"])).catch(() => {})
      })
      await expect(work).rejects.toThrow("nothing of it was kept")
      expect(await store.integrations.get(scope, "a")).toBeNull()
      expect(await hasToolSet(store, scope, "twice")).toBe(false)
    })

    it("within transactions are parts of them", async () => {
      const { store } = use()
      const scope = newScope()
      const nested = (slug: string, fails: "fails" | "succeeds"): Promise<void> =>
        store.transaction(async (outer) => {
          await outer.integrations.put(scope, integrationRow(slug))
          const inner = outer.transaction(async (transaction) => {
            await transaction.connections.put(scope, connectionRow(slug, "org", "main"))
            if (fails === "fails") throw new Error("on purpose")
          })
          await inner.catch(() => {})
        })
      await nested("good", "succeeds")
      await expect(nested("bad", "fails")).rejects.toThrow("nothing of it was kept")
      expect((await store.integrations.list(scope, { after: null, limit: 10 })).map((row) => row.slug)).toEqual(["good"])
      expect(await store.connections.list(scope, {}, { after: null, limit: 10 })).toHaveLength(1)
    })

    it("refuse a write by another store instead of waiting for themselves", async () => {
      const { store } = use()
      const scope = newScope()
      const work = store.transaction(() => store.integrations.put(scope, integrationRow("a")))
      await expect(work).rejects.toThrow("only the store that was handed to it")
      await store.integrations.put(scope, integrationRow("a"))
    })

    it("refuse what comes after their end", async () => {
      const { store } = use()
      const scope = newScope()
      const leaked = await store.transaction(async (transaction) => transaction)
      await expect(leaked.integrations.put(scope, integrationRow("a"))).rejects.toThrow("is over")
      await expect(leaked.integrations.get(scope, "a")).rejects.toThrow("is over")
    })

    it("take several verbs at once", async () => {
      const { store } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await store.transaction(async (transaction) => {
        const rules = Array.from({ length: 10 }, (_, position) => transaction.policies.put(scope, policyRow("org", { position })))
        await Promise.all([...rules, transaction.integrations.put(scope, integrationRow("a")), transaction.tokens.put(tokenRow(scope))])
      })
      expect(await store.policies.list(scope)).toHaveLength(10)
      expect(await store.integrations.get(scope, "a")).not.toBeNull()
    })

    it("of two processes do not lose each other's changes", async () => {
      const { store, other } = use()
      const scope = newScope()
      await store.integrations.put(scope, integrationRow("a", { name: "0" }))
      const raise = (one: typeof store): Promise<void> =>
        one.transaction(async (transaction) => {
          const row = await transaction.integrations.get(scope, "a")
          if (row) await transaction.integrations.put(scope, { ...row, name: String(Number(row.name) + 1) })
        })
      await Promise.all(Array.from({ length: 20 }, (_, index) => raise(index % 2 === 0 ? store : other)))
      expect((await store.integrations.get(scope, "a"))?.name).toBe("20")
    })

    it("of two processes never wait for each other in a circle", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      const rule = policyRow("org")
      const verbs: ((one: Store) => Promise<unknown>)[] = [
        (one) => one.credentials.put(scope, "integration:a", new Uint8Array([1])),
        (one) => one.integrations.put(scope, integrationRow("a")),
        (one) => one.policies.put(scope, rule),
        (one) => one.tokens.put(tokenRow(scope, { id: "same" })),
        (one) => ensureUser(one, { ...scope, user: "bob" }),
      ]
      const rounds = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).transaction(async (transaction) => {
          const order = verbs.map((_verb, step) => verbs[(step + index) % verbs.length])
          for (const verb of order) await verb?.(transaction)
        }),
      )
      expect(await Promise.allSettled(rounds)).toEqual(rounds.map(() => ({ status: "fulfilled", value: undefined })))
    })
  })
}
