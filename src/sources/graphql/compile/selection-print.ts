// Writes a selection as GraphQL, and the answer it gives as JSON Schema.
import { isAbstractType, isLeafType, isListType, isNonNullType } from "graphql"
import type { GraphQLInputType, GraphQLOutputType } from "graphql"
import type { JsonSchema } from "../../../core/tool.ts"
import { orNull } from "./schema-input.ts"
import { builtInScalar } from "./schema-scalar.ts"
import type { Selected, Selection } from "./selection.ts"

/** With its braces. A selection must not be empty, and every type has a name. */
export function printSelection({ on, fields, fragments }: Selection): string {
  const shared = fields.map(printField)
  const single = fragments.map((fragment) => `... on ${fragment.on.name} { ${fragment.fields.map(printField).join(" ")} }`)
  const parts = [...shared, ...single]
  return `{ ${[...(isAbstractType(on) || parts.length === 0 ? ["__typename"] : []), ...parts].join(" ")} }`
}

function printField({ as, field, args, of }: Selected): string {
  const alias = as === field.name ? "" : `${as}: `
  return `${alias}${field.name}${args}${of === null ? "" : ` ${printSelection(of)}`}`
}

/** `leaf` refers to a type of the schema's own that holds plain values. */
export type LeafSchema = (type: GraphQLInputType) => JsonSchema

export function selectionSchema(selection: Selection, leaf: LeafSchema): JsonSchema {
  const { on, fields, fragments, hasOthers } = selection
  if (!isAbstractType(on)) return objectSchema(fields.length === 0 ? { __typename: { const: on.name } } : {}, fields, leaf)
  const any = objectSchema({ __typename: { type: "string" } }, fields, leaf)
  if (fragments.length === 0) return any
  const single = fragments.map((fragment) =>
    objectSchema({ __typename: { const: fragment.on.name } }, [...fields, ...fragment.fields], leaf),
  )
  return { anyOf: hasOthers ? [...single, any] : single }
}

function objectSchema(first: Record<string, JsonSchema>, fields: readonly Selected[], leaf: LeafSchema): JsonSchema {
  const properties: Record<string, JsonSchema> = { ...first }
  for (const selected of fields) properties[selected.as] = typeSchema(selected.field.type, selected.of, leaf)
  return { type: "object", properties, required: Object.keys(properties) }
}

/** The value of a field: null unless the schema says otherwise. */
export function typeSchema(type: GraphQLOutputType, of: Selection | null, leaf: LeafSchema): JsonSchema {
  return shaped(type, (named) => {
    if (!isLeafType(named)) return of === null ? {} : selectionSchema(of, leaf)
    return builtInScalar(named.name, "output") ?? leaf(named)
  })
}

/** The lists and nulls around what `inner` writes. */
export function shaped(type: GraphQLOutputType, inner: (named: GraphQLOutputType) => JsonSchema): JsonSchema {
  if (isNonNullType(type)) return bare(type.ofType, inner)
  return orNull(bare(type, inner))
}

function bare(type: GraphQLOutputType, inner: (named: GraphQLOutputType) => JsonSchema): JsonSchema {
  if (isNonNullType(type)) return bare(type.ofType, inner)
  return isListType(type) ? { type: "array", items: shaped(type.ofType, inner) } : inner(type)
}
