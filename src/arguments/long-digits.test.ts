// Long integers that are given as texts of their digits, against the bounds of numbers; and how bounds are told.
import { describe, expect, test } from "vitest"
import { withLimits } from "../core/limits.ts"
import type { JsonSchema } from "../core/tool.ts"
import { prepareArgsCheck } from "./check.ts"

const none = (): undefined => undefined
const digits = "99999999999999999999"

function messagesOf(schema: JsonSchema, args: unknown, limits = withLimits({})): readonly string[] {
  const verdict = prepareArgsCheck(schema, none, limits).check(args)
  return verdict.ok ? [] : verdict.issues.map(({ code, message }) => `${code}: ${message}`)
}
const of = (qty: JsonSchema, value: unknown): readonly string[] => messagesOf({ properties: { qty } }, { qty: value })

describe("a text of digits for an integer", () => {
  test.each<[JsonSchema, string]>([
    [{ minimum: 1, maximum: 100, multipleOf: 5 }, "must be at most 100"],
    [{ minimum: 1e21 }, "must be at least 1e+21"],
    [{ exclusiveMaximum: 99999 }, "must be less than 99999"],
    [{ exclusiveMinimum: 1e25 }, "must be more than 1e+25"],
    [{ multipleOf: 10 }, "must be a multiple of 10"],
  ])("is held against %j", (bounds, complaint) => {
    const message = `invalid_value: Parameter 'qty' ${complaint}, got "${digits}"`
    expect(of({ type: "integer", ...bounds }, digits)).toEqual([message])
    expect(of({ type: ["number", "null"], ...bounds }, digits)).toEqual([message])
    expect(of({ anyOf: [{ type: "integer", ...bounds }, { type: "null" }] }, digits)).toEqual([message])
  })

  test("is accepted where its bounds hold", () => {
    expect(of({ type: "integer" }, digits)).toEqual([])
    expect(of({ type: "integer", minimum: 1, maximum: 1e20, multipleOf: 3 }, digits)).toEqual([])
    expect(of({ type: "integer", maximum: -1 }, `-${digits}`)).toEqual([])
    expect(
      of(
        {
          anyOf: [
            { type: "integer", maximum: 9 },
            { type: "integer", minimum: 1e15 },
          ],
        },
        digits,
      ),
    ).toEqual([])
    expect(of({ anyOf: [{ enum: ["auto"] }, { type: "integer" }] }, digits)).toEqual([])
    expect(of({ type: "string", maxLength: 20 }, digits)).toEqual([])
  })

  test("is held against the values that are allowed", () => {
    expect(of({ type: "integer", enum: [1, 2] }, digits)).toEqual([
      `invalid_enum: Parameter 'qty' must be one of 1, 2, got string "${digits}"`,
    ])
    expect(of({ type: "integer", enum: [Number(digits)] }, digits)).toEqual([])
  })

  test("is held against bounds below a condition, and where only the top level is checked", () => {
    const bounded = { type: "integer", maximum: 100 }
    const message = `invalid_value: Parameter 'qty' must be at most 100, got "${digits}"`
    expect(messagesOf({ if: { required: ["other"] }, else: { properties: { qty: bounded } } }, { qty: digits })).toEqual([message])
    expect(messagesOf({ properties: { qty: bounded } }, { qty: digits }, withLimits({ argsCheckStepsMax: 0 }))).toEqual([message])
  })

  test("may be a megabyte long", () => {
    expect(of({ type: "integer", maximum: 100, multipleOf: 7 }, "9".repeat(900_000))).toHaveLength(1)
    expect(of({ type: "integer", minimum: 100, multipleOf: 7 }, "9".repeat(900_000))).toEqual([])
  })
})

describe("a bound", () => {
  test.each<[JsonSchema, unknown, string]>([
    [{ maximum: 100 }, 500, "must be at most 100, got 500"],
    [{ minItems: 1 }, [], "must have at least 1 item, got 0"],
    [{ maxItems: 2 }, [1, 2, 3], "must have at most 2 items, got 3"],
    [{ minLength: 1 }, "", "must have at least 1 character, got 0"],
    [{ maxLength: 2 }, "é𝒳z", "must have at most 2 characters, got 3"],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, "must have at most 1 property, got 2"],
  ])("%j is told with what was given", (schema, value, complaint) => {
    expect(of(schema, value)).toEqual([`invalid_value: Parameter 'qty' ${complaint}`])
  })
})
