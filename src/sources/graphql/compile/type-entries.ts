// Writes down each type of a schema as far as a selection needs it, so that a call can check one without the whole schema.
import { getNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from "graphql"
import type { GraphQLArgument, GraphQLInputField, GraphQLNamedType, GraphQLSchema } from "graphql"
import { leadsToMutations } from "./mutation-type.ts"
import { isReserved } from "./schema-text.ts"
import type { ArgEntry, FieldEntry, TypeEntry } from "../binding.ts"

/** Null for a scalar, of which nothing can be selected. */
export function typeEntry(type: GraphQLNamedType, schema: GraphQLSchema): TypeEntry | null {
  if (isObjectType(type) || isInterfaceType(type))
    return {
      kind: isObjectType(type) ? "object" : "interface",
      fields: Object.values(type.getFields())
        .filter((field) => !isReserved(field.name) && !leadsToMutations(getNamedType(field.type), schema))
        .map((field): FieldEntry => {
          const written = String(field.type)
          return field.args.length === 0 ? [field.name, written] : [field.name, written, argEntries(field.args)]
        }),
      interfaces: type.getInterfaces().map((one) => one.name),
      possible: isInterfaceType(type) ? schema.getPossibleTypes(type).map((one) => one.name) : [],
    }
  if (isUnionType(type)) return { kind: "union", possible: type.getTypes().map((one) => one.name) }
  if (isInputObjectType(type)) return { kind: "input", fields: argEntries(Object.values(type.getFields())), isOneOf: type.isOneOf }
  if (isEnumType(type)) return { kind: "enum", values: type.getValues().map((value) => value.name) }
  return null
}

export const argEntries = (args: readonly (GraphQLArgument | GraphQLInputField)[]): ArgEntry[] =>
  args
    .filter((arg) => !isReserved(arg.name))
    .map((arg) => (arg.default === undefined ? [arg.name, String(arg.type)] : [arg.name, String(arg.type), 1]))
