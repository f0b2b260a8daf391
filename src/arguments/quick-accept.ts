// Accepts plain values without the validator: most calls send a flat object of texts and numbers, or rows of such.
//
// It may only say yes when the validator would; "no" means "not sure", and the validator decides. What it looks at
// is charged to the meter, at a fraction of what the validator costs. Tests of subschemas are made when a value first
// comes to them, so that a wide schema costs what the arguments use of it.
import { isNever, isUniqueUpTo } from "./schema-node.ts"
import type { SchemaNode, SubSchema } from "./schema-node.ts"
import type { Lookup, SchemaDocument } from "./schema-sanitise.ts"
import { isRecord } from "./schema-ref.ts"
import { spend } from "./step-meter.ts"
import { fitsFormat } from "./text-format.ts"

export type Accepts = (schema: SubSchema, value: unknown) => boolean

type Test = (value: unknown) => boolean
type Makers = { readonly lookup: Lookup; testOf(schema: SubSchema): Test }

const plainKeywords = new Set(
  (
    "cost title $ref type enum const allOf anyOf minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength textFormat " +
    "minItems maxItems items minProperties maxProperties required properties additionalProperties"
  ).split(" "),
)

/** Following a reference or trying an alternative. */
const applySteps = 0.2
/** For each key, item and required name that is looked at. */
const entrySteps = 1 / 40
/** For each character of a text whose format is looked at. */
const charSteps = 1 / 1000
/** Engines keep wide objects as hash tables, whose keys cost more to list. */
const wideKeys = 64
const wideKeySteps = 1 / 5

const always: Test = () => true
const unsure: Test = () => false

export function quickAccept(document: SchemaDocument): Accepts {
  const known = new WeakMap<SchemaNode, Test>()
  const makers: Makers = {
    lookup: document.lookup,
    testOf(schema) {
      if (schema === true) return always
      const test = known.get(schema) ?? makeTest(schema, makers)
      known.set(schema, test)
      return test
    },
  }
  return (schema, value) => makers.testOf(schema)(value)
}

function makeTest(node: SchemaNode, makers: Makers): Test {
  if (!Object.keys(node).every((keyword) => plainKeywords.has(keyword))) return unsure
  const isKind = kindTest(node)
  const literals = literalTest(node)
  const isApplied = appliedTest(node, makers)
  const fitsArray = hasAny(node, arrayKeywords) ? arrayTest(node, makers) : always
  const fitsObject = hasAny(node, objectKeywords) ? objectTest(node, makers) : always
  return (value) => {
    if (!isKind(value)) return false
    if (literals !== always && !literals(value)) return false
    if (isApplied !== always && !isApplied(value)) return false
    if (typeof value === "string") return fitsText(node, value)
    if (typeof value === "number") return fitsNumber(node, value)
    if (Array.isArray(value)) return fitsArray(value)
    return isRecord(value) ? fitsObject(value) : true
  }
}

const arrayKeywords = ["items", "minItems", "maxItems"] as const
const objectKeywords = ["properties", "additionalProperties", "required", "minProperties", "maxProperties"] as const
const hasAny = (node: SchemaNode, keywords: readonly (keyof SchemaNode)[]): boolean =>
  keywords.some((keyword) => node[keyword] !== undefined)

const typeTests: Record<"string" | "boolean", Test> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
}

function kindTest(node: SchemaNode): Test {
  if (node.type === undefined) return always
  if (node.type === "string" || node.type === "boolean") return typeTests[node.type]
  const types = new Set([node.type].flat())
  const takesIntegers = types.has("integer")
  return (value) => {
    if (value === null) return types.has("null")
    if (Array.isArray(value)) return types.has("array")
    if (typeof value === "number") return types.has("number") || (takesIntegers && Number.isInteger(value))
    return types.has(typeof value)
  }
}

function literalTest(node: SchemaNode): Test {
  const values = node.enum === undefined ? null : plainValues(node.enum)
  const constant = node.const === undefined ? null : plainValues([node.const])
  if (values === null && constant === null) return always
  return (value) => values?.has(value) !== false && constant?.has(value) !== false
}

