// Tests where things stand on a timeline: what counts as a pause, what is folded, and that nothing leaves the axis.
import { expect, test } from "vitest"
import { createAxis, foldsOf, lengthOf, pausesOf } from "./axis.ts"
import type { Segment } from "./segments.ts"

const day = 86_400_000
const segment = (kind: Segment["kind"], from: number, to: number): Segment => ({ kind, from, to })

test("only time in which nothing runs is a pause", () => {
  const segments = [segment("upstream", 0, 10), segment("wait", 5, 100), segment("wait", 20, 200), segment("upstream", 50, 60)]
  const pauses = pausesOf(segments)
  expect(pauses).toEqual([
    { from: 10, to: 50 },
    { from: 60, to: 200 },
  ])
  expect(lengthOf(pauses)).toBe(180)
})

test("days of waiting are folded, and what runs keeps most of the axis", () => {
  const segments = [segment("upstream", 0, 100), segment("wait", 100, 3 * day), segment("upstream", 3 * day, 3 * day + 100)]
  const whole = { from: 0, to: 3 * day + 100 }
  const folds = foldsOf(pausesOf(segments), whole)
  expect(folds).toEqual([{ from: 100, to: 3 * day }])
  const axis = createAxis(whole, folds)
  expect(axis.at(100)).toBeCloseTo(0.46)
  expect(axis.at(3 * day)).toBeCloseTo(0.54)
  expect(axis.at(whole.to)).toBe(1)
  expect(axis.timeAt(0.46)).toBeCloseTo(100)
  const open = createAxis(whole, [])
  expect(open.at(100)).toBeLessThan(0.001)
})

test("short pauses are drawn as they are, and many folds leave room", () => {
  expect(foldsOf([{ from: 0, to: 500 }], { from: 0, to: 1000 })).toEqual([])
  expect(foldsOf([{ from: 0, to: 2000 }], { from: 0, to: 60_000 })).toEqual([])
  const folds = Array.from({ length: 40 }, (_, at) => ({ from: at * day + 10, to: (at + 1) * day }))
  const axis = createAxis({ from: 0, to: 40 * day + 10 }, folds)
  const widths = folds.map(({ from, to }) => axis.at(to) - axis.at(from))
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(0.4)
})

test("what took no time has an axis, and what is outside of it stands at its edge", () => {
  const axis = createAxis({ from: 5, to: 5 }, [])
  expect([axis.at(0), axis.at(5), axis.at(99)]).toEqual([0, 0, 1])
})
