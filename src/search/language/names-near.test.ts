// Finds what comparing with every name would find, and looks for nearer names only once it has many.
import fc from "fast-check"
import { expect, test } from "vitest"
import { namesNear } from "./names-near.ts"
import { editDistance } from "./spelling.ts"

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "."), maxLength: 12 })

test("the distance is that of the whole table, up to its maximum", () => {
  fc.assert(
    fc.property(word, word, fc.nat(13), (a, b, max) => {
      expect(editDistance(a, b, max)).toBe(Math.min(wholeDistance(a, b), max + 1))
    }),
  )
})

test("every name within a third of the letters is found", () => {
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 40 }), (wanted, names) => {
      const allowed = Math.max(1, Math.floor(wanted.length / 3))
      const near = names.flatMap((name, tool) => (name.startsWith(wanted) || wholeDistance(wanted, name) <= allowed ? [tool] : []))
      expect(namesNear(wanted, names, 120).map(({ tool }) => tool)).toEqual(wanted === "" ? [] : near)
    }),
  )
})

test("among thousands of names that are all alike the nearest is found", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `area${at % 50}.create_report_item${at}`)
  const [nearest] = namesNear("area14.creat_report_item12664", names, 120).toSorted((one, other) => one.distance - other.distance)
  expect(names[nearest?.tool ?? -1]).toBe("area14.create_report_item12664")
})

/** Of each beginning of one text to each of the other. */
function wholeDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0
  for (let i = 0; i <= a.length; i += 1) {
    for (let j = 0; j <= b.length; j += 1) {
      const replaced = i > 0 && j > 0 ? at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1) : Infinity
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Infinity
      const added = Math.min(i > 0 ? at(i - 1, j) + 1 : Infinity, j > 0 ? at(i, j - 1) + 1 : Infinity)
      const row = table[i] ?? []
      row[j] = i === 0 && j === 0 ? 0 : Math.min(replaced, swapped, added)
    }
  }
  return at(a.length, b.length)
}
