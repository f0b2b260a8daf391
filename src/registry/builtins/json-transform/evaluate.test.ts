// Tests expressions that reshape JSON, and those that are built to take time and memory.
import { describe, expect, test } from "vitest"
import { StepsExceeded, transform } from "./evaluate.ts"

const data = {
  items: [
    { name: "pen", price: 3, n: 2 },
    { name: "ink", price: 12, n: 1 },
  ],
  place: { "a b": 1 },
}
const run = (expression: string, given: unknown = data, stepsMax = 1_000_000): unknown =>
  JSON.parse(transform(JSON.stringify(given), expression, stepsMax)) as unknown

test.each<[string, unknown]>([
  ["items[*].name", ["pen", "ink"]],
  ["items[?price > `10`].{name: name, total: price * n}", [{ name: "ink", total: 12 }]],
  ["sort_by(items, &price)[-1].name", "ink"],
  ["sum(items[].n)", 3],
  ["let $all = items in $all[0].name", "pen"],
  ["length(items) > `1` ? 'many' : 'few'", "many"],
  ['place."a b"', 1],
  ["missing.deeper", null],
  ["join(', ', items[].upper(name))", "PEN, INK"],
  ["group_by(items, &name).pen[0].price", 3],
])("%s", (expression, expected) => {
  expect(run(expression)).toEqual(expected)
})

describe("nothing of JavaScript is reached", () => {
  test.each([
    "constructor",
    "__proto__",
    "toString",
    "place.constructor",
    "items[0].__proto__.constructor",
    "hasOwnProperty",
    '"__proto__"."constructor"',
  ])("%s", (expression) => {
    expect(run(expression)).toBeNull()
  })

  test("unless the data has a field of that name", () => {
    expect(run("constructor", { constructor: 5 })).toBe(5)
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })
})

describe("the steps end", () => {
  const repeat = (piece: string, times: number): string => Array.from({ length: times }, () => piece).join(" | ")
  test.each([
    ["lists of lists", repeat("[@, @]", 60)],
    ["flat lists", repeat("[@, @][]", 60)],
    ["joined texts", `'xxxxxxxx' | ${repeat("join('', [@, @])", 60)}`],
    ["texts of lists", `${repeat("[@, @]", 40)} | to_string(@)`],
    ["objects", repeat("{a: @, b: @}", 60)],
    ["padding", "pad_left('x', `1000000000`)"],
    ["replacement", `'aaaaaaaaaaaaaaaaaaaa' | ${repeat("replace(@, 'a', 'aaaaaaaaaaaaaaaaaaaa')", 10)}`],
    ["a glue", `join('${"x".repeat(3000)}', to_array(range)[])`],
    ["maps in maps", "map(&map(&length(to_string(@)), $.range), range) | map(&map(&length(to_string(@)), $.range), range)"],
  ])("for %s", (_name, expression) => {
    const range = Array.from({ length: 1000 }, (_, at) => String(at))
    expect(() => run(expression, { range })).toThrow(StepsExceeded)
  })

  test("and the next expression begins anew", () => {
    expect(() => run("[@, @][]", data, 3)).toThrow(StepsExceeded)
    expect(run("items[0].n")).toBe(2)
  })
})

test.each([
  ["items[", "Syntax"],
  ["nothing(@)", "Unknown function"],
  ["length(`1`)", "expected argument"],
  ["$unknown", "variable"],
])("%s is refused with a reason", (expression, reason) => {
  expect(() => run(expression)).toThrow(reason)
})
