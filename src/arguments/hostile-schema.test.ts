// Schemas that are made to cost: each stays within its steps, and what can still be said about the arguments is said.
import { describe, expect, test } from "vitest"
import { hostileSchemas as cases } from "../../test/fixtures/hostile-schemas.ts"
import type { HostileSchema } from "../../test/fixtures/hostile-schemas.ts"
import { defaultLimits } from "../core/limits.ts"
import { findIn, prepareArgsCheck } from "./check.ts"
import type { Found } from "./check.ts"
import { prepareSchema } from "./schema-prepare.ts"

const stepsMax = defaultLimits.argsCheckStepsMax

function walked({ schema, args, definitions = {} }: HostileSchema): Found {
  return findIn(
    args,
    prepareSchema(schema, (name) => definitions[name], defaultLimits),
    { stepsMax, findingsMax: 20 },
  )
}

function withCpuMs<T>(work: () => T): [T, number] {
  const before = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(before)
  return [value, (user + system) / 1000]
}

describe("a hostile schema", () => {
  test.each(Object.entries(cases))("%s", (_, input) => {
    // A check stops at the first step that it cannot pay.
    expect(walked(input).steps).toBeLessThanOrEqual(stepsMax)

    const [verdict, spent] = withCpuMs(() => prepareArgsCheck(input.schema, (name) => input.definitions?.[name]).check(input.args))
    expect(verdict).toMatchObject({ ok: false })
    const issues = verdict.ok ? [] : verdict.issues
    expect(issues).toContainEqual({ path: "id", code: "wrong_type", message: `Parameter 'id' must be an integer, got string "wrong"` })
    // The goal is 10 ms, which bench/arguments prints; without its bounds each of these takes seconds, or for ever.
    expect(spent).toBeLessThan(250)
  })

  test("pays for every visit, so that the budget cannot be passed by", () => {
    const schema = { properties: { a: { items: { $ref: "#/$defs/n" } } } }
    const stepsOf = (count: number): number =>
      walked({ schema, args: { a: Array.from({ length: count }, () => 1) }, definitions: { n: { type: "number" } } }).steps
    // The first visits pay for what they prepare; after that an item costs the same, wherever it stands.
    expect(stepsOf(1001) - stepsOf(1000)).toBeCloseTo(stepsOf(2) - stepsOf(1))
    expect(stepsOf(2)).toBeGreaterThan(stepsOf(1))
  })

  test("runs dry, rather than slow, where it would have to be visited too often", () => {
    for (const name of [
      "allOf that doubles",
      "anyOf that doubles and fails",
      "properties that double with depth",
      "an enum of objects for many items",
      "many schemas for one wide object",
    ]) {
      expect(walked(cases[name] as HostileSchema)).toMatchObject({ isDone: false }) // named above
    }
  })

  test("does not spoil the checks that follow", () => {
    const bomb = cases["allOf that doubles"] as HostileSchema // named above
    const check = prepareArgsCheck(bomb.schema, (name) => bomb.definitions?.[name])
    expect(check.check(bomb.args).ok).toBe(false)
    expect(check.check({ id: 1 })).toEqual({ ok: true })
    expect(check.weight()).toBeLessThan(200)
  })
})
