// Turns one JSON Schema into a type that every accepted value is assignable to.
//
// Where TypeScript cannot say what a schema says, the type is wider, never narrower: `oneOf` is a union,
// `not`, `if` and constraints are left to the server. One thing is taken as meant rather than as specified:
// a schema with `properties` or `items` but no `type` describes an object or an array, and nothing else.
import { arrayType } from "./array-convert.ts"
import type { Conversion } from "./conversion.ts"
import { enumType, literalType } from "./literal-text.ts"
import { objectType } from "./object-convert.ts"
import { isCombined, isPlainScalar, readSchema } from "./schema-read.ts"
import type { SchemaKeywords } from "./schema-read.ts"
import { intersection, isUnknown, neverType, nullType, union, unknownType, word } from "./type-node.ts"
import type { TypeNode } from "./type-node.ts"

const enumCharsMax = 2000
const scalars: ReadonlyMap<string, TypeNode> = new Map([
  ["string", word("string")],
  ["number", word("number")],
  ["integer", word("number")],
  ["boolean", word("boolean")],
  ["null", nullType],
])

/** `inherited`: the types that the schema around this one allows, for parts of it that name none. */
export function convert(schema: unknown, to: Conversion, depth: number, inherited: readonly string[] = []): TypeNode {
  if (schema === false) return neverType
  const keywords = readSchema(schema)
  return keywords === null ? unknownType : convertKeywords(keywords, to, depth, inherited)
}

export function convertKeywords(keywords: SchemaKeywords, to: Conversion, depth: number, inherited: readonly string[] = []): TypeNode {
  to.charsLeft -= 8
  if (isPlainScalar(keywords)) return scalarType(keywords)
  if (depth >= to.depthMax || to.charsLeft < 0) return outline(keywords, to)
  const types = keywords.types.length > 0 ? keywords.types : inherited
  const own = ownType(keywords, types, to, depth)
  const type = isCombined(keywords) ? intersection([own, ...combinedTypes(keywords, types, to, depth)]) : own
  return keywords.nullable ? union([type, nullType]) : type
}

const combinedTypes = (keywords: SchemaKeywords, types: readonly string[], to: Conversion, depth: number): TypeNode[] => [
  referenceType(keywords, to),
  ...convertAll(keywords.allOf, to, depth, types),
  alternatives(keywords.anyOf, to, depth, types),
  alternatives(keywords.oneOf, to, depth, types),
]

/** What is left of a type that is too deep or too long to be shown. */
function outline(keywords: SchemaKeywords, to: Conversion): TypeNode {
  const note = "not shown"
  if (keywords.nullable) return word("unknown", note)
  // A name takes no room; whether there is room for what it stands for is decided elsewhere.
  if (keywords.ref !== null && to.charsLeft >= 0) return referenceType(keywords, to)
  if (keywords.types.length !== 1 || keywords.ref !== null) return word("unknown", note)
  if (keywords.types[0] === "object") return word("Record<string, unknown>", note)
  return keywords.types[0] === "array" ? word("unknown[]", note) : word("unknown", note)
}

function referenceType(keywords: SchemaKeywords, to: Conversion): TypeNode {
  if (keywords.ref === null) return unknownType
  const definition = to.graph.find(keywords.ref, to.root)
  if (definition === null) return unknownType
  const target = readSchema(definition.schema)
  if (target !== null && isPlainScalar(target)) return scalarType(target)
  to.charsLeft -= definition.name.length
  to.record?.counted.push(keywords.ref)
  return { kind: "reference", to: definition }
}

function scalarType({ types, nullable }: SchemaKeywords): TypeNode {
  const [only] = types
  if (types.length === 1 && only !== undefined && !nullable) return scalars.get(only) ?? unknownType
  const members = types.map((type) => scalars.get(type) ?? unknownType)
  return union(nullable ? [...members, nullType] : members)
}

/** The type by the schema's own keywords, without those that combine other schemas. */
function ownType(keywords: SchemaKeywords, types: readonly string[], to: Conversion, depth: number): TypeNode {
  if (keywords.hasConst) return spent(literalType(keywords.const), to)
  if (keywords.enum !== null) return spent(enumType(keywords.enum, to.enumValuesMax, enumCharsMax), to)
  if (types.length > 0) return union(types.map((type) => namedType(type, keywords, to, depth)))
  const isObject = keywords.properties !== null || keywords.patternProperties !== null || keywords.required.length > 0
  const isArray = keywords.prefixItems !== null || keywords.items !== undefined
  const meant: TypeNode[] = []
  if (isObject || isRestriction(keywords.additionalProperties)) meant.push(objectType(keywords, to, depth))
  if (isArray) meant.push(arrayType(keywords, to, depth))
  return meant.length === 0 ? unknownType : union(meant)
}

const isRestriction = (schema: unknown): boolean => typeof schema === "object" && schema !== null

function namedType(type: string, keywords: SchemaKeywords, to: Conversion, depth: number): TypeNode {
  if (type === "object") return objectType(keywords, to, depth)
  if (type === "array") return arrayType(keywords, to, depth)
  return scalars.get(type) ?? unknownType
}

function alternatives(schemas: readonly unknown[], to: Conversion, depth: number, types: readonly string[]): TypeNode {
  if (schemas.length === 0) return unknownType
  const members: TypeNode[] = []
  for (const schema of schemas) {
    if (to.charsLeft < 0) return word("unknown", "not shown")
    const member = convert(schema, to, depth + 1, types)
    if (isUnknown(member)) return member
    members.push(member)
  }
  return union(members)
}

/** Members that no longer fit are left out, which only widens the intersection. */
function convertAll(schemas: readonly unknown[], to: Conversion, depth: number, types: readonly string[]): TypeNode[] {
  const members: TypeNode[] = []
  for (const schema of schemas) {
    if (to.charsLeft < 0) break
    members.push(convert(schema, to, depth + 1, types))
  }
  return members
}

function spent(type: TypeNode, to: Conversion): TypeNode {
  const words = type.kind === "union" ? type.members : [type]
  for (const member of words) to.charsLeft -= member.kind === "word" ? member.text.length + 3 : 200
  return type
}
