// Conformance of integrations, connections, credentials and documents.
import { describe, expect, it } from "vitest"
import type { ConnectionRef, Owner } from "../../core/address.ts"
import { sha256 } from "../../io/ids.ts"
import type { ConnectionRow } from "../store.ts"
import { connectionSecretRef, integrationSecretRef } from "../store.ts"
import type { StoreUnderTest } from "./suite.ts"
import { connectionRef, connectionRow, integrationRow, newScope } from "./samples.ts"

export function testCatalog(use: () => StoreUnderTest): void {
  testIntegrations(use)
  testConnections(use)

  describe("credentials", () => {
    it("keeps sealed bytes under their reference", async () => {
      const { store } = use()
      const scope = newScope()
      const sealed = Uint8Array.from({ length: 256 }, (_, index) => index)
      const ref = connectionSecretRef(scope, connectionRef("github", "user", "main"))
      expect(await store.credentials.get(scope, ref)).toBeNull()
      await store.credentials.put(scope, ref, new Uint8Array([1]))
      await store.credentials.put(scope, ref, sealed)
      expect(await store.credentials.get(scope, ref)).toEqual(sealed)
      await store.credentials.remove(scope, ref)
      expect(await store.credentials.get(scope, ref)).toBeNull()
    })

    it("knows the owner of a reference whose user has a colon in the name", async () => {
      const { store } = use()
      const scope = newScope("ldap:alice:main")
      const ref = connectionSecretRef(scope, connectionRef("github", "user", "main"))
      await store.credentials.put(scope, ref, new Uint8Array([7]))
      expect(await store.credentials.get(scope, ref)).toEqual(new Uint8Array([7]))
      expect(await store.credentials.get({ ...scope, user: "ldap:alice" }, ref)).toBeNull()
      expect(await store.credentials.get({ ...scope, user: "ldap" }, ref)).toBeNull()
    })
  })

  describe("documents", () => {
    it("keeps a text by the hash of its content, once", async () => {
      const { store } = use()
      const scope = newScope()
      const text = `{"openapi":"3.1.0","x":"${"ü€😀".repeat(100_000)}"}`
      expect(await store.documents.put(scope, text)).toBe(sha256(text))
      expect(await store.documents.put(scope, text)).toBe(sha256(text))
      expect(await store.documents.get(scope, sha256(text))).toBe(text)
      expect(await store.documents.get(scope, sha256("another"))).toBeNull()
      const empty = await store.documents.put(scope, "")
      expect(await store.documents.get(scope, empty)).toBe("")
    })
  })
}

function testIntegrations(use: () => StoreUnderTest): void {
  describe("integrations", () => {
    it("inserts, replaces, lists in pages and removes", async () => {
      const { store } = use()
      const scope = newScope()
      const rows = ["a_first", "aa", "b", "zebra"].map((slug) => integrationRow(slug))
      for (const row of rows.toReversed()) await store.integrations.put(scope, row)
      expect(await store.integrations.list(scope, { after: null, limit: 10 })).toEqual(rows)
      expect(await store.integrations.list(scope, { after: "aa", limit: 1 })).toEqual([rows[2]])
      const changed = integrationRow("b", { config: '{"spec":"new"}', configRevisedAt: "2027-01-01T00:00:00.000Z", kind: "graphql" })
      await store.integrations.put(scope, changed)
      expect(await store.integrations.get(scope, "b")).toEqual(changed)
      expect(await store.integrations.remove(scope, "b")).toBe(true)
      expect(await store.integrations.remove(scope, "b")).toBe(false)
      expect(await store.integrations.get(scope, "b")).toBeNull()
    })

    it("takes its connections of every owner and all credentials with it, and nobody else's", async () => {
      const { store } = use()
      const alice = newScope()
      const bob = { ...alice, user: "bob" }
      const sealed = new Uint8Array([1, 2, 3])
      const secrets = [
        { scope: alice, ref: integrationSecretRef("git"), stays: false },
        { scope: alice, ref: connectionSecretRef(alice, connectionRef("git", "org", "main")), stays: false },
        { scope: bob, ref: connectionSecretRef(bob, connectionRef("git", "user", "main")), stays: false },
        { scope: alice, ref: integrationSecretRef("git_hub"), stays: true },
        { scope: alice, ref: connectionSecretRef(alice, connectionRef("git_hub", "org", "main")), stays: true },
      ]
      for (const slug of ["git", "git_hub"]) await store.integrations.put(alice, integrationRow(slug))
      await store.connections.put(alice, connectionRow("git", "org", "main"))
      await store.connections.put(bob, connectionRow("git", "user", "main"))
      await store.connections.put(alice, connectionRow("git_hub", "org", "main"))
      for (const secret of secrets) await store.credentials.put(secret.scope, secret.ref, sealed)

      await store.integrations.remove(alice, "git")

      expect(await store.connections.list(bob, {}, { after: null, limit: 10 })).toEqual([connectionRow("git_hub", "org", "main")])
      for (const secret of secrets) {
        expect([secret.ref, await store.credentials.get(secret.scope, secret.ref)]).toEqual([secret.ref, secret.stays ? sealed : null])
      }
    })
  })
}

