// Text of strangers cannot move the cursor, recolour, hide or reorder what is read.
import { expect, test } from "vitest"
import { safeJson, safeLine, safeText } from "./safe.ts"

test.each([
  ["an ANSI colour", "\u001b[31mred\u001b[0m", String.raw`\u001b[31mred\u001b[0m`],
  ["a C1 sequence", "\u009b2J", String.raw`\u009b2J`],
  ["a title", "\u001b]0;owned\u0007", String.raw`\u001b]0;owned\u0007`],
  ["a carriage return", "safe\rEVIL", "safe EVIL"],
  ["a backspace", "abc\b\b\b", String.raw`abc\u0008\u0008\u0008`],
  ["an override", "user\u202egnp.exe", String.raw`user\u202egnp.exe`],
  ["isolates", "\u2066a\u2069", String.raw`\u2066a\u2069`],
  ["marks", "\u200ea\u200f\u061c", String.raw`\u200ea\u200f\u061c`],
  ["a zero-width space", "a\u200bb\ufeff", String.raw`a\u200bb\ufeff`],
  ["a tag", "a\u{e0041}", String.raw`a\udb40\udc41`],
  ["fillers", "a\u3164b\u115f\uffa0\u034f", String.raw`a\u3164b\u115f\uffa0\u034f`],
  ["a text in variation selectors", "a\ufe00\ufe01\u{e0141}b", String.raw`a${"\ufe00"}\ufe01\udb40\udd41b`],
  ["a text in joiners", "a\u200c\u200d\u200db", String.raw`a${"\u200c"}\u200d\u200db`],
  ["a variation selector", "❤\ufe0f\u200d🔥 葛\u{e0100}", "❤\ufe0f\u200d🔥 葛\u{e0100}"],
  ["a lone surrogate", "a\ud800b\udc00", String.raw`a\ud800b\udc00`],
  ["line breaks", "a\n  b\u2028c\td\r\ne", "a b c d e"],
  ["emoji and scripts", "👩‍👩‍👧 naïve 日本 العربية", "👩‍👩‍👧 naïve 日本 العربية"],
])("%s", (_name, text, shown) => {
  expect(safeLine(text)).toBe(shown)
})

test("several lines stay several lines", () => {
  expect(safeText("a\r\n\tb\u001b[2J\rc\n")).toBe(`a\n\tb${String.raw`\u001b`}[2J${String.raw`\u000d`}c\n`)
})

test("JSON means the same", () => {
  const value = { "k\u202e": ["\u009b\u001b[31m\u2028", "ok\n"], n: null }
  const text = safeJson(value, 2)
  // oxlint-disable-next-line no-control-regex -- control characters must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
  expect(JSON.parse(text)).toEqual(value)
  expect(safeJson(undefined)).toBe("null")
})

test("a line takes time that grows with its length, whatever it is", () => {
  // What tried each of these spaces anew would take minutes, which ends the test.
  const text = `a${" ".repeat(1_000_000)}b`
  expect(safeLine(text)).toBe(text)
  expect(safeLine(`a${" ".repeat(1_000_000)}\nb`)).toBe("a b")
})
