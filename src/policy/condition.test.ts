// Conditions: what meets them, what tells nothing, and what is refused when they are written.
import { describe, expect, test } from "vitest"
import type { PolicyCondition } from "../core/policy.ts"
import { conditionsHold, evaluate } from "./condition.ts"
import { parseConditions } from "./condition-parse.ts"

const args = {
  amount: 50,
  name: "invoice-7",
  force: true,
  note: null,
  date: "2026-03-01",
  list: ["x", "y"],
  nested: { deep: { id: 9 } },
  "dotted.name": "here",
}

test.each<[PolicyCondition, "met" | "not_met" | "unknown"]>([
  [{ arg: "amount", op: "eq", value: 50 }, "met"],
  [{ arg: "amount", op: "eq", value: 51 }, "not_met"],
  [{ arg: "amount", op: "eq", value: "50" }, "unknown"],
  [{ arg: "amount", op: "ne", value: 51 }, "met"],
  [{ arg: "amount", op: "ne", value: 50 }, "not_met"],
  [{ arg: "amount", op: "ne", value: "x" }, "unknown"],
  [{ arg: "force", op: "eq", value: true }, "met"],
  [{ arg: "note", op: "eq", value: null }, "met"],
  [{ arg: "amount", op: "eq", value: null }, "not_met"],
  [{ arg: "amount", op: "ne", value: null }, "met"],
  [{ arg: "note", op: "eq", value: "x" }, "unknown"],
  [{ arg: "name", op: "in", value: ["a", "invoice-7"] }, "met"],
  [{ arg: "name", op: "in", value: ["a"] }, "not_met"],
  [{ arg: "name", op: "in", value: [1, 2] }, "unknown"],
  [{ arg: "list", op: "in", value: ["x"] }, "unknown"],
  [{ arg: "list", op: "eq", value: "x" }, "unknown"],
  [{ arg: "amount", op: "lt", value: 51 }, "met"],
  [{ arg: "amount", op: "lt", value: 50 }, "not_met"],
  [{ arg: "amount", op: "lte", value: 50 }, "met"],
  [{ arg: "amount", op: "gt", value: 50 }, "not_met"],
  [{ arg: "amount", op: "gte", value: 50 }, "met"],
  [{ arg: "amount", op: "lt", value: "51" }, "unknown"],
  [{ arg: "name", op: "lt", value: 51 }, "unknown"],
  [{ arg: "date", op: "lt", value: "2026-12-31" }, "met"],
  [{ arg: "date", op: "gte", value: "2026-12-31" }, "not_met"],
  [{ arg: "name", op: "like", value: "invoice-*" }, "met"],
  [{ arg: "name", op: "like", value: "invoice-?" }, "met"],
  [{ arg: "name", op: "like", value: "invoice" }, "not_met"],
  [{ arg: "name", op: "like", value: ".*" }, "not_met"],
  [{ arg: "amount", op: "like", value: "*" }, "unknown"],
  [{ arg: "name", op: "exists", value: true }, "met"],
  [{ arg: "gone", op: "exists", value: true }, "not_met"],
  [{ arg: "gone", op: "exists", value: false }, "met"],
  [{ arg: "gone", op: "eq", value: 1 }, "unknown"],
  [{ arg: "gone", op: "ne", value: 1 }, "unknown"],
  [{ arg: "nested.deep.id", op: "eq", value: 9 }, "met"],
  [{ arg: "nested.gone.id", op: "eq", value: 9 }, "unknown"],
  [{ arg: "amount.deep", op: "eq", value: 9 }, "unknown"],
  [{ arg: "list.0", op: "eq", value: "x" }, "met"],
  [{ arg: "list.length", op: "lte", value: 2 }, "met"],
  [{ arg: "name.length", op: "gt", value: 0 }, "unknown"],
  [{ arg: String.raw`dotted\.name`, op: "eq", value: "here" }, "met"],
  [{ arg: "dotted.name", op: "eq", value: "here" }, "unknown"],
  [{ arg: "constructor", op: "exists", value: true }, "not_met"],
  [{ arg: "__proto__", op: "exists", value: true }, "not_met"],
  [{ arg: "nested.toString", op: "exists", value: true }, "not_met"],
])("%o is %s", (condition, evaluation) => {
  expect(evaluate(condition, args)).toBe(evaluation)
})

