// The cache forgets what was used longest ago, by weight, and never mixes tool sets.
import { expect, test } from "vitest"
import type { ArgsCheck } from "./check.ts"
import { createArgsCheckCache } from "./cache.ts"

const checkOf = (weight: number): ArgsCheck => ({ check: () => ({ ok: true }), weight: () => weight })
const key = (schemaHash: string, toolSetId = "set"): { toolSetId: string; schemaHash: string } => ({ toolSetId, schemaHash })

test("keeps what fits and drops what was used longest ago", () => {
  const cache = createArgsCheckCache(33)
  const [a, b, c, d] = [checkOf(10), checkOf(10), checkOf(10), checkOf(10)]
  cache.put(key("a"), a)
  cache.put(key("b"), b)
  cache.put(key("c"), c)
  expect(cache.get(key("a"))).toBe(a)
  cache.put(key("d"), d)
  expect(cache.get(key("b"))).toBeNull()
  expect([cache.get(key("a")), cache.get(key("c")), cache.get(key("d"))]).toEqual([a, c, d])
})

test("takes the growth of a check into account when it is used", () => {
  const cache = createArgsCheckCache(40)
  let grown = 1
  cache.put(key("other"), checkOf(10))
  cache.put(key("growing"), { check: () => ({ ok: true }), weight: () => grown })
  grown = 35
  expect(cache.get(key("growing"))).not.toBeNull()
  expect(cache.get(key("other"))).toBeNull()
})

test("keeps even a check that is heavier than the whole cache until the next one comes", () => {
  const cache = createArgsCheckCache(5)
  const heavy = checkOf(100)
  cache.put(key("heavy"), heavy)
  expect(cache.get(key("heavy"))).toBe(heavy)
  cache.put(key("light"), checkOf(1))
  expect(cache.get(key("heavy"))).toBeNull()
})

test("tells tool sets apart, because the same reference may mean another definition there", () => {
  const cache = createArgsCheckCache()
  const mine = checkOf(1)
  cache.put(key("same", "one"), mine)
  expect(cache.get(key("same", "two"))).toBeNull()
  expect(cache.get(key("same", "one"))).toBe(mine)
})

test("a second put replaces the first without counting it twice", () => {
  const cache = createArgsCheckCache(25)
  cache.put(key("a"), checkOf(10))
  cache.put(key("b"), checkOf(10))
  cache.put(key("a"), checkOf(10))
  expect(cache.get(key("b"))).not.toBeNull()
})
