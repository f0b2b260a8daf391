// What the revision cache keeps, and when it reads again.
import { describe, expect, test } from "vitest"
import { createRevisionCache } from "./revision-cache.ts"

function setUp(isKept?: (value: string | null) => boolean) {
  const source = { revision: 1, value: "one" as string | null, reads: 0 }
  const cache = createRevisionCache<string | null>({ revision: () => String(source.revision) }, 2, isKept)
  const read = (key = "a"): Promise<string | null> =>
    cache(key, async () => {
      source.reads += 1
      return source.value
    })
  return { source, cache, read }
}

describe("revision cache", () => {
  test("reads once while the revision stands, and again when it moved", async () => {
    const { source, read } = setUp()
    expect([await read(), await read()]).toEqual(["one", "one"])
    expect(source.reads).toBe(1)
    Object.assign(source, { revision: 2, value: "two" })
    expect([await read(), await read()]).toEqual(["two", "two"])
    expect(source.reads).toBe(2)
  })

  test("callers at the same time share one read, but not one from before the revision moved", async () => {
    const { source, cache } = setUp()
    const slow = Promise.withResolvers<string>()
    const first = cache("a", () => slow.promise)
    const second = cache("a", () => Promise.reject(new Error("not asked")))
    source.revision = 2
    const third = cache("a", () => Promise.resolve("new"))
    slow.resolve("old")
    expect(await Promise.all([first, second, third])).toEqual(["old", "old", "new"])
    expect(await cache("a", () => Promise.reject(new Error("not asked")))).toBe("new")
  })

  test("does not keep what was read while the revision moved", async () => {
    const { source, cache, read } = setUp()
    const value = await cache("a", async () => {
      source.revision += 1
      return "half old"
    })
    expect([value, await read()]).toEqual(["half old", "one"])
  })

  test("does not keep failures, nor what it was told to leave out", async () => {
    const { source, cache, read } = setUp((value) => value !== null)
    await expect(cache("a", () => Promise.reject(new Error("down")))).rejects.toThrow("down")
    source.value = null
    expect([await read(), await read()]).toEqual([null, null])
    expect(source.reads).toBe(2)
  })

  test("keeps at most as many as it was told", async () => {
    const { source, read } = setUp()
    for (const key of ["a", "b", "c", "a"]) await read(key)
    expect(source.reads).toBe(4)
  })
})
