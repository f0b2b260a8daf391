// Conformance of session values: kept by session and name, up to a size and a time.
import { describe, expect, it } from "vitest"
import type { ExecutionsUnderTest } from "../testing.ts"
import { later, newScope } from "./samples.ts"

export function testValues(use: () => ExecutionsUnderTest): void {
  const keyOf = (name = "n", session = "s") => ({ tenant: newScope().tenant, session, name })
  const now = later(0)

  describe("session values", () => {
    it("are replaced, and kept apart by tenant, session and name", async () => {
      const { values } = use().stores.executions
      const key = keyOf()
      expect(await values.get(key, now)).toBeNull()
      expect(await values.put(key, '"old"', later(60), 100)).toBe(true)
      expect(await values.put(key, '"new"', later(60), 100)).toBe(true)
      expect(await use().other.executions.values.get(key, now)).toBe('"new"')
      for (const change of [{ tenant: "t" }, { session: "other" }, { name: "other" }])
        expect(await values.get({ ...key, ...change }, now)).toBeNull()
    })

    it("run out", async () => {
      const { values } = use().stores.executions
      const [old, young] = [keyOf(), keyOf()]
      await values.put(old, "1", later(10), 100)
      await values.put(young, "1", later(20), 100)
      expect([await values.get(old, later(9)), await values.get(old, later(10))]).toEqual(["1", null])
      await values.forget(later(10))
      expect([await values.get(old, later(9)), await values.get(young, later(9))]).toEqual([null, "1"])
    })

    it("are refused beyond the size of a session, counted in bytes with their names", async () => {
      const { values } = use().stores.executions
      const key = keyOf("a")
      const put = (name: string, value: string) => values.put({ ...key, name }, value, later(60), 20)
      expect(await put("a", "123456789")).toBe(true)
      expect(await put("b", "1234567890")).toBe(false)
      expect(await put("b", "éééé1")).toBe(true)
      expect(await put("c", "")).toBe(false)
      expect(await values.get({ ...key, name: "b" }, now)).toBe("éééé1")
      // Its own old value makes room for the new one.
      expect(await put("a", "12345678")).toBe(true)
      expect(await put("a", "1234567890")).toBe(false)
      expect(await values.get(key, now)).toBe("12345678")
      expect(await values.put({ ...key, session: "other" }, "123456789", later(60), 20)).toBe(true)
    })

    it("stay within the size when many are put at once", async () => {
      const { stores, other } = use()
      const key = keyOf()
      const puts = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? stores : other).executions.values.put({ ...key, name: `n${index + 10}` }, "1234567", later(60), 55),
      )
      expect((await Promise.all(puts)).filter(Boolean)).toHaveLength(5)
    })
  })
}
