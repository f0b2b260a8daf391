// Random schemas and random values: whatever the schema accepts, the compiler accepts for the printed type.
import { Validator } from "@cfworker/json-schema"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { compileErrors, exactType, typesAsNamespace } from "./testing/compiler.ts"
import { printToolTypes } from "./tool-types.ts"

type Schema = Record<string, unknown>
type Case = { readonly schema: Schema; readonly definitions: Record<string, Schema>; readonly seed: number }

const names = ["a", "b", "kind", "id-x"]
const definitionNames = ["Node", "string", "minimal-repository"]
const literals = ["x", "y", 1, 2.5, -3, true, null, ["x", 1], { a: 1 }]

const scalar = fc.constantFrom<Schema>(
  {},
  { type: "string" },
  { type: "string", minLength: 1, format: "date-time" },
  { type: "integer", minimum: 0, maximum: 9 },
  { type: "number" },
  { type: "boolean" },
  { type: "null" },
  { type: ["string", "null"] },
  { type: ["integer", "boolean"] },
)
const choice = fc.oneof(
  fc.uniqueArray(fc.constantFrom(...literals), { minLength: 1, maxLength: 4 }).map((values): Schema => ({ enum: values })),
  fc.constantFrom(...literals).map((value): Schema => ({ const: value })),
)
const reference = fc.constantFrom(...definitionNames).map((name): Schema => ({ $ref: `#/$defs/${name}` }))

/** Schemas with at most so many levels below them. */
function schemasOf(levels: number): fc.Arbitrary<Schema> {
  if (levels === 0) return fc.oneof({ weight: 3, arbitrary: scalar }, { weight: 1, arbitrary: choice }, { weight: 1, arbitrary: reference })
  const below = schemasOf(levels - 1)
  const objects = objectsOf(below)
  return fc.oneof(
    { weight: 2, arbitrary: schemasOf(0) },
    { weight: 4, arbitrary: objects },
    { weight: 1, arbitrary: combinedOf(objects) },
    { weight: 2, arbitrary: arraysOf(below) },
    { weight: 2, arbitrary: combinedOf(below) },
  )
}

const childOf = (below: fc.Arbitrary<Schema>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: below }, { weight: 1, arbitrary: fc.boolean() })