/** Null-valued members are plain; objects and arrays would have to be compared deeply. */
const plainValues = (values: readonly unknown[]): ReadonlySet<unknown> =>
  new Set(values.filter((value) => typeof value !== "object" || value === null))

/** The schemas that a node applies to the same value. */
function appliedTest(node: SchemaNode, makers: Makers): Test {
  const { $ref, anyOf, allOf } = node
  if ($ref === undefined && anyOf === undefined && allOf === undefined) return always
  const fits = (schema: SubSchema, value: unknown): boolean => {
    spend(applySteps)
    return isUniqueUpTo(schema) ? isSurelyUnique(schema, value) : makers.testOf(schema)(value)
  }
  return (value) =>
    ($ref === undefined || fits(makers.lookup[$ref] ?? true, value)) &&
    (allOf === undefined || allOf.every((inner) => fits(inner, value))) &&
    (anyOf === undefined || anyOf.some((inner) => fits(inner, value)))
}

function isSurelyUnique(schema: SubSchema, value: unknown): boolean {
  if (!Array.isArray(value)) return true
  const isLong = schema === true ? undefined : schema.if
  if (typeof isLong === "object" && value.length >= (isLong.minItems ?? Infinity)) return true
  return value.every((item) => typeof item !== "object" || item === null) && new Set(value).size === value.length
}

/** Counts UTF-16 units where the schema means characters, and is sure only where both counts fit. */
function fitsText(node: SchemaNode, text: string): boolean {
  if (node.maxLength !== undefined && text.length > node.maxLength) return false
  if (node.textFormat !== undefined) {
    spend(text.length * charSteps)
    if (!fitsFormat(node.textFormat, text)) return false
  }
  return node.minLength === undefined || text.length >= node.minLength * 2 || (text.length >= node.minLength && node.minLength <= 1)
}

const fitsNumber = (node: SchemaNode, value: number): boolean =>
  (node.minimum === undefined || value >= node.minimum) &&
  (node.maximum === undefined || value <= node.maximum) &&
  (node.exclusiveMinimum === undefined || value > node.exclusiveMinimum) &&
  (node.exclusiveMaximum === undefined || value < node.exclusiveMaximum) &&
  // With fractions the remainder is not exact, so that only the validator can tell.
  (node.multipleOf === undefined || (Number.isInteger(value) && Number.isInteger(node.multipleOf) && value % node.multipleOf === 0))

function arrayTest(node: SchemaNode, makers: Makers): (items: readonly unknown[]) => boolean {
  let fitsItem: Test | null = null
  return (items) => {
    if (node.minItems !== undefined && items.length < node.minItems) return false
    if (node.maxItems !== undefined && items.length > node.maxItems) return false
    if (node.items === undefined) return true
    fitsItem ??= makers.testOf(node.items)
    for (const item of items) {
      spend(entrySteps)
      if (!fitsItem(item)) return false
    }
    return true
  }
}

function objectTest(node: SchemaNode, makers: Makers): (object: Record<string, unknown>) => boolean {
  const { required = [], properties } = node
  const byName = new Map<string, Test>()
  const fitsOther = otherTest(node, makers)
  const testFor = (name: string): Test => {
    const property = properties?.[name]
    if (property === undefined) return fitsOther
    const test = makers.testOf(property)
    byName.set(name, test)
    return test
  }
  return (object) => {
    const names = Object.keys(object)
    spend(names.length * (names.length < wideKeys ? entrySteps : wideKeySteps) + required.length * entrySteps)
    if (node.minProperties !== undefined && names.length < node.minProperties) return false
    if (node.maxProperties !== undefined && names.length > node.maxProperties) return false
    for (const name of required) if (!Object.hasOwn(object, name)) return false
    for (const name of names) {
      const fits = byName.get(name) ?? testFor(name)
      if (fits !== always && !fits(object[name])) return false
    }
    return true
  }
}

function otherTest(node: SchemaNode, makers: Makers): Test {
  const other = node.additionalProperties
  if (other === undefined) return always
  return isNever(other) ? unsure : (value) => makers.testOf(other)(value)
}
