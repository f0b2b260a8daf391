// Tests that equal values have one text, and others another.
import { expect, test } from "vitest"
import { canonicalJson } from "./canonical.ts"

test("the order of keys does not count, the order of items does", () => {
  expect(canonicalJson({ b: [1, { d: "x", c: null }], a: true })).toBe('{"a":true,"b":[1,{"c":null,"d":"x"}]}')
  expect(canonicalJson({ 10: 1, 9: 2 })).toBe('{"10":1,"9":2}')
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]))
})

test("names are data, and undefined is what JSON makes of it", () => {
  expect(canonicalJson(JSON.parse('{"a":2,"__proto__":{"b":1}}'))).toBe('{"__proto__":{"b":1},"a":2}')
  expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}')
})

test("depth is limited where the caller says so", () => {
  expect(canonicalJson([[[]]], 3)).toBe("[[[]]]")
  expect(() => canonicalJson([[[]]], 2)).toThrow(RangeError)
})
