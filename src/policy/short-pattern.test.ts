// Short patterns beside the whole ones that they mean, and those that are whole already.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { normalizePolicyPattern } from "./match.ts"
import { connectionPattern, widenShortPattern } from "./short-pattern.ts"

const widen = (pattern: string): string => widenShortPattern(normalizePolicyPattern(pattern), (slug) => slug === "executor")

test.each([
  ["shop.orders.cancel", "shop.*.*.orders.cancel"],
  ["shop.orders.*", "shop.*.*.orders.**"],
  ["shop.orders.**", "shop.*.*.orders.**"],
  ["shop.list*", "shop.*.*.list*"],
  ["shop.ping", "shop.*.*.ping"],
  ["shop.a.b.c.d", "shop.*.*.a.b.c.d"],
  ["tools.shop.orders.cancel", "shop.*.*.orders.cancel"],
  // Too short for a full path, whatever its second segment is.
  ["shop.user.get", "shop.*.*.user.get"],
  ["shop.*.delete*", "shop.*.*.*.delete*"],
])("%s means %s", (short, whole) => {
  expect(widen(short)).toBe(whole)
})

test.each([
  "*",
  "**.delete*",
  "shop.**",
  "shop.**.cancel",
  "shop.org.main.orders.cancel",
  "shop.user.main.**",
  "shop.*.*.orders.cancel",
  "shop.o*.main.orders.cancel",
  "*.orders.cancel",
  "executor.coreTools.policies.create",
  "shop",
])("%s is whole", (pattern) => {
  expect(widen(pattern)).toBe(pattern)
})

const connection = (pattern: string): string | null => connectionPattern(normalizePolicyPattern(pattern), (slug) => slug === "executor")

test.each([
  ["shop.org.main", "shop.org.main.**"],
  ["tools.shop.user.main", "shop.user.main.**"],
  ["shop.org.m*", "shop.org.m*.**"],
  ["shop.org", "shop.org.**"],
])("%s may name a connection: %s", (pattern, whole) => {
  expect(connection(pattern)).toBe(whole)
  expect(widen(whole)).toBe(whole)
  expect(connection(whole)).toBeNull()
})

test.each([
  "shop",
  "org",
  "shop.orders",
  "shop.orders.cancel",
  "shop.org.*",
  "shop.org.main.ping",
  "*.org.main",
  "shop.*.main",
  "executor.org",
])("%s names no connection", (pattern) => {
  expect(connection(pattern)).toBeNull()
})

test("what was made whole stays as it is", () => {
  const segments = fc.constantFrom("*", "**", "a", "list*", "org", "o*", "executor")
  fc.assert(
    fc.property(fc.array(segments, { minLength: 1, maxLength: 6 }), (parts) => {
      const once = widen(parts.join("."))
      expect(widen(once)).toBe(once)
    }),
  )
})
