// A map that forgets: by number and by weight, the least recently used first.
import { expect, test } from "vitest"
import { LruMap } from "./lru-map.ts"

test("keeps what was used last", () => {
  const map = new LruMap<string, number>(2)
  map.set("a", 1)
  map.set("b", 2)
  map.get("a")
  map.set("c", 3)
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, undefined, 3])
})

test("keeps no more than may be carried, and nothing that is too heavy by itself", () => {
  const map = new LruMap<string, string>({ sizeMax: 10, weightMax: 5, weigh: (text) => text.length })
  map.set("a", "12")
  map.set("b", "123")
  map.set("b", "12")
  map.set("c", "1")
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual(["12", "12", "1"])
  map.set("d", "123")
  expect(["a", "b", "c", "d"].map((key) => map.get(key))).toEqual([undefined, undefined, "1", "123"])
  expect(map.set("e", "123456")).toBe("123456")
  expect(["c", "d", "e"].map((key) => map.get(key))).toEqual(["1", "123", undefined])
})
