// Sorts as the built-in does, and lets others have their turn.
import fc from "fast-check"
import { expect, test } from "vitest"
import { sortSliced } from "./sort-sliced.ts"

function sorted(values: readonly number[]): { order: number[]; slices: number } {
  const work = sortSliced(values.length, (a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
  for (let slices = 1; ; slices += 1) {
    const step = work.next()
    if (step.done === true) return { order: Array.from(step.value), slices }
  }
}

test("any numbers, also more than a slice has", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 1, max: 1000 }), (count, spread) => {
      const values = Array.from({ length: count }, (_, at) => (at * 7919) % spread)
      const expected = values
        .keys()
        .toArray()
        .toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
      expect(sorted(values).order).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

test("a large set takes many slices", () => {
  expect(sorted(Array.from({ length: 50_000 }, (_, at) => -at)).slices).toBeGreaterThan(50)
})
