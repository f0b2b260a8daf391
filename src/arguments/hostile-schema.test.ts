// Schemas that are made to cost: each stays within its steps, and what can still be said about the arguments is said.
import { validate } from "@cfworker/json-schema"
import type { Schema } from "@cfworker/json-schema"
import { describe, expect, test } from "vitest"
import { hostileSchemas as cases } from "../../test/fixtures/hostile-schemas.ts"
import type { HostileSchema } from "../../test/fixtures/hostile-schemas.ts"
import { defaultLimits } from "../core/limits.ts"
import { prepareArgsCheck } from "./check.ts"
import { measureArgs } from "./measure.ts"
import { refResolver } from "./schema-ref.ts"
import { sanitiseSchema } from "./schema-sanitise.ts"
import { meterPart, withMeter } from "./step-meter.ts"
import type { Metered } from "./step-meter.ts"

/** What the validator does alone, with the meter running. */
function metered({ schema, args, definitions = {} }: HostileSchema): Metered | null {
  const measured = measureArgs(args, defaultLimits)
  if (!measured.ok) throw new Error("The arguments themselves are over a limit")
  try {
    const document = sanitiseSchema(
      schema,
      refResolver(schema, (name) => definitions[name]),
      defaultLimits,
    )
    meterPart(measured.size, defaultLimits)
    return withMeter(defaultLimits, () => {
      validate(args, document.root as Schema, "2020-12", document.lookup as Record<string, Schema>, false)
    })
  } catch {
    return null
  }
}

function withCpuMs<T>(work: () => T): [T, number] {
  const before = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(before)
  return [value, (user + system) / 1000]
}

describe("a hostile schema", () => {
  test.each(Object.entries(cases))("%s", (_, input) => {
    // A check that ran dry stops at the first visit that it cannot pay; a schema that is too large is not visited.
    expect(metered(input)?.steps ?? 0).toBeLessThanOrEqual(defaultLimits.argsCheckStepsMax)

    const [verdict, spent] = withCpuMs(() => prepareArgsCheck(input.schema, (name) => input.definitions?.[name]).check(input.args))
    expect(verdict).toMatchObject({ ok: false })
    const issues = verdict.ok ? [] : verdict.issues
    expect(issues).toContainEqual({ path: "id", code: "wrong_type", message: `Parameter 'id' must be an integer, got string "wrong"` })
    // The goal is 10 ms, which bench/check-args prints; without its bounds each of these takes seconds, or for ever.
    expect(spent).toBeLessThan(250)
  })

  test("pays for every visit, so that the meter cannot be passed by", () => {
    const flat = { properties: { a: { type: "string" }, b: { items: { type: "number" } } } }
    expect(metered({ schema: flat, args: { a: "x", b: [1, 2, 3] } })).toMatchObject({ done: true, steps: 9 })
    expect(
      metered({ schema: { properties: { a: { $ref: "#/$defs/n" } } }, args: { a: 1 }, definitions: { n: { type: "number" } } }),
    ).toMatchObject({
      done: true,
      steps: 5,
    })
  })

  test("runs dry, rather than slow, where it would have to be visited too often", () => {
    for (const name of [
      "allOf that doubles",
      "anyOf that doubles and fails",
      "a long enum for many items",
      "many schemas for one wide object",
    ]) {
      expect(metered(cases[name] as HostileSchema)).toMatchObject({ done: false }) // named above
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
