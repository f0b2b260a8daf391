// The default selection of each type that a field answers, with the JSON Schema of what it gives as one shared definition.
import { getNamedType, isLeafType, isUnionType } from "graphql"
import type { GraphQLOutputType, GraphQLSchema } from "graphql"
import type { Limits } from "../../core/limits.ts"
import type { JsonSchema, JsonText } from "../../core/tool.ts"
import type { InputSchemas } from "./schema-input.ts"
import { definitionName } from "./schema-input.ts"
import { descriptionOf, isReserved } from "./schema-text.ts"
import type { CompositeType } from "./selection.ts"
import { defaultSelection } from "./selection.ts"
import { printSelection, selectionSchema, shaped, typeSchema } from "./selection-print.ts"

/** So many characters of field names are shown where a selection can be given. */
const fieldsCharsMax = 1_500

export type OutputSchemas = {
  /** The value of a field with its default selection. */
  schemaOf(type: GraphQLOutputType): JsonSchema
  /** Null where the field answers a plain value. */
  selectionOf(type: GraphQLOutputType): { readonly text: string; readonly on: string; readonly fields: string } | null
  readonly definitions: Map<string, JsonText>
}

type Written = { readonly text: string; readonly fields: string }

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
    const entry = { text: printSelection(selection), fields: fieldNames(type) }
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

/** What can be selected, for whoever must write a selection: `id, name, owner { … }, issues(first, after) { … }`. */
function fieldNames(type: CompositeType): string {
  if (isUnionType(type)) return `one of ${bounded(type.getTypes().map((member) => `... on ${member.name} { … }`))}`
  const fields = Object.values(type.getFields()).filter((field) => field.deprecationReason == null && !isReserved(field.name))
  return bounded(
    fields.map((field) => {
      const args = field.args.length === 0 ? "" : `(${field.args.map((arg) => arg.name).join(", ")})`
      return `${field.name}${args}${isLeafType(getNamedType(field.type)) ? "" : " { … }"}`
    }),
  )
}

function bounded(names: readonly string[]): string {
  let text = ""
  for (const name of names) {
    const next = text === "" ? name : `${text}, ${name}`
    if (next.length > fieldsCharsMax) return `${text}, …`
    text = next
  }
  return text
}
