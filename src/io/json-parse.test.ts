// What is parsed in steps is what the engine parses at once, and what the engine refuses is refused.
import fc from "fast-check"
import { expect, test } from "vitest"
import { JsonError, isLongJson, parseLongJson } from "./json-parse.ts"

const parsed = (text: string): Promise<unknown> => parseLongJson(text, { depthMax: 100 })
const rows = (count: number): unknown[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: `row "${id}" \\ [{`, tags: ["a", null, true, -1.5e3] }))
const pad = " ".repeat(70_000)

test.each<[string, unknown]>([
  ["many small items", rows(20_000)],
  ["long and short items", [1, rows(3000), "x", {}, rows(4000), [], rows(3), "end"]],
  ["nested long objects", { a: rows(3000), 'b\\"': { c: { d: rows(3000), e: 1 } }, f: "x".repeat(300_000), g: null }],
  ["a wide object", Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key ${at}`, at]))],
  ["many numbers", Array.from({ length: 200_000 }, (_, at) => at)],
])("%s", async (_name, value) => {
  for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2), `\n ${JSON.stringify(value)}\t`]) {
    expect(isLongJson(text)).toBe(true)
    expect(await parsed(text)).toEqual(value)
  }
})

test("keys that every object has, and keys that come twice", async () => {
  const text = `{"__proto__":${JSON.stringify(rows(3000))},"constructor":1,"a":1,"pad":"${pad}","a":2,"__proto__":{"x":1}}`
  const value = await parsed(text)
  expect(value).toEqual(JSON.parse(text))
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.keys(value as object)).toEqual(Object.keys(JSON.parse(text) as object))
})

test.each([
  `[1,2,${pad}]`,
  `[${pad},1]`,
  `[${pad}]`,
  `{${pad}}`,
  `[1,,${pad}2]`,
  `[[${pad}1}]`,
  `[[${pad}1]]]`,
  `[[${pad}1]`,
  `[[${pad}1] 2]`,
  `[2 [${pad}1]]`,
  `{"a":[${pad}1],}`,
  `{"a":[${pad}1] "b":2}`,
  `{"a","b":[${pad}1]}`,
  `{"a":1 [${pad}1]}`,
  `{[${pad}1]}`,
  `{"a":1,"b"[${pad}1]}`,
  `["${pad}]`,
  `[1]${pad}[2]`,
  `[[${pad}1],[${pad}2]]`,
  `{"a":{"b":[${pad}1],"c":[${pad}2]},"d":[${pad}]}`,
])("as the engine does: %#", async (text) => {
  const expected = engine(text)
  if (expected === refused) await expect(parsed(text)).rejects.toThrow(JsonError)
  else expect(await parsed(text)).toEqual(expected)
})

test("any text that is cut, or has a character too many", async () => {
  const text = JSON.stringify({ a: rows(900), b: [rows(900), 1, { c: rows(900) }], d: "e" })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(text.length),
      fc.constantFrom("", ",", "]", "}", '"', "[", "{", ":", "\\", "1"),
      fc.boolean(),
      async (at, extra, cuts) => {
        const broken = text.slice(0, at) + extra + text.slice(cuts ? at + 1 : at)
        const expected = engine(broken)
        if (expected === refused) await expect(parsed(broken)).rejects.toThrow(JsonError)
        else expect(await parsed(broken)).toEqual(expected)
      },
    ),
    { numRuns: 60 },
  )
})

test("what is nested too deeply is refused before it is parsed", async () => {
  const deep = (levels: number): string => `${"[".repeat(levels)}"${pad}"${"]".repeat(levels)}`
  expect(await parsed(deep(100))).toBeDefined()
  await expect(parsed(deep(101))).rejects.toMatchObject({ reason: "depth" })
})

const refused = Symbol("refused")
function engine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refused
  }
}
