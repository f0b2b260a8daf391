// The default selection of each type that a field answers, with the JSON Schema of what it gives as one shared definition.
import { getNamedType, isLeafType, isRequiredArgument, isUnionType } from "graphql"
import type { GraphQLOutputType, GraphQLSchema } from "graphql"
import type { Limits } from "../../../core/limits.ts"
import type { JsonSchema, JsonText } from "../../../core/tool.ts"
import type { InputSchemas } from "./schema-input.ts"
import { definitionName } from "./schema-input.ts"
import { leadsToMutations } from "./mutation-type.ts"
import { descriptionOf, isReserved } from "./schema-text.ts"
import type { CompositeType } from "./selection.ts"
import { defaultSelection } from "./selection.ts"
import { printSelection, selectionSchema, shaped, typeSchema } from "./selection-print.ts"

export type OutputSchemas = {
  /** The value of a field with its default selection. */
  schemaOf(type: GraphQLOutputType): JsonSchema
  /** Null where the field answers a plain value. */
  selectionOf(type: GraphQLOutputType): Selectable | null
  readonly definitions: Map<string, JsonText>
}

type Written = {
  /** The default selection. */
  readonly text: string
  readonly example: string
  /** What can be selected, each as it would be written. */
  readonly fields: readonly string[]
}
export type Selectable = Written & { readonly on: string }

export function writeOutputs(schema: GraphQLSchema, inputs: InputSchemas, limits: Limits): OutputSchemas {
  const definitions = new Map<string, JsonText>()
  const written = new Map<string, Written>()

  function write(type: CompositeType): Written {
    const known = written.get(type.name)
    if (known) return known
    const selection = defaultSelection(type, schema)
    const about = [descriptionOf(type, limits), "These are the fields of the default selection; `select` asks for others."]
    const body = { ...selectionSchema(selection, inputs.leafOf), description: about.filter(Boolean).join("\n\n") }
    definitions.set(definitionName(type.name), JSON.stringify(body))
    const entry = { text: printSelection(selection), example: exampleOf(type), fields: fieldNames(type, schema) }
    written.set(type.name, entry)
    return entry
  }

  return {
    definitions,
    schemaOf(type) {
      const named = getNamedType(type)
      if (isLeafType(named)) return typeSchema(type, null, inputs.leafOf)
      write(named)
      return shaped(type, () => ({ $ref: `#/$defs/${definitionName(named.name)}` }))
    },
    selectionOf(type) {
      const named = getNamedType(type)
      return isLeafType(named) ? null : { ...write(named), on: named.name }
    },
  }
}

/** `id`, `name`, `owner { … }`, `issues(first, after) { … }`. */
function fieldNames(type: CompositeType, schema: GraphQLSchema): string[] {
  if (isUnionType(type)) return type.getTypes().map((member) => `... on ${member.name} { … }`)
  const fields = Object.values(type.getFields()).filter(
    (field) => field.deprecationReason == null && !isReserved(field.name) && !leadsToMutations(getNamedType(field.type), schema),
  )
  return fields.map((field) => {
    const args = field.args.length === 0 ? "" : `(${field.args.map((arg) => arg.name).join(", ")})`
    return `${field.name}${args}${isLeafType(getNamedType(field.type)) ? "" : " { … }"}`
  })
}

/** A selection that works, with fields of the type where it has plain ones. */
function exampleOf(type: CompositeType): string {
  const fields = isUnionType(type) ? [] : Object.values(type.getFields())
  const plain = fields.filter(
    (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument) && !isReserved(field.name),
  )
  const names = plain.map((field) => field.name).filter((name) => name.length <= 40)
  return `{ ${names.length === 0 ? "__typename" : names.slice(0, 2).join(" ")} }`
}

/** As many as fit. */
export function boundedList(names: readonly string[], charsMax: number): string {
  let text = ""
  for (const name of names) {
    const next = text === "" ? name : `${text}, ${name}`
    if (next.length > charsMax) return `${text}, …`
    text = next
  }
  return text
}
