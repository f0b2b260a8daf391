// Reads a stranger's schema object once, keyword by keyword, into a shape that can be trusted.
import { isRecord } from "../core/json/record.ts"

export type SchemaKeywords = {
  readonly ref: string | null
  readonly types: readonly string[]
  readonly enum: readonly unknown[] | null
  readonly hasConst: boolean
  readonly const: unknown
  readonly nullable: boolean
  readonly allOf: readonly unknown[]
  readonly anyOf: readonly unknown[]
  readonly oneOf: readonly unknown[]
  readonly discriminator: Record<string, unknown> | null
  readonly properties: Record<string, unknown> | null
  readonly patternProperties: Record<string, unknown> | null
  readonly additionalProperties: unknown
  readonly propertyNames: unknown
  readonly required: readonly string[]
  readonly items: unknown
  readonly prefixItems: readonly unknown[] | null
  readonly minItems: number | null
  readonly maxItems: number | null
  /** Whether it has keywords that only become comments. */
  readonly hasFacts: boolean
  /** The object itself, which has those. */
  readonly source: Record<string, unknown>
}

const noKeywords: SchemaKeywords = {
  ref: null,
  types: [],
  enum: null,
  hasConst: false,
  const: undefined,
  nullable: false,
  allOf: [],
  anyOf: [],
  oneOf: [],
  discriminator: null,
  properties: null,
  patternProperties: null,
  additionalProperties: undefined,
  propertyNames: undefined,
  required: [],
  items: undefined,
  prefixItems: null,
  minItems: null,
  maxItems: null,
  hasFacts: false,
  source: {},
}

/** Further names count as optional, which is wider. */
const requiredMax = 2000

/** Null for everything that accepts any value: `true`, and what is no schema at all. */
export function readSchema(schema: unknown): SchemaKeywords | null {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return null
  try {
    return readKeywords(schema as Record<string, unknown>) // an object that is no array
  } catch {
    // A getter or proxy of a stranger threw: nothing is known about the value.
    return null
  }
}

/** A schema has few keywords of many: going through those it has is quicker than asking for each. */
function readKeywords(source: Record<string, unknown>): SchemaKeywords {
  const keywords: { -readonly [Key in keyof SchemaKeywords]: SchemaKeywords[Key] } = { ...noKeywords, source }
  for (const key of Object.keys(source)) {
    const value = source[key]
    switch (key) {
      case "$ref":
      case "$recursiveRef":
        if (typeof value === "string") keywords.ref = value
        break
      case "type":
        keywords.types = typeof value === "string" ? [value] : texts(value)
        break
      case "enum":
        if (Array.isArray(value) && value.length > 0) keywords.enum = value
        break
      case "const":
        keywords.hasConst = value !== undefined
        keywords.const = value
        break
      case "nullable":
      case "x-nullable":
        if (value === true) keywords.nullable = true
        break
      case "allOf":
      case "anyOf":
      case "oneOf":
        keywords[key] = list(value)
        break
      case "discriminator":
      case "properties":
      case "patternProperties":
        keywords[key] = record(value)
        break
      case "additionalProperties":
      case "propertyNames":
        keywords[key] = value
        break
      case "required":
        keywords.required = texts(list(value).slice(0, requiredMax))
        break
      case "items":
        if (Array.isArray(value)) keywords.prefixItems = value
        else keywords.items = value
        break
      case "prefixItems":
        if (Array.isArray(value)) keywords.prefixItems = value
        break
      case "minItems":
      case "maxItems":
        keywords[key] = count(value)
        keywords.hasFacts = true
        break
      default:
        if (factKeywords.has(key)) keywords.hasFacts = true
    }
  }
  // Before 2020-12 a tuple was a list of `items`, and what follows it was `additionalItems`.
  if (Array.isArray(source["items"])) keywords.items = source["additionalItems"]
  return keywords
}

const factKeywords: ReadonlySet<string> = new Set([
  "description",
  "deprecated",
  "format",
  "contentEncoding",
  "pattern",
  "default",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
])

/** The keywords that say something to a reader and nothing to the type. */
export type SchemaFacts = {
  readonly description: string
  readonly deprecated: boolean
  readonly format: string
  readonly pattern: string
  readonly default: unknown
  readonly minimum: unknown
  readonly maximum: unknown
  readonly exclusiveMinimum: unknown
  readonly exclusiveMaximum: unknown
  readonly minLength: number | null
  readonly maxLength: number | null
}

/** Null where there are none, or where a getter or proxy threw. */
export function readFacts({ hasFacts, source }: SchemaKeywords): SchemaFacts | null {
  if (!hasFacts) return null
  try {
    return {
      description: text(source["description"]),
      deprecated: source["deprecated"] === true,
      format: text(source["format"]) || text(source["contentEncoding"]),
      pattern: text(source["pattern"]),
      default: source["default"],
      minimum: source["minimum"],
      maximum: source["maximum"],
      exclusiveMinimum: source["exclusiveMinimum"],
      exclusiveMaximum: source["exclusiveMaximum"],
      minLength: count(source["minLength"]),
      maxLength: count(source["maxLength"]),
    }
  } catch {
    return null
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : noItems)
const texts = (value: unknown): readonly string[] => list(value).filter((item): item is string => typeof item === "string")
const text = (value: unknown): string => (typeof value === "string" ? value : "")
const noItems: readonly unknown[] = []

export const record = (value: unknown): Record<string, unknown> | null => (isRecord(value) ? value : null)

const count = (value: unknown): number | null => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null)

/** The value of an own key; undefined where reading it throws. */
export function readOwn(container: Record<string, unknown>, key: string): unknown {
  try {
    return Object.hasOwn(container, key) ? container[key] : undefined
  } catch {
    return undefined
  }
}

/** Whether other schemas have a say in it. */
export const isCombined = (keywords: SchemaKeywords): boolean =>
  keywords.ref !== null || keywords.allOf.length > 0 || keywords.anyOf.length > 0 || keywords.oneOf.length > 0

const scalarTypes: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null"])

/** A string or number without a choice of values is written in place: a name would say less. */
export function isPlainScalar(keywords: SchemaKeywords): boolean {
  if (keywords.types.length === 0 || isCombined(keywords)) return false
  if (keywords.enum !== null || keywords.hasConst) return false
  return keywords.types.every((type) => scalarTypes.has(type))
}
