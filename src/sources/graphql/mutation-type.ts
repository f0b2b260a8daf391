// Tells where a selection would run mutations, although the operation around it is a query.
import { isAbstractType } from "graphql"
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
