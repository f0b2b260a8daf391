// What is written in pieces is what the engine writes at once.
import { expect, test } from "vitest"
import { isLargeJson, writeJson } from "./json-write.ts"

const written = (value: unknown): string => [...writeJson(value)].join("")

const rows = (count: number): unknown[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: `row "${id}"`, tags: ["a", null, true], none: undefined }))

test.each([
  ["a number", 1],
  ["an empty list", []],
  ["an empty object", {}],
  ["many small items", rows(20_000)],
  ["small and large items", [1, rows(25_000), "x", {}, rows(26_000), undefined, rows(3)]],
  ["a large last item", [rows(25_000)]],
  ["large fields", { first: rows(25_000), none: undefined, 'quo"te': { deep: { deeper: rows(29_000) } }, last: null }],
  ["a wide object", Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key ${at}`, at]))],
  ["a long text", { text: "line\n\u0001 é ".repeat(200_000) }],
  ["dates", { at: new Date(0), rows: rows(28_000) }],
])("%s", (_name, value) => {
  expect(written(value)).toBe(JSON.stringify(value))
})

test("a character on the border of two pieces is read back", () => {
  const text = `x${"😀".repeat(200_000)}`
  expect(JSON.parse(written({ text }))).toEqual({ text })
})

test("a large value comes in pieces that grow in number, not in size", () => {
  const pieces = [...writeJson({ items: rows(100_000) })]
  expect(pieces.length).toBeGreaterThan(30)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(400_000)
  expect(isLargeJson({ items: rows(100_000) })).toBe(true)
  expect(isLargeJson({ items: rows(1000) })).toBe(false)
})
