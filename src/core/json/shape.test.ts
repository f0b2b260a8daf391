// Tests that the width of JSON is told as walking the value would.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { isWiderThan } from "./shape.ts"

function widthOf(value: unknown): { objectKeys: number; values: number } {
  if (typeof value !== "object" || value === null) return { objectKeys: 0, values: 1 }
  const inner = Object.values(value).map(widthOf)
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return {
    objectKeys: Math.max(own, ...inner.map(({ objectKeys }) => objectKeys)),
    values: inner.reduce((sum, { values }) => sum + values, 1),
  }
}

test("the keys of the widest object and all values are counted, whatever strings hold", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary" }), (text) => {
      const json = JSON.stringify(JSON.parse(text))
      const { objectKeys, values } = widthOf(JSON.parse(json))
      expect(isWiderThan(json, { objectKeys: Math.max(1, objectKeys), values })).toBe(false)
      expect(isWiderThan(json, { objectKeys: 1000, values: values - 1 })).toBe(true)
      if (objectKeys > 1) expect(isWiderThan(json, { objectKeys: objectKeys - 1, values })).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test("brackets and commas inside strings count nothing", () => {
  const text = JSON.stringify({ a: `",[{\\"`.repeat(100_000) })
  expect(isWiderThan(text, { objectKeys: 1, values: 2 })).toBe(false)
})