const refOf = (row: ConnectionRow): ConnectionRef => connectionRef(row.integration, row.owner, row.name)

function testConnections(use: () => StoreUnderTest): void {
  describe("connections", () => {
    it("inserts, replaces, and removes with its credential", async () => {
      const { store } = use()
      const scope = newScope()
      await store.integrations.put(scope, integrationRow("github"))
      const row = connectionRow("github", "user", "main")
      const ref = connectionRef("github", "user", "main")
      await store.connections.put(scope, row)
      await store.connections.put(scope, { ...row, status: "error", error: "The document is gone", toolsSyncedAt: "2027" })
      expect(await store.connections.get(scope, ref)).toEqual({
        ...row,
        status: "error",
        error: "The document is gone",
        toolsSyncedAt: "2027",
      })
      await store.credentials.put(scope, connectionSecretRef(scope, ref), new Uint8Array([1]))
      expect(await store.connections.remove(scope, ref)).toBe(true)
      expect(await store.connections.remove(scope, ref)).toBe(false)
      expect(await store.connections.get(scope, ref)).toBeNull()
      expect(await store.credentials.get(scope, connectionSecretRef(scope, ref))).toBeNull()
    })

    it("refuses a connection of an integration or with a tool set that does not exist", async () => {
      const { store } = use()
      const scope = newScope()
      await expect(store.connections.put(scope, connectionRow("nowhere", "org", "main"))).rejects.toThrow(/foreign key/i)
      await store.integrations.put(scope, integrationRow("github"))
      await expect(store.connections.put(scope, connectionRow("github", "org", "main", { toolSetId: "none" }))).rejects.toThrow(
        /foreign key/i,
      )
      expect(await store.connections.list(scope, {}, { after: null, limit: 10 })).toEqual([])
    })

    it("lists by integration, owner and name, in pages of any size, past other users' rows", async () => {
      const { store } = use()
      const scope = newScope()
      const rows: ConnectionRow[] = []
      for (const integration of ["aa", "b", "b_2"]) {
        await store.integrations.put(scope, integrationRow(integration))
        for (const owner of ["org", "user"] satisfies Owner[]) {
          for (const name of ["a", "main", "main_2", "z9"]) rows.push(connectionRow(integration, owner, name))
        }
      }
      for (const row of rows.toReversed()) await store.connections.put(scope, row)
      for (const user of ["aaron", "zoe"]) {
        for (const row of rows) if (row.owner === "user") await store.connections.put({ ...scope, user }, row)
      }
      for (const limit of [1, 2, 3, 5, 7, 24, 100]) {
        const seen: ConnectionRow[] = []
        for (let after: ConnectionRef | null = null; ;) {
          const page: ConnectionRow[] = await store.connections.list(scope, {}, { after, limit })
          seen.push(...page)
          const last = page.at(-1)
          if (!last) break
          after = refOf(last)
        }
        expect({ limit, seen }).toEqual({ limit, seen: rows })
      }
    })

    it("filters by integration, owner and name", async () => {
      const { store } = use()
      const scope = newScope()
      for (const integration of ["a", "b"]) {
        await store.integrations.put(scope, integrationRow(integration))
        for (const owner of ["org", "user"] satisfies Owner[]) {
          for (const name of ["main", "work"]) await store.connections.put(scope, connectionRow(integration, owner, name))
        }
      }
      const list = async (filter: Parameters<typeof store.connections.list>[1]): Promise<string[]> =>
        (await store.connections.list(scope, filter, { after: null, limit: 100 })).map(
          (row) => `${row.integration}.${row.owner}.${row.name}`,
        )
      expect(await list({ integration: "a", owner: "user" })).toEqual(["a.user.main", "a.user.work"])
      expect(await list({ name: "work", owner: "org" })).toEqual(["a.org.work", "b.org.work"])
      expect(await list({ integration: "b", name: "main" })).toEqual(["b.org.main", "b.user.main"])
      expect(await list({ integration: "c" })).toEqual([])
      const after = connectionRef("a", "user", "main")
      expect((await store.connections.list(scope, { owner: "org" }, { after, limit: 9 })).map(refOf)).toEqual([
        connectionRef("b", "org", "main"),
        connectionRef("b", "org", "work"),
      ])
    })
  })
}
