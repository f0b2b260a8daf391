// Asks the questions of a form at the terminal, one after the other.
import type { Interaction } from "../../../core/execution.ts"
import type { JsonSchema } from "../../../core/tool.ts"
import { typesOf } from "../arguments/schema.ts"
import { contentExample, formFields } from "./form-fields.ts"
import type { FormField } from "./form-fields.ts"
import { askChoice, askText, askYesNo } from "./prompt.ts"
import type { Screen } from "../print/screen.ts"
import { UsageError } from "../usage-error.ts"

const flag = "--content, with the answers as JSON"

/** Undefined where nothing of it is a form. */
export async function askForm(interactions: readonly Interaction[], screen: Screen): Promise<Record<string, unknown> | undefined> {
  const form = interactions.find((one) => one.kind === "form")
  if (form === undefined) return undefined
  const fields = formFields(form)
  if (!screen.canPrompt) throw unanswered(fields, contentExample([form]))
  const answers: [string, unknown][] = []
  for (const { name, schema, isRequired } of fields) {
    const value = await askField(name, schema, screen)
    if (value !== "") answers.push([name, value])
    else if (isRequired) throw new UsageError(`'${name}' is required`)
  }
  return Object.fromEntries(answers)
}

function unanswered(fields: readonly FormField[], example: string): UsageError {
  const quoted = (some: readonly FormField[]): string => some.map(({ name }) => `'${name}'`).join(", ")
  const required = fields.filter((field) => field.isRequired)
  const missing = required.length > 0 ? `${quoted(required)} must be answered` : `The form asks for ${quoted(fields) || "an answer"}`
  return new UsageError(`${missing}, but this is not a terminal. Pass ${example || "--content '{}'"}`)
}

async function askField(name: string, schema: JsonSchema, screen: Screen): Promise<unknown> {
  const { title, description, enum: values } = schema
  const message = [title ?? name, description].filter((one) => typeof one === "string" && one !== "").join(": ")
  if (Array.isArray(values))
    return askChoice(
      { message, flag },
      (values as unknown[]).map((value) => ({ value, label: String(value) })),
      screen,
    )
  const types = typesOf(schema, {})
  if (types.has("boolean")) return askYesNo({ message, flag }, screen)
  const text = await askText({ message, flag }, screen)
  if (text === "" || !(types.has("number") || types.has("integer"))) return text
  if (!Number.isFinite(Number(text))) throw new UsageError(`'${name}' must be a number`)
  return Number(text)
}
