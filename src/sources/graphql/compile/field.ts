// Makes the tool of one field of the query or mutation type.
import { isRequiredArgument } from "graphql"
import type { GraphQLField } from "graphql"
import type { Limits } from "../../../core/limits.ts"
import { titleOfIdentifier } from "../../../core/text/title-case.ts"
import type { JsonSchema, ToolFacts } from "../../../core/tool.ts"
import { boundedText } from "../../document-value.ts"
import type { ListedTool } from "../../source-adapter.ts"
import type { FieldBinding, FieldSelection } from "../binding.ts"
import { errorsSchema } from "./raw.ts"
import { fieldToolName } from "./name.ts"
import type { InputSchemas } from "./schema-input.ts"
import { boundedList } from "./schema-output.ts"
import type { OutputSchemas, Selectable } from "./schema-output.ts"
import { descriptionOf, isReserved } from "./schema-text.ts"
import { argEntries } from "./type-entries.ts"

/** A selection written by a model, with room to spare. */
export const selectCharsMax = 20_000
const summaryCharsMax = 300
/** So many characters of field names are shown with the argument, and with the tool. */
const fieldsCharsMax = 1_500
const shownCharsMax = 500

export type FieldParts = {
  /** Whether the operation has a field of this name. */
  hasField(name: string): boolean
  readonly isRead: boolean
  readonly inputs: InputSchemas
  readonly outputs: OutputSchemas
  readonly limits: Limits
}

type RootField = { readonly operation: "query" | "mutation"; readonly field: GraphQLField<unknown, unknown> }

export function compileField({ operation, field }: RootField, parts: FieldParts): ListedTool {
  const selected = parts.outputs.selectionOf(field.type)
  const selection: FieldSelection | null =
    selected === null ? null : { text: selected.text, on: selected.on, arg: freeName(field.args.map((arg) => arg.name)) }
  const binding: FieldBinding = {
    kind: "field",
    operation,
    field: field.name,
    args: argEntries(field.args),
    type: String(field.type),
    selection,
  }
  const select = selection && selected ? { [selection.arg]: selectSchema(selection, selected) } : {}
  const answer = { type: "object", properties: { [field.name]: parts.outputs.schemaOf(field.type) }, required: [field.name] }
  return {
    ...facts({ operation, field }, selected, parts),
    inputSchema: JSON.stringify(inputSchema(field, select, parts)),
    outputSchema: JSON.stringify({ type: "object", properties: { data: answer, errors: errorsSchema }, required: ["data"] }),
    binding: JSON.stringify(binding),
  }
}

function facts({ operation, field }: RootField, selected: Selectable | null, { hasField, isRead, limits }: FieldParts): ToolFacts {
  const description = descriptionOf(field, limits)
  const documented = description || `The ${operation} ${field.name}, which returns ${String(field.type)}.`
  return {
    name: fieldToolName({ operation, field: field.name }, hasField),
    title: boundedText(titleOfIdentifier(field.name) || field.name, limits.nameCharsMax),
    summary: boundedText(description.split("\n", 1)[0], summaryCharsMax),
    description: boundedText(selected === null ? documented : `${documented}\n\n${selectable(selected)}`, limits.descriptionCharsMax),
    effect: isRead ? "read" : "write",
    requiresApproval: !isRead,
    approvalDescription: isRead ? null : boundedText(`${operation} ${field.name}`, limits.descriptionCharsMax),
    mayElicit: false,
    deprecated: field.deprecationReason != null,
    tags: [operation],
  }
}

function inputSchema(field: GraphQLField<unknown, unknown>, select: Record<string, JsonSchema>, { inputs }: FieldParts): JsonSchema {
  const args = field.args.filter((arg) => !isReserved(arg.name))
  const required = args.filter(isRequiredArgument).map((arg) => arg.name)
  return {
    type: "object",
    properties: { ...Object.fromEntries(args.map((arg) => [arg.name, inputs.schemaOf(arg)])), ...select },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** Where only a sentence of each argument is shown, this is what tells what can be selected. */
const selectable = ({ on, fields }: Selectable): string => `Selectable of ${on}: ${boundedList(fields, shownCharsMax)}`

const selectSchema = ({ on }: FieldSelection, { example, fields }: Selectable): JsonSchema => ({
  type: "string",
  minLength: 1,
  maxLength: selectCharsMax,
  description: `A selection set on ${on} that replaces the default one, e.g. "${example}". Fields: ${boundedList(fields, fieldsCharsMax)}`,
})

/** A field may have an argument `select` of its own. */
function freeName(taken: readonly string[]): string {
  let name = "select"
  while (taken.includes(name)) name += "_"
  return name
}
