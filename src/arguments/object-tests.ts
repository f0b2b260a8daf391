// Tests of objects: the names of properties, and what is in them.
import { isRecord } from "../core/json/record.ts"
import { invalidValue, missingField, unexpectedField } from "./issue-text.ts"
import { readList, readMap, readNames } from "./schema-keyword.ts"
import { subschemaOf } from "./schema-ref.ts"
import type { References } from "./schema-ref.ts"
import { keysOf, sizeTest, sizes } from "./value-tests.ts"
import { check, checkSame, decide, every, inside, leftOut, report, spend, withoutFormats } from "./walk.ts"
import type { Run, Subschema, Test, Walk } from "./walk.ts"

type Raw = Record<string, unknown>
type ObjectSchema = { readonly raw: Raw; readonly references: References }

const nameSteps = 1 / 40

type ObjectTests = {
  /** About the object as a whole. */
  readonly whole: readonly (Test | null)[]
  readonly properties: Test | null
  readonly unevaluated: Test | null
}

/** `isAlone`: no other test comes before that of the properties. */
export function objectTests(schema: ObjectSchema, isAlone: boolean): ObjectTests {
  const { required, propertyNames, unevaluatedProperties } = schema.raw
  return {
    whole: [
      // What is missing here is told before what is missing for the schemas that are applied as well.
      isAlone ? null : requiredTest(readNames(required)),
      sizeTest(sizes.object, schema.raw),
      propertyNames === undefined ? null : namesTest(subschemaOf(propertyNames), schema),
      dependencyTest(schema.raw),
    ],
    properties: propertiesTest(schema),
    unevaluated: unevaluatedProperties === undefined ? null : unevaluatedTest(subschemaOf(unevaluatedProperties), schema),
  }
}

const requiredTest =
  (names: readonly string[]): Test =>
  (value, depth, walk) => {
    if (!isRecord(value)) return true
    spend(walk.run, names.length * nameSteps)
    let fits = true
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue
      if (walk.findings === null) return false
      walk.run.path[depth] = name
      fits = report(walk, depth + 1, missingField)
    }
    return fits
  }

/** Names or a schema; drafts before 2019-09 have both kinds under `dependencies`. */
function dependencyTest(raw: Raw): Test | null {
  const entries = ["dependencies", "dependentRequired", "dependentSchemas"].flatMap((keyword) => readMap(raw[keyword]))
  if (entries.length === 0) return null
  const needs = entries.map(([name, needed]) => ({
    name,
    test: Array.isArray(needed) ? requiredTest(readNames(needed)) : sameTest(needed),
  }))
  return (value, depth, walk) => {
    if (!isRecord(value)) return true
    spend(walk.run, needs.length * nameSteps)
    return every(needs, walk, ({ name, test }) => !Object.hasOwn(value, name) || test(value, depth, walk))
  }
}

function sameTest(raw: unknown): Test {
  const schema = subschemaOf(raw)
  return (value, depth, walk) => checkSame(schema, value, depth, withoutFormats(walk))
}

function namesTest(schema: Subschema, { raw, references }: ObjectSchema): Test {
  const known = isRecord(schema.raw) && Array.isArray(schema.raw["enum"]) ? readNames(schema.raw["enum"]) : null
  return (value, depth, walk) => {
    if (!isRecord(value)) return true
    return every(keysOf(value, walk.run), walk, (name) => {
      if (decide(schema, name, depth + 1, walk, null) !== "no") return true
      walk.run.path[depth] = name
      return report(walk, depth + 1, (path) => {
        if (known === null) return invalidValue(path, value[name], () => "has a name that is not allowed")
        return unexpectedField(path, name, value[name], () => (known.length > 0 ? known : acceptedNames(raw, references)))
      })
    })
  }
}

/** What a schema says about objects with these names. */
type Plan = {
  readonly names: readonly string[]
  /** Of each name; null where only `additionalProperties` can say something. */
  readonly schemas: readonly (Subschema | null)[]
  readonly others: readonly string[]
  /** All that are required are among them; false when that has to be looked up. */
  readonly hasRequired: boolean
}

