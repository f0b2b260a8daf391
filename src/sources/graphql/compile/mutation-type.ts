// Tells where a selection would run mutations, although the operation around it is a query.
import { getNamedType, isAbstractType, isInterfaceType, isObjectType } from "graphql"
import type { GraphQLNamedType, GraphQLSchema } from "graphql"

/**
 * Some schemas let a query answer the mutation type itself. Its fields do what mutations do, so that they are asked for by
 * their own tools alone, which are approved.
 */
export function leadsToMutations(type: GraphQLNamedType, schema: GraphQLSchema): boolean {
  const mutation = schema.getMutationType()
  if (mutation == null) return false
  return type === mutation || (isAbstractType(type) && schema.getPossibleTypes(type).includes(mutation))
}

/** One type for both: what it is asked by says nothing about what its fields do. */
export const hasOneRoot = (schema: GraphQLSchema): boolean =>
  schema.getMutationType() != null && schema.getMutationType() === schema.getQueryType()

/** Whether a query of any depth may run mutations. */
export function canQueryMutations(schema: GraphQLSchema): boolean {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type))
  const fields = types.flatMap((type) => Object.values(type.getFields()))
  return hasOneRoot(schema) || fields.some((field) => leadsToMutations(getNamedType(field.type), schema))
}
