// Conformance of session values: kept by session and name, up to a size and a time.
import { describe, expect, it } from "vitest"
import type { ExecutionsUnderTest } from "./suite.ts"
import { later, newScope, sessionRoom as room } from "./samples.ts"

export function testValues(use: () => ExecutionsUnderTest): void {
  const keyOf = (name = "n", session = "s") => ({ tenant: newScope().tenant, session, name })
  const now = later(0)

  describe("session values", () => {
    it("are replaced, and kept apart by tenant, session and name", async () => {
      const { values } = use().stores.executions
      const key = keyOf()
      expect(await values.get(key, now)).toBeNull()
      expect(await values.put(key, '"old"', later(60), room(100))).toBe("kept")
      expect(await values.put(key, '"new"', later(60), room(100))).toBe("kept")
      expect(await use().other.executions.values.get(key, now)).toBe('"new"')
      for (const change of [{ tenant: "t" }, { session: "other" }, { name: "other" }])
        expect(await values.get({ ...key, ...change }, now)).toBeNull()
    })

    it("run out", async () => {
      const { values } = use().stores.executions
      const [old, young] = [keyOf(), keyOf()]
      await values.put(old, "1", later(10), room(100))
      await values.put(young, "1", later(20), room(100))
      expect([await values.get(old, later(9)), await values.get(old, later(10))]).toEqual(["1", null])
      await values.deleteExpired(later(10))
      expect([await values.get(old, later(9)), await values.get(young, later(9))]).toEqual([null, "1"])
    })

    it("are refused beyond the size of a session, counted in bytes with their names", async () => {
      const { values } = use().stores.executions
      const key = keyOf("a")
      const put = async (name: string, value: string) => (await values.put({ ...key, name }, value, later(60), room(20))) === "kept"
      expect(await put("a", "123456789")).toBe(true)
      expect(await put("b", "1234567890")).toBe(false)
      expect(await put("b", "éééé1")).toBe(true)
      expect(await put("c", "")).toBe(false)
      expect(await values.get({ ...key, name: "b" }, now)).toBe("éééé1")
      // Its own old value makes room for the new one.
      expect(await put("a", "12345678")).toBe(true)
      expect(await put("a", "1234567890")).toBe(false)
      expect(await values.get(key, now)).toBe("12345678")
      expect(await values.put({ ...key, session: "other" }, "123456789", later(60), { ...room(20), principal: "other" })).toBe("kept")
    })

    it("are refused beyond the size of all sessions of a principal, and of nobody else", async () => {
      const { values } = use().stores.executions
      const { tenant } = newScope()
      const put = (session: string, name: string, principal = "u/t", value = "x".repeat(100)) =>
        values.put({ tenant, session, name }, value, later(60), { bytesMax: 250, principal, principalBytesMax: 1000 })
      for (const session of ["u/t", "u/t/1", "u/t/2"]) expect(await put(session, "n")).toBe("kept")
      expect(await put("u/t/3", "n")).toBe("principal_full")
      expect(await put("u/t/1", "n")).toBe("kept")
      expect(await put("u/t/1", "m", "u/t", "x".repeat(200))).toBe("session_full")
      expect(await values.get({ tenant, session: "u/t/3", name: "n" }, now)).toBeNull()
      expect([await put("u/t2", "n", "u/t2"), await put("u/t2/1", "n", "u/t2")]).toEqual(["kept", "kept"])
      expect(await values.put({ tenant: newScope().tenant, session: "u/t", name: "n" }, "1", later(60), room(250))).toBe("kept")
    })

    it("stay within the size when many are put at once", async () => {
      const { stores, other } = use()
      const key = keyOf()
      const puts = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? stores : other).executions.values.put({ ...key, name: `n${index + 10}` }, "1234567", later(60), room(55)),
      )
      expect((await Promise.all(puts)).filter((one) => one === "kept")).toHaveLength(5)
    })
  })
}