test("a number that is none, and a text too long for wildcards, tell nothing", () => {
  expect(evaluate({ arg: "a", op: "lte", value: 1 }, { a: Number.NaN })).toBe("unknown")
  expect(evaluate({ arg: "a", op: "like", value: "*" }, { a: "x".repeat(10_001) })).toBe("unknown")
})

describe("what tells nothing", () => {
  const when: PolicyCondition[] = [{ arg: "amount", op: "lt", value: 100 }]

  test.each([{}, { amount: "5" }, { amount: null }, { amount: [5] }])(
    "never satisfies a rule that allows, always one that restricts: %o",
    (given) => {
      expect(conditionsHold({ action: "allow", when }, given)).toBe(false)
      expect(conditionsHold({ action: "require_approval", when }, given)).toBe(true)
      expect(conditionsHold({ action: "block", when }, given)).toBe(true)
    },
  )

  test("all conditions must hold", () => {
    const both: PolicyCondition[] = [...when, { arg: "force", op: "eq", value: false }]
    expect(conditionsHold({ action: "allow", when: both }, { amount: 5, force: false })).toBe(true)
    expect(conditionsHold({ action: "allow", when: both }, { amount: 5, force: true })).toBe(false)
    expect(conditionsHold({ action: "block", when: both }, { amount: 5, force: true })).toBe(false)
    expect(conditionsHold({ action: "block", when: both }, { amount: 5 })).toBe(true)
  })
})

describe("written conditions", () => {
  test("are read", () => {
    expect(parseConditions(undefined)).toEqual([])
    expect(parseConditions([{ arg: "a.b", op: "exists" }])).toEqual([{ arg: "a.b", op: "exists", value: true }])
    const all = [
      { arg: "a", op: "eq", value: null },
      { arg: "a", op: "in", value: ["x", 1, false] },
      { arg: "a", op: "gte", value: "2026-01-01" },
      { arg: "a", op: "like", value: "x*" },
    ]
    expect(parseConditions(all)).toEqual(all)
  })

  test.each<[unknown, string]>([
    [{}, "'when' is wrong: it must be an array"],
    [[1], "'when.0' is wrong: it must be { arg, op, value }"],
    [[{ arg: "a", op: "eq", value: 1, or: [] }], "'when.0' is wrong: it has an unknown field 'or'"],
    [[{ op: "eq", value: 1 }], "'when.0.arg' is wrong: it must be"],
    [[{ arg: "", op: "eq", value: 1 }], "'when.0.arg' is wrong: it must be"],
    [[{ arg: "a..b", op: "eq", value: 1 }], "'when.0.arg' is wrong: it must be"],
    [[{ arg: "a", op: "matches", value: 1 }], "'when.0.op' is wrong: it must be one of eq, ne, in"],
    [[{ arg: "a", op: "eq" }], "'when.0.value' is wrong: it must be a string, number"],
    [[{ arg: "a", op: "eq", value: {} }], "'when.0.value' is wrong: it must be a string, number"],
    [[{ arg: "a", op: "in", value: [] }], "'when.0.value' is wrong: it must be an array of 1 to 1000"],
    [[{ arg: "a", op: "in", value: [[]] }], "'when.0.value' is wrong: it must be an array of 1 to 1000"],
    [[{ arg: "a", op: "lt", value: true }], "'when.0.value' is wrong: it must be a number"],
    [[{ arg: "a", op: "lt", value: Number.NaN }], "'when.0.value' is wrong: it must be a number"],
    [[{ arg: "a", op: "like", value: "*".repeat(201) }], "'when.0.value' is wrong: it must be a string of at most 200"],
    [[{ arg: "a", op: "exists", value: 1 }], "'when.0.value' is wrong: it must be true or false"],
    [Array.from({ length: 21 }, () => ({ arg: "a", op: "exists" })), "'when' is wrong: it has more than 20 conditions"],
  ])("%o are refused: %s", (input, message) => {
    expect(() => parseConditions(input)).toThrow(message)
  })
})
