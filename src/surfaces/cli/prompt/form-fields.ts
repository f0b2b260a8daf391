// What a form asks for, as lines to read and as an example to fill in.
import type { Interaction } from "../../../core/execution.ts"
import { choicesOf, itemsOf, readForm } from "../../../core/call/form.ts"
import type { FormField } from "../../../core/call/form.ts"
import { typesOf } from "../../../core/json/schema.ts"
import type { JsonSchema } from "../../../core/tool.ts"
import { safeJson, safeLine } from "../../../core/text/safe.ts"
import { padText, textWidth } from "../print/width.ts"

/** None where it is no form. */
export const formFields = ({ kind, requestedSchema }: Pick<Interaction, "kind" | "requestedSchema">): FormField[] =>
  kind === "form" ? (readForm(requestedSchema) ?? []) : []

/** A line each: name, type, whether it must be answered, and what it means. */
export function fieldLines(fields: readonly FormField[]): string[] {
  const rows = fields.map((field) => [
    safeLine(field.name),
    `${typeText(field.schema)}${field.isRequired ? ", required" : ""}`,
    about(field),
  ])
  const widthOf = (at: number): number => Math.max(0, ...rows.map((row) => textWidth(row[at] ?? "")))
  return rows.map(([name = "", type = "", text = ""]) => `${padText(name, widthOf(0))}  ${padText(type, widthOf(1))}  ${text}`.trimEnd())
}

const about = ({ name, title, description }: FormField): string =>
  safeLine([title, description].filter((one) => one !== null && one !== "" && one !== name).join(": "))

function typeText(schema: JsonSchema): string {
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices.map(({ value }) => safeJson(value)).join(" or ")
  const items = itemsOf(schema)
  if (items !== null) return `list of ${typeText(items)}`
  return safeLine([...typesOf(schema, {})].join(" or ")) || "anything"
}

/** `--content '{…}'` with what must be answered, or else with everything; empty where nothing is a form. */
export function contentExample(interactions: readonly Pick<Interaction, "kind" | "requestedSchema">[]): string {
  const fields = interactions.map(formFields).find((some) => some.length > 0) ?? []
  if (fields.length === 0) return ""
  const required = fields.filter((field) => field.isRequired)
  const example = Object.fromEntries((required.length > 0 ? required : fields).map(({ name, schema }) => [name, exampleOf(schema)]))
  return `--content ${shellQuoted(safeJson(example))}`
}

/** Names and values are a stranger's, and the line is there to be pasted. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function exampleOf(schema: JsonSchema): unknown {
  if (schema["default"] !== undefined) return schema["default"]
  const [first] = choicesOf(schema)
  if (first !== undefined) return first.value
  const items = itemsOf(schema)
  if (items !== null) return [exampleOf(items)]
  const types = typesOf(schema, {})
  if (types.has("boolean")) return true
  if (types.has("number") || types.has("integer")) return typeof schema["minimum"] === "number" ? schema["minimum"] : 1
  return "…"
}
