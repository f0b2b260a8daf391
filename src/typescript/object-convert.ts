// Turns the object keywords of a schema into an object type.
import { flatText } from "./type-text.ts"
import { propertyDoc } from "./comment-property.ts"
import type { Conversion } from "./conversion.ts"
import { readOwn, readSchema } from "./schema-read.ts"
import type { SchemaKeywords } from "./schema-read.ts"
import { isUnknown, union, unknownType, word } from "./type-node.ts"
import type { PropertyNode, Rest, TypeNode } from "./type-node.ts"

/** A longer name is no name; leaving the property out keeps the type true. */
const nameCharsMax = 200
/** A longer index signature repeats more than it says. */
const indexCharsMax = 60
const keysMax = 50

export function objectType(keywords: SchemaKeywords, to: Conversion, depth: number): TypeNode {
  const additional = additionalType(keywords, to, depth)
  const { properties, left } = propertyNodes(keywords, additional, to, depth)
  if (left > 0) return { kind: "object", properties, rest: indexed(word("unknown", `${left} more`)) }
  return { kind: "object", properties, rest: restOf(properties, additional, keywords, to) }
}

/** What the schema says about properties that it does not name. */
type Additional = { readonly kind: "unsaid" } | { readonly kind: "none" } | { readonly kind: "typed"; readonly type: TypeNode }

function additionalType(keywords: SchemaKeywords, to: Conversion, depth: number): Additional {
  const patterns = keywords.patternProperties === null ? [] : Object.keys(keywords.patternProperties)
  const schema = keywords.additionalProperties
  if (patterns.length === 0 || keywords.patternProperties === null) {
    if (schema === undefined) return { kind: "unsaid" }
    return schema === false ? { kind: "none" } : { kind: "typed", type: to.convert(schema, to, depth + 1) }
  }
  const types: TypeNode[] = []
  for (const pattern of patterns) {
    if (to.charsLeft < 0) return { kind: "typed", type: unknownType }
    types.push(to.convert(readOwn(keywords.patternProperties, pattern), to, depth + 1))
  }
  // A pattern may leave names over, whose values are then free.
  if (schema !== false && !patterns.some(matchesAll))
    types.push(schema === undefined ? patternNote(patterns, types, to) : to.convert(schema, to, depth + 1))
  return { kind: "typed", type: union(types) }
}

const matchesAll = (pattern: string): boolean => ["", ".*", "^.*$", ".+", "^.+$", "^.*", "^"].includes(pattern)

function patternNote(patterns: readonly string[], types: readonly TypeNode[], to: Conversion): TypeNode {
  const [pattern = ""] = patterns
  const [type = unknownType] = types
  const text = isUnknown(type) ? null : shortText(type, to)
  return word("unknown", text === null || pattern.length > 30 || !isPrintable(pattern) ? null : `/${pattern}/: ${text}`)
}

/** A text is made of names, which the type may have others of in another graph. */
function shortText(type: TypeNode, to: Conversion): string | null {
  if (to.record !== null) to.record.repeatsNames = true
  return flatText(type, indexCharsMax)
}

const isPrintable = (text: string): boolean => /^[ -~]*$/.test(text)

function propertyNodes(
  keywords: SchemaKeywords,
  additional: Additional,
  to: Conversion,
  depth: number,
): { properties: PropertyNode[]; left: number } {
  const required = new Set(keywords.required)
  const declared = keywords.properties ?? {}
  const properties: PropertyNode[] = []
  const names = namesOf(declared, required)
  const undeclared = additional.kind === "typed" ? additional.type : unknownType
  let left = 0
  for (const name of names) {
    if (name.length > nameCharsMax) continue
    if (to.charsLeft < 0) {
      left++
      continue
    }
    to.charsLeft -= name.length + 4 + 2 * depth
    const optional = !required.has(name)
    const schema = readOwn(declared, name)
    const read = readSchema(schema)
    const subject = { name, context: to.context, comments: to.comments, showsDefault: optional }
    const doc = read === null ? null : propertyDoc(read, subject, to)
    if (doc !== null) to.charsLeft -= doc.length + 8
    const type =
      read !== null ? to.convertKeywords(read, to, depth + 1) : schema === undefined ? undeclared : to.convert(schema, to, depth + 1)
    properties.push({ name, type, optional, doc })
  }
  return { properties, left }
}

/** In the order of the schema; required names that it does not declare come last. */
function namesOf(declared: Record<string, unknown>, required: ReadonlySet<string>): string[] {
  const names = Object.keys(declared)
  for (const name of required) if (!Object.hasOwn(declared, name)) names.push(name)
  return names
}

function restOf(properties: readonly PropertyNode[], additional: Additional, keywords: SchemaKeywords, to: Conversion): Rest {
  if (additional.kind === "unsaid") return { kind: "open" }
  if (additional.kind === "none") return { kind: "closed" }
  if (properties.length === 0) return { kind: "indexed", type: additional.type, keys: knownKeys(keywords) }
  return indexed(widened(additional.type, properties, to))
}

const indexed = (type: TypeNode): Rest => ({ kind: "indexed", type, keys: null })

/** TypeScript's index signature speaks for the named properties as well, so it must have room for their types. */
function widened(type: TypeNode, properties: readonly PropertyNode[], to: Conversion): TypeNode {
  if (isUnknown(type)) return type
  const types = [type, ...properties.map((property) => property.type)]
  if (properties.some((property) => property.optional)) types.push(word("undefined"))
  const wide = union(types)
  if (isUnknown(wide)) return wide
  if (shortText(wide, to) !== null) return wide
  return word("unknown", shortText(type, to))
}

/** The names that a record is limited to, where the schema lists them. */
function knownKeys(keywords: SchemaKeywords): readonly string[] | null {
  const names = readSchema(keywords.propertyNames)?.enum ?? null
  if (names === null || names.length > keysMax) return null
  const keys = names.filter((name): name is string => typeof name === "string" && name.length <= nameCharsMax)
  return keys.length === names.length ? keys : null
}
