// Tests pins: they are the connection's own, replaced one by one, and gone with it.
import { describe, expect, it } from "vitest"
import type { StoreUnderTest } from "./suite.ts"
import type { ConnectionRow } from "../store.ts"
import { connectionRow, integrationRow, newScope } from "./samples.ts"

const refOf = (row: ConnectionRow) => ({ integration: row.integration, owner: row.owner, connection: row.name })

export function testPins(use: () => StoreUnderTest): void {
  describe("pins", () => {
    it("are kept by tool and replaced one by one", async () => {
      const { store, other } = use()
      const scope = newScope()
      const row = connectionRow("github", "org", "main")
      await store.integrations.put(scope, integrationRow(row.integration))
      await store.connections.put(scope, row)
      await store.pins.put(scope, refOf(row), [
        { tool: "b", definition: "1" },
        { tool: "a", definition: "2" },
      ])
      await store.pins.put(scope, refOf(row), [{ tool: "b", definition: "3" }])
      await store.pins.put(scope, refOf(row), [])
      expect(await other.pins.list(scope, refOf(row))).toEqual([
        { tool: "a", definition: "2" },
        { tool: "b", definition: "3" },
      ])
      expect(await store.pins.list(newScope(), refOf(row))).toEqual([])
    })

    it("go with their connection, and with its integration", async () => {
      const { store } = use()
      const scope = newScope()
      const row = connectionRow("github", "org", "main")
      for (const remove of [() => store.connections.remove(scope, refOf(row)), () => store.integrations.remove(scope, row.integration)]) {
        await store.integrations.put(scope, integrationRow(row.integration))
        await store.connections.put(scope, row)
        await store.pins.put(scope, refOf(row), [{ tool: "a", definition: "1" }])
        await store.connections.put(scope, { ...row, error: "still there" })
        expect(await store.pins.list(scope, refOf(row))).toHaveLength(1)
        await remove()
        expect(await store.pins.list(scope, refOf(row))).toEqual([])
      }
    })
  })
}
