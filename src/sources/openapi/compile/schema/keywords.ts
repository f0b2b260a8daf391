// Which keywords of a schema are kept, and how each is translated to JSON Schema 2020-12.
//
// The dialects of Swagger 2.0 and OpenAPI 3.0 differ in few keywords, so one lenient table serves all versions;
// what is not in it (examples, xml, externalDocs, discriminator, extensions) is left out.
import { boundedText, isObject, put } from "../../../document-value.ts"

export type SchemaObject = Record<string, unknown>

/** How a nested schema relates to the value that its parent describes. */
export type Relation = "apart" | "all" | "choice"

/** What a rule may use of the walk that it is part of. */
export type RuleContext = {
  readonly out: SchemaObject
  readonly descriptionCharsMax: number
  readonly nested: (value: unknown, relation: Relation, ...trail: readonly string[]) => SchemaObject | boolean
  readonly copy: (value: unknown) => unknown
  /** Every text that is written counts, because an alias can repeat a long one. */
  readonly spend: (text: string) => void
  /** True for a schema that stands in for one that could not be read: it accepts anything. */
  readonly isUnknown: (schema: SchemaObject | boolean) => boolean
  readonly warn: (message: string) => void
}

type Rule = (value: unknown, keyword: string, context: RuleContext) => void

const typeNames: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"])

const text: Rule = (value, keyword, context) => {
  if (typeof value !== "string") return context.warn(`'${keyword}' is not a text`)
  const bounded = boundedText(value, context.descriptionCharsMax)
  if (bounded === "") return
  context.spend(bounded)
  context.out[keyword] = bounded
}

const flag: Rule = (value, keyword, context) => {
  if (typeof value !== "boolean") return context.warn(`'${keyword}' is neither true nor false`)
  if (value) context.out[keyword] = true
}

const number: Rule = (value, keyword, context) => {
  if (typeof value !== "number" || !Number.isFinite(value)) return context.warn(`'${keyword}' is not a number`)
  if (keyword === "multipleOf" && value <= 0) return context.warn(`'multipleOf' is not above zero`)
  context.out[keyword] = value
}

const count: Rule = (value, keyword, context) => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) return context.warn(`'${keyword}' is not a count`)
  context.out[keyword] = value
}

/** `exclusiveMinimum: true` is the older dialect; the bound itself then stands beside it, see `settleBounds`. */
const bound: Rule = (value, keyword, context) => {
  if (typeof value === "boolean") context.out[keyword] = value
  else number(value, keyword, context)
}

const data: Rule = (value, keyword, context) => {
  context.out[keyword] = context.copy(value)
}

const enumeration: Rule = (value, keyword, context) => {
  if (!Array.isArray(value) || value.length === 0) return context.warn(`'enum' is not a list of values`)
  context.out[keyword] = context.copy(value)
}

const names: Rule = (value, keyword, context) => {
  if (!Array.isArray(value)) return context.warn(`'${keyword}' is not a list of names`)
  const texts = [...new Set(value.filter((name) => typeof name === "string"))]
  for (const name of texts) context.spend(name)
  if (texts.length > 0) context.out[keyword] = texts
}

const type: Rule = (value, keyword, context) => {
  // Swagger's `file` is a text to JSON.
  const listed = (Array.isArray(value) ? (value as unknown[]) : [value]).map((name) => (name === "file" ? "string" : name))
  const known = [...new Set(listed.filter((name) => typeNames.has(name)))]
  if (known.length < listed.length) context.warn(`'type' names no JSON type: ${JSON.stringify(value)?.slice(0, 80)}`)
  if (known.length > 0) context.out[keyword] = known.length === 1 ? known[0] : known
}

const nested: Rule = (value, keyword, context) => {
  context.out[keyword] = context.nested(value, "apart")
}

/** A condition that could not be read must not decide anything. */
const condition: Rule = (value, keyword, context) => {
  const schema = context.nested(value, "choice")
  if (!context.isUnknown(schema)) context.out[keyword] = schema
}

const list =
  (relation: Relation): Rule =>
  (value, keyword, context) => {
    if (!Array.isArray(value)) return context.warn(`'${keyword}' is not a list of schemas`)
    if (value.length === 0) return
    const schemas = value.map((item, index) => context.nested(item, relation, String(index)))
    // "Exactly one" cannot be decided with a branch that accepts anything.
    const kept = keyword === "oneOf" && schemas.some(context.isUnknown) ? "anyOf" : keyword
    if (kept !== keyword && context.out[kept] !== undefined) return
    context.out[kept] = schemas
  }

const map =
  (relation: Relation): Rule =>
  (value, keyword, context) => {
    if (!isObject(value)) return context.warn(`'${keyword}' is not a map of schemas`)
    const out: SchemaObject = {}
    for (const name of Object.keys(value)) {
      context.spend(name)
      put(out, name, context.nested(value[name], relation, name))
    }
    context.out[keyword] = out
  }

/** Before 2020-12 a list of `items` was a tuple. */
const items: Rule = (value, _keyword, context) => {
  if (!Array.isArray(value)) return nested(value, "items", context)
  list("apart")(value, "prefixItems", context)
}

const dependentNames: Rule = (value, keyword, context) => {
  if (!isObject(value)) return context.warn(`'${keyword}' is not a map of names`)
  const out: SchemaObject = {}
  for (const name of Object.keys(value)) {
    const listed = value[name]
    if (!Array.isArray(listed)) continue
    const texts = [...new Set(listed.filter((item) => typeof item === "string"))]
    for (const item of [name, ...texts]) context.spend(item)
    put(out, name, texts)
  }
  context.out[keyword] = out
}

export const keywordRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...["title", "description", "format", "pattern", "contentEncoding", "contentMediaType"].map((word): [string, Rule] => [word, text]),
  ...["uniqueItems", "readOnly", "writeOnly", "deprecated"].map((word): [string, Rule] => [word, flag]),
  ...["minimum", "maximum", "multipleOf"].map((word): [string, Rule] => [word, number]),
  ...["exclusiveMinimum", "exclusiveMaximum"].map((word): [string, Rule] => [word, bound]),
  ...["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties"].map(
    (word): [string, Rule] => [word, count],
  ),
  ...["additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"].map((word): [string, Rule] => [
    word,
    nested,
  ]),
  ...["not", "if", "contains"].map((word): [string, Rule] => [word, condition]),
  ...["then", "else"].map((word): [string, Rule] => [
    word,
    (value, keyword, context) => void (context.out[keyword] = context.nested(value, "choice")),
  ]),
  ...["properties", "patternProperties"].map((word): [string, Rule] => [word, map("apart")]),
  ["dependentSchemas", map("choice")],
  ["dependentRequired", dependentNames],
  ["allOf", list("all")],
  ["anyOf", list("choice")],
  ["oneOf", list("choice")],
  ["prefixItems", list("apart")],
  ["items", items],
  ["type", type],
  ["enum", enumeration],
  ["required", names],
  ["const", data],
  ["default", data],
])

/** The keywords that may stand beside a `$ref` in documents older than 3.1, where others are ignored. */
export const annotationKeywords: ReadonlySet<string> = new Set(["title", "description", "default", "deprecated", "readOnly", "writeOnly"])
