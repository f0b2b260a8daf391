// Tests the history of tools: how sets differ, versions that count, and rows that go with their connection.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../core/principal.ts"
import type { Store } from "../store.ts"
import type { StoreUnderTest } from "./suite.ts"
import { connect, connectionRef, connectionRow, newScope, toolKey, toolSet, toolWrite } from "./samples.ts"

const ref = connectionRef("github", "org", "main")
const keyOf = (tool: string) => toolKey("github", "org", "main", tool)
const kept = { versionsMax: 10, removedToolsMax: 10 }
const page = { after: null, limit: 100 }
const changed = (tool: string, at = "2026") => ({ tool, at, change: "changed", diff: "{}" }) as const

async function setUp(store: Store): Promise<Scope> {
  const scope = newScope()
  await connect(store, scope, "github", "org", toolSet("before", ["same", "gone", "text"]))
  return scope
}

const versionsOf = async (store: Store, scope: Scope) =>
  Object.fromEntries(await store.toolChanges.versions(scope, ref, ["same", "gone", "text", "new", "none"]))

export function testToolChanges(use: () => StoreUnderTest): void {
  describe("changes of tools", () => {
    it("are found by comparing sets", async () => {
      const { store } = use()
      const scope = await setUp(store)
      const other = { input: toolWrite("input", { inputSchema: "{}" }), output: toolWrite("output", { outputSchema: "{}" }) }
      const before = { ...toolSet("one", ["same", "gone", "text", "input", "output", "bound"]), definitions: new Map([["D", "{}"]]) }
      const tools = [
        toolWrite("same"),
        toolWrite("text", { description: "Other" }),
        other.input,
        other.output,
        toolWrite("bound", { binding: "{}", tags: [] }),
        toolWrite("new"),
      ]
      await store.transaction(async (transaction) => {
        await transaction.toolSets.put(scope, before)
        await transaction.toolSets.put(scope, { id: "two", tools, definitions: new Map([["D", "{}"]]) })
        await transaction.toolSets.put(scope, { id: "three", tools, definitions: new Map([["D", '{"type":"string"}']]) })
        const differences = { added: ["new"], removed: ["gone"], changed: ["input", "output", "text"], hasOtherDefinitions: false }
        expect(await transaction.toolChanges.compare(scope, "one", "two")).toEqual(differences)
        expect(await transaction.toolChanges.compare(scope, "one", "three")).toEqual({ ...differences, hasOtherDefinitions: true })
        const same = { added: [], removed: [], changed: [], hasOtherDefinitions: false }
        expect(await transaction.toolChanges.compare(scope, "two", "two")).toEqual(same)
        expect(await transaction.toolChanges.compare(newScope(), "one", "two")).toEqual(same)
        const read = await transaction.toolChanges.defined(scope, "two", ["output", "none"], page)
        expect(read).toMatchObject([{ name: "output", requiresApproval: true, outputSchema: "{}" }])
        const rest = await transaction.toolChanges.defined(scope, "two", null, { after: "output", limit: 1 })
        expect(rest.map(({ name }) => name)).toEqual(["same"])
      })
    })

    it("count versions: of what was there from 1, of what is added from 0", async () => {
      const { store, other } = use()
      const scope = await setUp(store)
      const { toolChanges } = store
      await toolChanges.add(scope, ref, [changed("same", "2026-01"), { tool: "new", at: "2026-01", change: "added", diff: null }], kept)
      await toolChanges.add(scope, ref, [changed("same", "2026-02"), { tool: "gone", at: "2026-02", change: "removed", diff: null }], kept)
      await toolChanges.add(scope, ref, [], kept)
      expect(await versionsOf(other, scope)).toEqual({ same: 3, gone: 2 })
      expect(await other.toolChanges.list(scope, keyOf("same"), page)).toEqual([
        { tool: "same", version: 3, at: "2026-02", change: "changed", diff: "{}" },
        { tool: "same", version: 2, at: "2026-01", change: "changed", diff: "{}" },
      ])
      expect(await other.toolChanges.list(scope, keyOf("same"), { after: 3, limit: 1 })).toMatchObject([{ version: 2 }])
      expect(await other.toolChanges.list(scope, keyOf("new"), page)).toMatchObject([{ version: 1, change: "added", diff: null }])
      expect(await store.toolChanges.versions(scope, ref, [])).toEqual(new Map())
      expect(await versionsOf(store, newScope())).toEqual({})
    })

    it("keep the last ones of a tool", async () => {
      const { store } = use()
      const scope = await setUp(store)
      for (let times = 0; times < 5; times += 1) await store.toolChanges.add(scope, ref, [changed("same")], { ...kept, versionsMax: 2 })
      expect((await store.toolChanges.list(scope, keyOf("same"), page)).map(({ version }) => version)).toEqual([6, 5])
      expect(await versionsOf(store, scope)).toEqual({ same: 6 })
    })

    it("of tools that are gone stay for those that went last, and for what has returned", async () => {
      const { store } = use()
      const scope = await setUp(store)
      const turn = (tool: string, minute: number, change: "added" | "removed") =>
        store.toolChanges.add(scope, ref, [{ tool, at: `2026-01-01T00:0${minute}`, change, diff: null }], { ...kept, removedToolsMax: 1 })
      await turn("same", 1, "removed")
      await turn("same", 2, "added")
      await turn("gone", 3, "removed")
      expect(await versionsOf(store, scope)).toEqual({ same: 3, gone: 2 })
      await turn("text", 4, "removed")
      expect(await versionsOf(store, scope)).toEqual({ same: 3, text: 2 })
    })

    it("go with their connection, which may be written again", async () => {
      const { store } = use()
      const scope = await setUp(store)
      const row = connectionRow("github", "org", "main")
      await store.toolChanges.add(scope, ref, [changed("same")], kept)
      await store.connections.put(scope, { ...row, error: "still there" })
      expect(await versionsOf(store, scope)).toEqual({ same: 2 })
      await store.connections.remove(scope, ref)
      await store.connections.put(scope, row)
      expect(await versionsOf(store, scope)).toEqual({})
    })
  })
}
