// Conformance of what is dropped when nothing points to it any more, and of what is not.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../core/principal.ts"
import type { Store } from "../store.ts"
import type { StoreUnderTest } from "./suite.ts"
import { connect, connectionRef, connectionRow, integrationRow, newScope, toolKey, hasToolSet, toolSet, toolWrite } from "./samples.ts"

export function testGarbage(use: () => StoreUnderTest): void {
  describe("garbage", () => {
    it("keeps what an integration or any user's connection points to, and drops the rest", async () => {
      const { store } = use()
      const scope = newScope()
      const bob = { ...scope, user: "bob" }
      for (const id of ["of_integration", "of_alice", "of_bob", "of_nobody"])
        await store.toolSets.put(scope, toolSet(id, ["t"], { D: `"${id}"` }))
      const kept = await store.documents.put(scope, "kept")
      const dropped = await store.documents.put(scope, "dropped")
      await store.integrations.put(scope, integrationRow("a", { toolSetId: "of_integration", documentHash: kept }))
      await store.connections.put(scope, connectionRow("a", "org", "main", { toolSetId: "of_alice" }))
      await store.connections.put(bob, connectionRow("a", "user", "main", { toolSetId: "of_bob" }))

      await store.toolSets.collectGarbage(scope)

      expect(await hasToolSet(store, scope, "of_nobody")).toBe(false)
      expect(await store.toolSets.definitions(scope, "of_nobody", ["D"])).toEqual(new Map())
      expect(await store.documents.get(scope, dropped)).toBeNull()
      expect(await store.documents.get(scope, kept)).toBe("kept")
      for (const id of ["of_integration", "of_alice", "of_bob"]) {
        expect(await store.toolSets.definitions(scope, id, ["D"])).toEqual(new Map([["D", `"${id}"`]]))
      }
    })

    it("keeps a schema that another set uses, as input, as output or as a definition", async () => {
      const { store } = use()
      const scope = newScope()
      const texts = ['{"const":1}', '{"const":2}', '{"const":3}'] as const
      const old = {
        id: "old",
        tools: texts.map((inputSchema, index) => toolWrite(`t${index}`, { inputSchema })),
        definitions: new Map([["D", texts[0]]]),
      }
      const kept = {
        id: "kept",
        tools: [toolWrite("t", { inputSchema: texts[0], outputSchema: texts[1] })],
        definitions: new Map([["D", texts[2]]]),
      }
      await connect(store, scope, "a", "org", old)
      await connect(store, scope, "b", "org", kept)
      await connect(store, scope, "a", "org", kept)
      await store.toolSets.collectGarbage(scope)
      expect(await hasToolSet(store, scope, "old")).toBe(false)
      expect(await store.tools.get(scope, toolKey("b", "org", "main", "t"))).toMatchObject({
        inputSchema: texts[0],
        outputSchema: texts[1],
      })
      expect(await store.toolSets.definitions(scope, "kept", ["D"])).toEqual(new Map([["D", texts[2]]]))
    })

    it("goes with a removed connection or integration, unless somebody shares it", async () => {
      const { store } = use()
      const scope = newScope()
      await connect(store, scope, "a", "org", toolSet("shared", ["t"]))
      await connect(store, scope, "b", "org", toolSet("shared", []))
      await connect(store, scope, "c", "org", toolSet("own", ["t"]))
      await store.connections.remove(scope, connectionRef("a", "org", "main"))
      expect(await hasToolSet(store, scope, "shared")).toBe(true)
      await store.connections.remove(scope, connectionRef("b", "org", "main"))
      expect(await hasToolSet(store, scope, "shared")).toBe(false)
      await store.integrations.remove(scope, "c")
      expect(await hasToolSet(store, scope, "own")).toBe(false)
    })

    it("never takes what another process is about to point to", async () => {
      const { store, other } = use()
      const scope = newScope()
      await store.integrations.put(scope, integrationRow("a"))
      // Both move two connections to and fro between three sets, and collect after each move.
      const move = async (one: Store, name: string, seed: number): Promise<void> => {
        for (let round = 0; round < 20; round += 1) await pointTo(one, scope, name, `set${(round * seed) % 3}`)
      }
      await Promise.all([move(store, "one", 1), move(other, "two", 2), move(store, "three", 2), move(other, "four", 1)])
      for (const row of await store.connections.list(scope, {}, { after: null, limit: 10 })) {
        expect(await store.tools.count(scope, { name: row.name })).toBe(2)
        expect(await store.toolSets.definitions(scope, row.toolSetId ?? "", ["D"])).toEqual(new Map([["D", `"${row.toolSetId}"`]]))
      }
    })
  })
}

const pointTo = (store: Store, scope: Scope, name: string, id: string): Promise<void> =>
  store.transaction(async (transaction) => {
    await transaction.toolSets.put(scope, toolSet(id, ["x", "y"], { D: `"${id}"` }))
    await transaction.connections.put(scope, connectionRow("a", "org", name, { toolSetId: id }))
    await transaction.toolSets.collectGarbage(scope)
  })
