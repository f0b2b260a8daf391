// Integers that no number holds keep their digits, and everything else is parsed as ever.
import { expect, test } from "vitest"
import { isInexactInteger, isLongInteger, parseJsonExactly } from "./long-integer.ts"

test.each([
  ['{"id":12345678901234567890}', { id: "12345678901234567890" }],
  ["[-9007199254740993, 9007199254740991, 9007199254740992]", ["-9007199254740993", 9007199254740991, "9007199254740992"]],
  ["12345678901234567890", "12345678901234567890"],
  [`[${"9".repeat(400)}]`, ["9".repeat(400)]],
  ['{"a":{"b":[ \n 18446744073709551615 ]}}', { a: { b: ["18446744073709551615"] } }],
  ['{"text":"[12345678901234567890","n":1}', { text: "[12345678901234567890", n: 1 }],
  ["[0.12345678901234567890, 12345678901234567890.5, 1e30]", [0.12345678901234568, 12345678901234567000, 1e30]],
  ["[1234567890123456]", [1234567890123456]],
])("%s", (text, value) => {
  expect(parseJsonExactly(text)).toEqual(value)
})

test("a name such as __proto__ stays a name, and depth is no reason to lose everything", () => {
  const value = parseJsonExactly('{"__proto__":{"x":12345678901234567890}}') as object
  expect(Object.hasOwn(value, "__proto__")).toBe(true)
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  const deep = `${"[".repeat(200_000)}12345678901234567890${"]".repeat(200_000)}`
  expect(Array.isArray(parseJsonExactly(deep))).toBe(true)
  expect(() => parseJsonExactly("[12345678901234567890")).toThrow(SyntaxError)
})

test("what is a long integer", () => {
  expect(["9007199254740992", "-12345678901234567890"].every(isLongInteger)).toBe(true)
  expect(
    ["9007199254740991", "0012345678901234567890", "1234567890123456789a", "", "1e30", 12345678901234567890n].some(isLongInteger),
  ).toBe(false)
  expect([2 ** 53, -(2 ** 60)].every(isInexactInteger)).toBe(true)
  expect([2 ** 53 - 1, 1e300, 0.5, Infinity].some(isInexactInteger)).toBe(false)
})
