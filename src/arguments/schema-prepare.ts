// Prepares a stranger's schema for checks: each part, when a value first comes to it, becomes a list of tests.
//
// Left to the upstream are patterns, dynamic and unknown references, subschemas with an `$id` of their own (their
// references have another base), literals too large to compare, long arrays whose items must be unique, and which of
// several alternatives is meant where more than one fits.
import { isRecord } from "../core/json/record.ts"
import type { Limits } from "../core/limits.ts"
import { arrayTests } from "./array-tests.ts"
import { combinationTests, evaluatingTest } from "./combination-tests.ts"
import { invalidValue } from "./issue-text.ts"
import { numberKeywords } from "./number-bound.ts"
import { objectTests } from "./object-tests.ts"
import { readTypes } from "./schema-keyword.ts"
import { referencesOf, subschemaOf } from "./schema-ref.ts"
import type { Definitions, RawSchema, References } from "./schema-ref.ts"
import { digitsTest, formatTest, literalTests, numberTest, sizeTest, sizes } from "./value-tests.ts"
import { allTests, always, anyKind, kinds, leftOut, report, spend, stepsSpent } from "./walk.ts"
import type { Run, Subschema, Test } from "./walk.ts"

export type PreparedSchema = {
  readonly root: Subschema
  readonly prepare: Run["prepare"]
  /** How many parts were prepared so far. */
  partCount(): number
}

type Raw = Record<string, unknown>
type Document = { readonly root: RawSchema; readonly references: References; readonly limits: Limits }

const partSteps = 1
const entriesPerStep = 20

export function prepareSchema(raw: RawSchema, definitions: Definitions, limits: Limits): PreparedSchema {
  const document: Document = { root: raw, references: referencesOf(raw, definitions), limits }
  let partCount = 0
  const prepare = (schema: Subschema, run: Run): Test => {
    if (partCount >= limits.schemaNodesMax && run.stepsLeft < Infinity) throw stepsSpent
    partCount++
    // What a check makes us prepare is part of its work.
    spend(run, partSteps + entriesIn(schema.raw) / entriesPerStep)
    return addTests(schema, document)
  }
  return { root: subschemaOf(raw), prepare, partCount: () => partCount }
}

function entriesIn(raw: unknown): number {
  let count = 0
  if (isRecord(raw)) for (const key of Object.keys(raw)) if (Array.isArray(raw[key])) count += raw[key].length
  return count
}

function addTests(schema: Subschema, { root, references, limits }: Document): Test {
  const raw = isRecord(schema.raw) ? schema.raw : {}
  if (schema.isNever) return (schema.test = never)
  if (raw["$id"] !== undefined && raw !== root) return (schema.test = unknown)
  const families = new Set(Object.keys(raw).map((keyword) => familyOf.get(keyword)))
  const types = readTypes(raw["type"])
  const named = types === undefined || types === "unknown" ? [] : types
  const own = families.has("value") ? present(valueTests(raw, types)) : none
  const applied = families.has("combination") ? present(combinationTests(raw, references)) : none
  const isAboutObjects = families.has("object") || families.has("properties")
  const isAlone = !families.has("object") && applied === none
  const { whole, properties, unevaluated } = isAboutObjects ? objectTests({ raw, references }, isAlone) : noObjectTests
  const arrays = families.has("array") ? arrayTests(raw, limits) : none
  const test = allTests(present([...own, ...whole, ...applied, properties, unevaluated, ...arrays]))
  const asksEvaluated = raw["unevaluatedProperties"] !== undefined || raw["unevaluatedItems"] !== undefined
  const digits = named.includes("integer") || named.includes("number") ? digitsTest(raw) : always
  schema.kinds = named.reduce((bits, type) => bits | kinds[type], 0) || anyKind
  schema.parts = { types: named, own, properties: properties ?? always, applied, digits }
  return (schema.test = asksEvaluated ? evaluatingTest(test) : test)
}

const keywordsByFamily = {
  value: ["type", "enum", "const", ...numberKeywords, "minLength", "maxLength", "format", "pattern", "$dynamicRef", "$recursiveRef"],
  combination: ["$ref", "allOf", "anyOf", "oneOf", "not", "if"],
  properties: ["required", "properties", "additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames"],
  object: ["minProperties", "maxProperties", "dependencies", "dependentRequired", "dependentSchemas"],
  array: ["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "uniqueItems", "minItems", "maxItems"],
}
const familyOf = new Map(Object.entries(keywordsByFamily).flatMap(([family, keywords]) => keywords.map((keyword) => [keyword, family])))

type Tests = readonly (Test | null)[]

/** Most have none of some kind; one list for all of them saves memory. */
const none: readonly Test[] = []
const noObjectTests = { whole: none, properties: null, unevaluated: null }
const present = (tests: Tests): readonly Test[] => (tests.every((test) => test === null) ? none : tests.filter((test) => test !== null))

function valueTests(raw: Raw, types: readonly string[] | "unknown" | undefined): Tests {
  const isUnknown = types === "unknown" || raw["$dynamicRef"] !== undefined || raw["$recursiveRef"] !== undefined
  return [
    ...literalTests(raw),
    numberKeywords.some((keyword) => raw[keyword] !== undefined) ? numberTest(raw) : null,
    sizeTest(sizes.text, raw),
    types?.includes("string") === true ? formatTest(raw) : null,
    raw["pattern"] === undefined ? null : (value, _, walk) => typeof value !== "string" || leftOut(walk),
    isUnknown ? unknown : null,
  ]
}

const unknown: Test = (_value, _depth, walk) => leftOut(walk)

const never: Test = (value, depth, walk) =>
  report(walk, depth, (path) =>
    invalidValue(path, value, () => (typeof walk.run.path[depth - 1] === "number" ? "is one item too many" : "is not accepted")),
  )
