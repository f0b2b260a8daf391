// Compares the argument check with a validator of JSON Schema on schemas and arguments nobody thought of.
import { Validator } from "@cfworker/json-schema"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { JsonSchema } from "../core/tool.ts"
import { prepareArgsCheck } from "./check.ts"
import { argsIssueCodes } from "./issue.ts"

// Few names and values, so that schemas and arguments meet.
const names = fc.constantFrom("a", "b", "c", "a/b~", "#%", "__proto__", "toString")
const scalars = fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 1.5, -1, 0.3, 1e21, "", "x", "yy", "é𝒳", "\uD800")
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  ),
})).value
const args = fc.dictionary(names, values, { maxKeys: 4 })

const definitionNames = ["d0", "d1"]
const typeNames = ["array", "boolean", "integer", "null", "number", "object", "string"]
const counts = fc.integer({ min: 0, max: 3 })

type Part = Record<string, fc.Arbitrary<unknown>>

/** Every keyword that is checked to the letter; references may be recursive, but only through a property. */
const exactParts = (inner: fc.Arbitrary<unknown>): Part => ({
  type: fc.oneof(fc.constantFrom(...typeNames), fc.uniqueArray(fc.constantFrom(...typeNames), { minLength: 1, maxLength: 3 })),
  enum: fc.array(values, { minLength: 1, maxLength: 3 }),
  const: scalars,
  required: fc.uniqueArray(names, { maxLength: 2 }),
  properties: fc.dictionary(names, inner, { maxKeys: 3 }),
  additionalProperties: inner,
  propertyNames: inner,
  minProperties: counts,
  maxProperties: counts,
  dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2 }),
  dependentSchemas: fc.dictionary(names, inner, { maxKeys: 1 }),
  prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
  items: inner,
  contains: inner,
  minContains: counts,
  maxContains: counts,
  minItems: counts,
  maxItems: counts,
  minimum: counts,
  maximum: counts,
  exclusiveMinimum: counts,
  exclusiveMaximum: counts,
  uniqueItems: fc.boolean(),
  multipleOf: fc.constantFrom(1, 2, 0.5, 0.1, 1e-7),
  minLength: counts,
  maxLength: counts,
  allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
  anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
  oneOf: fc.array(inner, { minLength: 1, maxLength: 1 }),
  not: inner,
  ...Object.fromEntries(["if", "then", "else"].map((keyword) => [keyword, inner])),
  format: fc.constantFrom("int32", "made-up"),
  description: fc.constant("words"),
})

/** Alternatives that overlap, and nothing that turns accepting more into accepting less. */
const overlappingParts = (inner: fc.Arbitrary<unknown>): Part => {
  const { not: _not, if: _if, then: _then, else: _else, maxContains: _max, anyOf: _any, ...parts } = exactParts(inner)
  return { ...parts, oneOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }
}

/** What is left to the upstream, among the keywords where leaving it out could refuse what is right. */
const looseParts = (inner: fc.Arbitrary<unknown>): Part => ({
  pattern: fc.constantFrom("^x", "y$"),
  patternProperties: fc.dictionary(fc.constantFrom("^a", "b"), inner, { minKeys: 1, maxKeys: 1 }),
  uniqueItems: fc.constant(true),
  type: fc.constantFrom("string", "file"),
  properties: fc.dictionary(names, inner, { minKeys: 1, maxKeys: 2 }),
  additionalProperties: fc.oneof(inner, fc.constant(false)),
  unevaluatedProperties: fc.constant(false),
  unevaluatedItems: fc.constant(false),
  items: inner,
  contains: inner,
  maxContains: fc.constantFrom(0, 1),
  anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
  oneOf: fc.array(inner, { minLength: 2, maxLength: 2 }),
  not: inner,
  if: inner,
  ...Object.fromEntries(["then", "else"].map((keyword) => [keyword, fc.constant(false)])),
})

/** Two or three keywords a node, so that arguments fit now and then. */
function schemasOf(parts: (inner: fc.Arbitrary<unknown>) => Part): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => {
    const inner = tie("schema")
    const entries = Object.entries(parts(inner)).map(([keyword, value]) => value.map((one): [string, unknown] => [keyword, one]))
    const node = fc.array(fc.oneof(...entries), { maxLength: 3 }).map((chosen) => Object.fromEntries(chosen))
    const reference = fc.constantFrom(...definitionNames).map((name) => ({ properties: { a: { $ref: `#/$defs/${name}` } } }))
    return { schema: fc.oneof({ maxDepth: 3 }, fc.constantFrom<unknown>(true, true, false, {}), node, reference) }
  }).schema
}

type Case = { schema: JsonSchema; definitions: Record<string, JsonSchema>; args: Record<string, unknown> }

