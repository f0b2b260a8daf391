// Conformance of places: tickets of a group in one order for all nodes, freed by their nodes or by time.
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { newId } from "../../../io/ids.ts"
import type { PlaceGroup, PlaceRows } from "../../place-store.ts"
import type { ExecutionsUnderTest } from "./suite.ts"
import { later, newScope } from "./samples.ts"

export function testPlaces(use: () => ExecutionsUnderTest): void {
  const here = (): PlaceRows => use().stores.executions.places
  const there = (): PlaceRows => use().other.executions.places
  const newGroup = (group = "crm"): PlaceGroup => ({ tenant: newScope().tenant, group })
  const now = later(0)
  /** Nodes of this test alone. */
  const newNode = (seconds = 30) => ({ owner: newId("node"), until: later(seconds) })
  const aheadOf = async (group: PlaceGroup, owner: string, at = now) => Object.fromEntries(await here().ahead(group, owner, at))

  describe("places", () => {
    it("have one order for all nodes", async () => {
      const group = newGroup()
      const [one, two] = [newNode(), newNode()]
      await here().take({ ...group, id: "a" }, one, now)
      await there().take({ ...group, id: "b" }, two, now)
      await here().take({ ...group, id: "0" }, one, now)
      expect([await aheadOf(group, one.owner), await aheadOf(group, two.owner)]).toEqual([{ a: 0, "0": 2 }, { b: 1 }])
    })

    it("are released one by one, and those behind move up", async () => {
      const group = newGroup()
      const [one, two] = [newNode(), newNode()]
      await here().take({ ...group, id: "a" }, one, now)
      await there().take({ ...group, id: "b" }, two, now)
      expect(await here().release({ ...group, id: "a" }, one.owner)).toBe(true)
      expect(await aheadOf(group, two.owner)).toEqual({ b: 0 })
      expect(await here().release({ ...group, id: "a" }, one.owner)).toBe(true)
      expect(await there().release({ ...group, id: "b" }, two.owner)).toBe(false)
      // A number is not given again, also when nobody is left.
      await here().take({ ...group, id: "c" }, one, now)
      await there().take({ ...group, id: "d" }, two, now)
      expect([await aheadOf(group, one.owner), await aheadOf(group, two.owner)]).toEqual([{ c: 0 }, { d: 1 }])
    })

    it("are kept apart by tenant and group", async () => {
      const group = newGroup()
      const node = newNode()
      await here().take({ ...group, id: "a" }, node, now)
      for (const other of [newGroup(), { ...group, group: "CRM" }]) {
        await here().take({ ...other, id: "a" }, node, now)
        expect(await aheadOf(other, node.owner)).toEqual({ a: 0 })
        await here().release({ ...other, id: "a" }, node.owner)
      }
      expect(await aheadOf(group, node.owner)).toEqual({ a: 0 })
    })

    it("of a node that stops renewing them are free when its lease runs out, and stay lost to it", async () => {
      const group = newGroup()
      const [dead, alive] = [newNode(10), newNode(60)]
      await here().take({ ...group, id: "a" }, dead, now)
      await there().take({ ...group, id: "b" }, alive, now)
      expect(await aheadOf(group, alive.owner, later(9))).toEqual({ b: 1 })
      expect(await aheadOf(group, alive.owner, later(10))).toEqual({ b: 0 })
      await here().renew({ ...dead, until: later(99) }, later(10))
      expect([await aheadOf(group, alive.owner, later(10)), await aheadOf(group, dead.owner, later(10))]).toEqual([{ b: 0 }, {}])
      // The next one to come clears them away.
      await there().take({ ...group, id: "c" }, alive, later(10))
      expect(await aheadOf(group, alive.owner, later(1))).toEqual({ b: 0, c: 1 })
    })

    it("are renewed and released for the whole node, and for no other", async () => {
      const [group, second] = [newGroup(), newGroup()]
      const [one, two] = [newNode(10), newNode(10)]
      await here().take({ ...group, id: "a" }, one, now)
      await here().take({ ...second, id: "b" }, one, now)
      await there().take({ ...group, id: "c" }, two, now)
      await here().renew({ ...one, until: later(60) }, later(5))
      expect([await aheadOf(group, one.owner, later(20)), await aheadOf(second, one.owner, later(20))]).toEqual([{ a: 0 }, { b: 0 }])
      expect(await aheadOf(group, two.owner, later(20))).toEqual({})
      await there().releaseAll(one.owner)
      expect([await aheadOf(group, one.owner), await aheadOf(second, one.owner), await aheadOf(group, two.owner)]).toEqual([
        {},
        {},
        { c: 0 },
      ])
    })

    it("never have more before them than when they were first seen, with many nodes at once", async () => {
      const group = newGroup()
      const nodes = [newNode(), newNode()] as const
      const runs = { now: 0, most: 0 }
      const run = async (index: number): Promise<void> => {
        const { places } = (index % 2 === 0 ? use().stores : use().other).executions
        const node = nodes[index % 2 === 0 ? 0 : 1]
        const place = { ...group, id: `p${index}` }
        await places.take(place, node, now)
        while (((await places.ahead(group, node.owner, now)).get(place.id) ?? 0) >= 2) await setImmediate()
        runs.most = Math.max(runs.most, ++runs.now)
        await setImmediate()
        runs.now -= 1
        await places.release(place, node.owner)
      }
      await Promise.all(Array.from({ length: 24 }, (_, index) => run(index)))
      expect(runs).toEqual({ now: 0, most: 2 })
    })
  })
}
