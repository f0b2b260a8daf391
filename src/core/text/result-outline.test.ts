// The outline of a value names what is in it, and stays short.
import { expect, test } from "vitest"
import { outlineOf } from "./result-outline.ts"

test.each([
  [[], "array of 0"],
  [[1, 2], "array of 2"],
  [[{ id: 1, user: { login: "a", plan: { name: "b", limits: { x: 1 } } } }], "array of 1 { id, user: { login, plan: { … } } }"],
  [{ items: [{ id: 1 }], total: 1, none: null }, "{ items: array of 1 { id }, total, none }"],
  ["abc", "text of 3 characters"],
  [Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`k${n}`, n])), expect.stringMatching(/^\{ k0, .*k29, and 2 more keys \}$/)],
])("%j", (value, outline) => {
  expect(outlineOf(value)).toEqual(outline)
})

test("is bounded however wide the value is", () => {
  const wide = (depth: number): unknown =>
    depth === 0 ? 1 : Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key ${"x".repeat(100)} ${n}`, wide(depth - 1)]))
  expect(outlineOf(wide(3)).length).toBeLessThanOrEqual(2000)
})