function casesOf(parts: (inner: fc.Arbitrary<unknown>) => Part): fc.Arbitrary<Case> {
  const node = schemasOf(parts).filter((schema): schema is JsonSchema => typeof schema === "object")
  return fc
    .record({ schema: node, d0: node, d1: node, args })
    .map(({ schema, d0, d1, args: sent }) => ({ schema, definitions: { d0, d1 }, args: sent }))
}

const plainAccepts = ({ schema, definitions, args: sent }: Case): boolean =>
  new Validator(structuredClone({ ...schema, $defs: definitions }), "2020-12", false).validate(sent).valid

const withAnyOf = (input: Case): Case => JSON.parse(JSON.stringify(input).replaceAll('"oneOf":', '"anyOf":')) as Case // another keyword changes no shape

const checked = ({ schema, definitions, args: sent }: Case): ReturnType<ReturnType<typeof prepareArgsCheck>["check"]> =>
  prepareArgsCheck(schema, (name) => definitions[name]).check(sent)

const numRuns = 3000

/** The library counts a property as evaluated that a schema beside it has seen, so that only the root may ask. */
const unevaluatedCases = fc
  .tuple(casesOf(exactParts), schemasOf(exactParts), fc.constantFrom("unevaluatedProperties", "unevaluatedItems"), fc.boolean())
  .map(([input, unevaluated, keyword, isInside]): Case => {
    const schema = { ...input.schema, [keyword]: unevaluated }
    return isInside ? { ...input, schema: { properties: { a: schema } } } : { ...input, schema }
  })

describe("the argument check", () => {
  test("agrees with the validator where nothing is left out", () => {
    fc.assert(
      fc.property(casesOf(exactParts), (input) => {
        expect(checked(input).ok).toBe(plainAccepts(input))
      }),
      { numRuns },
    )
  })

  test("agrees with the validator on what is left unevaluated", () => {
    let refusedForIt = 0
    fc.assert(
      fc.property(unevaluatedCases, (input) => {
        const accepts = plainAccepts(input)
        expect(checked(input).ok).toBe(accepts)
        const { unevaluatedProperties: _properties, unevaluatedItems: _items, ...schema } = input.schema
        if (!accepts && plainAccepts({ ...input, schema })) refusedForIt++
      }),
      { numRuns },
    )
    expect(refusedForIt).toBeGreaterThan(numRuns / 300)
  })

  test.each<[string, JsonSchema, unknown]>([
    ["a pattern", { pattern: "^b" }, "a"],
    ["what is under a name that fits a pattern", { patternProperties: { "^x-": { type: "string" } } }, { "x-a": 1 }],
    ["names beside patterns", { patternProperties: { "^x-": true }, additionalProperties: false }, { a: 1 }],
    ["more than one alternative that fits", { oneOf: [{ type: "string" }, { minLength: 1 }] }, "a"],
    ["a hundred items and more that must be unique", { uniqueItems: true }, Array.from({ length: 101 }, () => 1)],
    ["values too many to compare with", { enum: Array.from({ length: 5001 }, (_, index) => index) }, -1],
    ["a type that JSON does not have", { type: "file" }, 1],
    ["an identity of its own", { $id: "https://example.com/x", type: "string" }, 1],
  ])("leaves %s to the upstream", (_, property, value) => {
    const input = { schema: { properties: { a: property } }, definitions: {}, args: { a: value } }
    expect(plainAccepts(input)).toBe(false)
    expect(checked(input)).toEqual({ ok: true })
  })

  test("reads oneOf as anyOf", () => {
    let overlaps = 0
    fc.assert(
      fc.property(casesOf(overlappingParts), (input) => {
        const accepts = plainAccepts(withAnyOf(input))
        expect(checked(input).ok).toBe(accepts)
        if (accepts && !plainAccepts(input)) overlaps++
      }),
      { numRuns },
    )
    expect(overlaps).toBeGreaterThan(numRuns / 300)
  })

  test("never refuses what the validator accepts, whatever is left out", () => {
    fc.assert(
      fc.property(casesOf(looseParts), (input) => {
        fc.pre(plainAccepts(input))
        expect(checked(input)).toEqual({ ok: true })
      }),
      { numRuns },
    )
  })

  test("names a known code, a place and a sentence for whatever it refuses", () => {
    fc.assert(
      fc.property(casesOf(looseParts), (input) => {
        const verdict = checked(input)
        if (verdict.ok) return
        expect(verdict.issues.length).toBeGreaterThan(0)
        expect(verdict.issues.map((issue) => issue.message)).toContain(verdict.message)
        for (const issue of verdict.issues) {
          expect(argsIssueCodes).toContain(issue.code)
          expect(issue.message).toMatch(/^(Missing required parameter|Unknown parameter|Parameter|The arguments) /)
          expect(issue.message).not.toContain("undefined")
        }
      }),
      { numRuns },
    )
  })
})
