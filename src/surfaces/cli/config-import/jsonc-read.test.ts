// JSON with comments and trailing commas is read, and nothing that is written there takes longer than its length.
import fc from "fast-check"
import { expect, test } from "vitest"
import { parseJsonc } from "./jsonc-read.ts"

test.each<[string, unknown]>([
  ['{ "a": 1, // one\n /* two\n , } */ "b": [1, 2, ], }', { a: 1, b: [1, 2] }],
  ['{"a":"// no /* comment */, ]","b":"\\"//\\\\",}', { a: "// no /* comment */, ]", b: '"//\\' }],
  ["[1, /* , */ // ,\n\t]", [1]],
  ['\uFEFF// first\r\n{"url":"https://x//y"}/**/', { url: "https://x//y" }],
  ["//\n1//", 1],
])("%j", (text, value) => {
  expect(parseJsonc(text)).toEqual(value)
})

test.each(["/* never closed", "{ / }", '{"a": "x\n"}', "[1,,2]", "{,", '"a', '"\\'])("%j is refused", (text) => {
  expect(() => parseJsonc(text)).toThrow(SyntaxError)
})

test.each([
  ["a comma before a line of slashes", `{ "a": 1, ${"/".repeat(5_000)}\n "b": 2 }`],
  ["many comments after a comma", `[1, ${"/**/ //\n".repeat(50_000)} 2]`],
])("%s is read in one go", (_, text) => {
  expect(parseJsonc(text)).toBeDefined()
})

test.each([["/*".repeat(200_000)], [",".repeat(200_000)], ['"'.repeat(199_999)], [`,${"/".repeat(3)}\n`.repeat(50_000)]])(
  "what is no JSON is refused in one go",
  (text) => {
    expect(() => parseJsonc(text)).toThrow(SyntaxError)
  },
)

test("whatever JSON says is what is read, also with comments between its lines", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, comment) => {
      const text = JSON.stringify(value, null, 1)
      const commented = text.replaceAll("\n", () => ` // ${comment.replaceAll(/[\n\r]/g, "")}\n`)
      expect(parseJsonc(commented)).toEqual(JSON.parse(text))
    }),
  )
})

test("the place of an error is the place in the file", () => {
  expect(() => parseJsonc('{ // c\n /* c */ "a": 1,\n oops }')).toThrow(/line 3 column 2/)
})
