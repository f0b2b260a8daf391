// Lone surrogates become the replacement character; everything else stays as it was written.
import { expect, test } from "vitest"
import { wellFormedJson } from "./json-well-formed.ts"

test.each([
  ["a\ud800b", "a\uFFFDb"],
  ["\udfff", "\uFFFD"],
  ["😀", "😀"],
  [String.raw`\ud800`, String.raw`\ud800`],
  ["\\\ud800", "\\\uFFFD"],
  ['\u0007\n"\\', '\u0007\n"\\'],
  [{ ["k\ud800"]: ["\udc00\ud800"] }, { ["k\uFFFD"]: ["\uFFFD\uFFFD"] }],
])("%j", (value, shown) => {
  expect(JSON.parse(wellFormedJson(JSON.stringify(value)))).toEqual(shown)
})