/** What is required, what is allowed, and what is in it. */
function propertiesTest(schema: ObjectSchema): Test | null {
  const { raw } = schema
  // A name that a pattern may allow must not count as additional.
  const hasPatterns = readMap(raw["patternProperties"]).length > 0
  const additional = hasPatterns || raw["additionalProperties"] === undefined ? null : subschemaOf(raw["additionalProperties"])
  const required = readNames(raw["required"])
  const requires = requiredTest(required)
  if (!hasPatterns && additional === null && !isRecord(raw["properties"])) return required.length === 0 ? null : requires
  const planOf = planner(raw, required)
  return (value, depth, walk) => {
    if (!isRecord(value)) return true
    const within = inside(walk)
    const { names, schemas, others, hasRequired } = planOf(keysOf(value, walk.run), walk.run)
    let fits = hasRequired || requires(value, depth, walk)
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? ""
      const property = schemas[index] ?? null
      if (property === null) continue
      walk.evaluated?.keys.add(name)
      if (fitsProperty(property, name, value, depth, within, schema)) continue
      if (walk.findings === null) return false
      fits = false
    }
    if (names.length > 0 && hasPatterns) leftOut(walk)
    if (others.length === 0 || additional === null) return fits
    if (walk.evaluated !== null) walk.evaluated.isAll = true
    return every(others, walk, (name) => fitsProperty(additional, name, value, depth, within, schema)) && fits
  }
}

/** The rows of a batch have the same names, mostly, so that the last plan fits the next row. Names that are not the schema's are not kept. */
function planner(raw: Raw, required: readonly string[]): (names: readonly string[], run: Run) => Plan {
  const properties = isRecord(raw["properties"]) ? raw["properties"] : {}
  const known = new Map<string, Subschema>()
  const find = (name: string): Subschema | null => {
    if (!Object.hasOwn(properties, name)) return null
    const schema = known.get(name) ?? subschemaOf(properties[name])
    known.set(name, schema)
    return schema
  }
  let last: Plan = { names: [], schemas: [], others: [], hasRequired: required.length === 0 }
  return (names, run) => {
    if (isSame(names, last.names)) return last
    spend(run, (names.length + required.length) * nameSteps)
    const schemas = names.map(find)
    const others = names.filter((_, index) => schemas[index] === null)
    if (others.length > 0) return { names, schemas, others, hasRequired: false }
    const given = new Set(names)
    last = { names, schemas, others, hasRequired: required.every((name) => given.has(name)) }
    return last
  }
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  if (names.length !== others.length) return false
  for (let index = 0; index < names.length; index++) if (names[index] !== others[index]) return false
  return true
}

function unevaluatedTest(schema: Subschema, object: ObjectSchema): Test {
  return (value, depth, walk) => {
    const { evaluated } = walk
    if (!isRecord(value) || evaluated === null || evaluated.isAll) return true
    const names = keysOf(value, walk.run).filter((name) => !evaluated.keys.has(name))
    evaluated.isAll = true
    const within = inside(walk)
    return every(names, walk, (name) => fitsProperty(schema, name, value, depth, within, object))
  }
}

function fitsProperty(schema: Subschema, name: string, value: Raw, depth: number, walk: Walk, { raw, references }: ObjectSchema): boolean {
  walk.run.path[depth] = name
  if (!schema.isNever) return check(schema, value[name], depth + 1, walk)
  return report(walk, depth + 1, (path) => unexpectedField(path, name, value[name], () => acceptedNames(raw, references)))
}

const namesMax = 200

/** The names that a schema speaks of itself or through the schemas that it applies to the same value. */
function acceptedNames(schema: unknown, references: References): string[] {
  const names = new Set<string>()
  const add = (raw: unknown, depth: number): void => {
    if (!isRecord(raw) || depth > 4) return
    const properties = isRecord(raw["properties"]) ? raw["properties"] : {}
    for (const name of Object.keys(properties)) if (names.size < namesMax && properties[name] !== false) names.add(name)
    const target = typeof raw["$ref"] === "string" ? references.led(raw["$ref"])?.raw : undefined
    const applied = [target, ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => readList(raw[keyword]))]
    for (const inner of applied.slice(0, namesMax)) if (names.size < namesMax) add(inner, depth + 1)
  }
  add(schema, 0)
  return [...names]
}
