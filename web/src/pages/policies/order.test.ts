// Rules change places with as few writes as possible.
import { expect, test } from "vitest"
import type { PolicyView } from "../../../../src/core/policy.ts"
import { moveRule } from "./order.ts"

const rule = (id: string, position: number): PolicyView => ({
  id,
  owner: "org",
  pattern: "a.**",
  action: "allow",
  when: [],
  position,
  createdAt: "2026-01-01T00:00:00.000Z",
})
const rules = [rule("a", 1), rule("b", 2), rule("c", 3)]

test("a rule that moves gets a number between its new neighbours", () => {
  expect(moveRule(rules, "c", -1)).toEqual([{ id: "c", position: 1.5 }])
  expect(moveRule(rules, "a", 1)).toEqual([{ id: "a", position: 2.5 }])
})

test("to the top and to the bottom", () => {
  expect(moveRule(rules, "b", -1)).toEqual([{ id: "b", position: 0 }])
  expect(moveRule(rules, "b", 1)).toEqual([{ id: "b", position: 4 }])
})

test("beyond the ends nothing moves", () => {
  expect(moveRule(rules, "a", -1)).toEqual([])
  expect(moveRule(rules, "c", 1)).toEqual([])
  expect(moveRule(rules, "none", 1)).toEqual([])
})

test("where no number is left between two rules, all get new ones", () => {
  const tight = [rule("a", 1), rule("b", 1), rule("c", 1)]
  expect(moveRule(tight, "c", -1)).toEqual([
    { id: "a", position: 1 },
    { id: "c", position: 2 },
    { id: "b", position: 3 },
  ])
})