const objectsOf = (below: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc
    .record(
      {
        type: fc.constantFrom("object", ["object", "null"], ["object", "string"]),
        properties: fc.dictionary(fc.constantFrom(...names), childOf(below), { maxKeys: 4 }),
        required: fc.subarray(names),
        additionalProperties: childOf(below),
        patternProperties: fc.dictionary(fc.constantFrom("^a", "x$", ".*"), childOf(below), { minKeys: 1, maxKeys: 2 }),
        propertyNames: fc.constant({ enum: ["a", "b"] }),
        anyOf: fc
          .array(fc.subarray(names, { minLength: 1 }), { minLength: 1, maxLength: 2 })
          .map((lists) => lists.map((required) => ({ required }))),
      },
      { requiredKeys: [] },
    )
    .map(notWeak)

const arraysOf = (below: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc.record(
    {
      type: fc.constant("array"),
      items: childOf(below),
      prefixItems: fc.array(childOf(below), { maxLength: 3 }),
      minItems: fc.nat(3),
      maxItems: fc.nat(4),
    },
    { requiredKeys: [] },
  )

const combinedOf = (below: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc.record(
    {
      type: fc.constantFrom("object", ["object", "null"]),
      allOf: fc.array(below, { minLength: 1, maxLength: 3 }),
      anyOf: fc.array(below, { minLength: 1, maxLength: 3 }),
      oneOf: fc.array(below, { minLength: 1, maxLength: 3 }),
      not: below,
      if: below,
      else: below,
    },
    { requiredKeys: [] },
  )

/**
 * TypeScript refuses an object that has none of the properties of an all-optional type, as a likely slip,
 * though the type is open. The printed types leave that rule in force, so objects here require something.
 */
function notWeak(schema: Schema): Schema {
  const properties = schema["properties"]
  const isWeak =
    typeof properties === "object" && properties !== null && Object.keys(properties).length > 0 && !isFilled(schema["required"])
  return isWeak ? { ...schema, required: Object.keys(properties).slice(0, 1) } : schema
}

/** What the printer takes a schema without `type` to mean, said to the validator. */
function asMeant(schema: unknown, typed = false): unknown {
  if (typeof schema !== "object" || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((item) => asMeant(item, typed))
  const given = schema as Schema // an object that is no array
  const isTyped = typed || "type" in given
  const isObject =
    ["properties", "patternProperties"].some((key) => key in given) ||
    isFilled(given["required"]) ||
    isRecord(given["additionalProperties"])
  const isArray = "items" in given || "prefixItems" in given
  const meant: Schema = { ...given }
  if (!isTyped && (isObject || isArray)) meant["type"] = [...(isObject ? ["object"] : []), ...(isArray ? ["array"] : [])]
  for (const key of ["allOf", "anyOf", "oneOf"]) if (key in given) meant[key] = asMeant(given[key], isTyped)
  for (const key of ["items", "prefixItems", "additionalProperties", "not", "if", "else"])
    if (key in given) meant[key] = asMeant(given[key])
  for (const key of ["properties", "patternProperties"]) {
    if (isRecord(given[key])) meant[key] = Object.fromEntries(Object.entries(given[key]).map(([name, child]) => [name, asMeant(child)]))
  }
  return meant
}

const isRecord = (value: unknown): value is Schema => typeof value === "object" && value !== null
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** A value that the schema may well accept: led by its keywords, chosen by the numbers. */
function guess(schema: unknown, definitions: Record<string, Schema>, pick: (below: number) => number, depth: number): unknown {
  const one = <T>(items: readonly T[]): T | undefined => items[pick(items.length)]
  if (!isRecord(schema) || depth > 6 || pick(25) === 0) return one(["x", 1, true, null, [], {}, [1, "x"], { a: "x" }, { kind: null }])
  const go = (child: unknown): unknown => guess(child, definitions, pick, depth + 1)
  if (typeof schema["$ref"] === "string") return go(definitions[schema["$ref"].slice("#/$defs/".length)])
  if ("const" in schema) return schema["const"]
  if (Array.isArray(schema["enum"])) return one(schema["enum"])
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => {
    const list = schema[key]
    if (!Array.isArray(list)) return []
    return key === "allOf" ? list.map(go) : [go(one(list))]
  })
  const type = Array.isArray(schema["type"]) ? one(schema["type"]) : schema["type"]
  const isObject =
    type === "object" || (type === undefined && ("properties" in schema || "required" in schema || "patternProperties" in schema))
  if (isObject) return Object.assign(guessObject(schema, go, pick), ...parts.filter((part) => isRecord(part) && !Array.isArray(part)))
  if (type === "array" || (type === undefined && ("items" in schema || "prefixItems" in schema))) return guessArray(schema, go, pick)
  if (type === "string") return one(["x", "y", "2020-01-01"])
  if (type === "number" || type === "integer") return one([0, 1, 5, -3])
  if (type === "boolean") return pick(2) === 0
  if (type === "null") return null
  if (parts.every((part) => isRecord(part) && !Array.isArray(part)) && parts.length > 0) return Object.assign({}, ...parts)
  return parts.length > 0 ? one(parts) : one(["x", 1, true, null, {}, []])
}

function guessObject(schema: Schema, go: (child: unknown) => unknown, pick: (below: number) => number): Schema {
  const declared = isRecord(schema["properties"]) ? schema["properties"] : {}
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  const patterns = isRecord(schema["patternProperties"]) ? Object.values(schema["patternProperties"]) : []
  const value: Schema = {}
  for (const name of [...names, "extra"]) {
    const isWanted = required.includes(name) || pick(name in declared ? 2 : 4) === 0
    if (isWanted) value[name] = go(name in declared ? declared[name] : (patterns[0] ?? schema["additionalProperties"]))
  }
  return value
}

function guessArray(schema: Schema, go: (child: unknown) => unknown, pick: (below: number) => number): unknown[] {
  const prefix = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : []
  const length = Math.min(Number(schema["maxItems"] ?? 4), Number(schema["minItems"] ?? 0) + pick(3))
  return Array.from({ length }, (_, at) => go(at < prefix.length ? prefix[at] : schema["items"]))
}

function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function accepted({ schema, definitions, seed }: Case): unknown[] {
  const defs = Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, asMeant(definition)]))
  const pick = numbers(seed)
  const values: unknown[] = []
  try {
    const validator = new Validator({ ...(asMeant(schema) as Schema), $defs: defs }, "2020-12") // a schema object stays one
    for (let attempt = 0; attempt < 20; attempt++) {
      const value = guess(schema, definitions, pick, 0)
      if (validator.validate(value).valid) values.push(value)
    }
  } catch {
    // References that lead only to themselves: no validator has an answer for them.
  }
  return values
}

const cases = fc.record<Case>({
  schema: schemasOf(3),
  definitions: fc.record(Object.fromEntries(definitionNames.map((name) => [name, schemasOf(2)]))),
  seed: fc.nat(),
})

it("accepts every value that the schema accepts", async () => {
  const seed = Number(process.env["TYPES_SEED"] ?? 1)
  const numRuns = Number(process.env["TYPES_RUNS"] ?? 250)
  let checked = 0
  const files = new Map<string, string>()
  for (const [at, sample] of fc.sample(cases, { numRuns, seed }).entries()) {
    const { schema, definitions } = sample
    const types = printToolTypes({ inputSchema: schema, outputSchema: null, definitions: new Map(Object.entries(definitions)) })
    const values = [...new Set(accepted(sample).map(exactType))]
    checked += values.length
    const checks = values.map((type, index) => `  declare const v${index}: ${type}; export const t${index}: Input = v${index};\n`)
    files.set(`case${at}.ts`, `${typesAsNamespace("Case", types, checks.join(""))}// ${JSON.stringify({ schema, definitions })}\n`)
  }
  const errors = await compileErrors(files)
  const [name = ""] = /case\d+\.ts/.exec(errors[0] ?? "") ?? []
  expect([...errors, ...(files.get(name)?.split("\n") ?? [])]).toEqual([])
  expect(checked).toBeGreaterThan(numRuns / 2)
})
