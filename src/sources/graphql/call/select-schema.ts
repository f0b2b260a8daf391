// Makes a schema of the few types that a selection meets, in which everything else is a stand-in.
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLUnionType,
  parseType,
  specifiedScalarTypes,
} from "graphql"
import type { GraphQLInputType, GraphQLNamedType, GraphQLOutputType, GraphQLType, TypeNode } from "graphql"
import type { ArgEntry, FieldBinding, FieldEntry, TypeEntry } from "../binding.ts"

type Parts = {
  readonly types: ReadonlyMap<string, TypeEntry>
  /** The object types behind an interface or union, each with the interfaces that name it. */
  readonly members: ReadonlyMap<string, readonly string[]>
  readonly made: Map<string, GraphQLNamedType>
  /** The fields that types have here; null: all of them. */
  readonly fields: ReadonlySet<string> | null
}

export function partialSchema(
  binding: FieldBinding,
  types: ReadonlyMap<string, TypeEntry>,
  fields: ReadonlySet<string> | null,
): GraphQLSchema {
  const made = new Map<string, GraphQLNamedType>(specifiedScalarTypes.map((type) => [type.name, type]))
  const parts: Parts = { types, members: membersOf(types), made, fields }
  const root = new GraphQLObjectType({
    // The root type is not met by a selection unless the field answers it, and its name is then its own.
    name: "Root__",
    fields: () => fieldsOf([[binding.field, binding.type, binding.args]], parts),
  })
  const all = [...types.keys(), ...parts.members.keys()].map((name) => typeOf(name, parts))
  return new GraphQLSchema({
    ...(binding.operation === "query" ? { query: root } : { mutation: root }),
    types: all,
    assumeValid: true,
  })
}

function membersOf(types: ReadonlyMap<string, TypeEntry>): Map<string, string[]> {
  const members = new Map<string, string[]>()
  for (const [name, entry] of types) {
    if (!("possible" in entry)) continue
    for (const member of entry.possible) {
      const interfaces = members.get(member) ?? []
      if (entry.kind === "interface") interfaces.push(name)
      members.set(member, interfaces)
    }
  }
  return members
}

function typeOf(name: string, parts: Parts): GraphQLNamedType {
  const known = parts.made.get(name)
  if (known) return known
  const type = makeType(name, parts)
  parts.made.set(name, type)
  return type
}

function makeType(name: string, parts: Parts): GraphQLNamedType {
  const entry = parts.types.get(name)
  if (entry === undefined) return standIn(name, parts)
  switch (entry.kind) {
    case "object":
      return new GraphQLObjectType({
        name,
        fields: () => fieldsOf(chosen(entry.fields, parts), parts),
        interfaces: () => interfacesOf(entry.interfaces, parts),
      })
    case "interface":
      return new GraphQLInterfaceType({
        name,
        fields: () => fieldsOf(chosen(entry.fields, parts), parts),
        interfaces: () => interfacesOf(entry.interfaces, parts),
      })
    case "union":
      return new GraphQLUnionType({ name, types: () => entry.possible.map((member) => typeOf(member, parts)).filter(isObject) })
    case "input":
      return new GraphQLInputObjectType({ name, fields: () => inputsOf(entry.fields, parts), isOneOf: entry.isOneOf })
    case "enum":
      return new GraphQLEnumType({ name, values: Object.fromEntries(entry.values.map((value) => [value, {}])) })
  }
}

/** Behind an interface or union stand object types; what else is not read has no fields that matter. */
function standIn(name: string, parts: Parts): GraphQLNamedType {
  const interfaces = parts.members.get(name)
  if (interfaces === undefined) return new GraphQLScalarType({ name })
  return new GraphQLObjectType({
    name,
    fields: { _: { type: GraphQLBoolean } },
    interfaces: () => interfacesOf(interfaces, parts),
  })
}

const isObject = (type: GraphQLNamedType): type is GraphQLObjectType => type instanceof GraphQLObjectType

const interfacesOf = (names: readonly string[], parts: Parts): GraphQLInterfaceType[] =>
  names
    .filter((name) => parts.types.has(name))
    .map((name) => typeOf(name, parts))
    .filter((type) => type instanceof GraphQLInterfaceType)

const chosen = (fields: readonly FieldEntry[], parts: Parts): readonly FieldEntry[] =>
  parts.fields === null ? fields : fields.filter(([name]) => parts.fields?.has(name))

const fieldsOf = (fields: readonly FieldEntry[], parts: Parts) =>
  Object.fromEntries(
    fields.map(([name, type, args = []]) => [
      name,
      // A field's type is an output type, an argument's an input type: so the schema had them.
      { type: typed(parseType(type), parts) as GraphQLOutputType, args: inputsOf(args, parts) },
    ]),
  )

const inputsOf = (args: readonly ArgEntry[], parts: Parts) =>
  Object.fromEntries(
    args.map(([name, type, hasDefault]) => [
      name,
      { type: typed(parseType(type), parts) as GraphQLInputType, ...(hasDefault ? { default: { value: null } } : {}) }, // as above; the default's value is never looked at
    ]),
  )

function typed(node: TypeNode, parts: Parts): GraphQLType {
  switch (node.kind) {
    case "ListType":
      return new GraphQLList(typed(node.type, parts))
    case "NonNullType": {
      const inner = typed(node.type, parts)
      return inner instanceof GraphQLNonNull ? inner : new GraphQLNonNull(inner)
    }
    case "NamedType":
      return typeOf(node.name.value, parts)
  }
}
