// Asks the questions of a form at the terminal, one after the other.
import type { Interaction } from "../../../core/execution.ts"
import type { FormField } from "../../../core/call/form.ts"
import { contentExample, formFields } from "./form-fields.ts"
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
  for (const field of fields) {
    const value = await askField(field, screen)
    if (value !== "") answers.push([field.name, value])
    else if (field.isRequired) throw new UsageError(`'${field.name}' is required`)
  }
  return Object.fromEntries(answers)
}

function unanswered(fields: readonly FormField[], example: string): UsageError {
  const quoted = (some: readonly FormField[]): string => some.map(({ name }) => `'${name}'`).join(", ")
  const required = fields.filter((field) => field.isRequired)
  const missing = required.length > 0 ? `${quoted(required)} must be answered` : `The form asks for ${quoted(fields) || "an answer"}`
  return new UsageError(`${missing}, but this is not a terminal. Pass ${example || "--content '{}'"}`)
}

async function askField({ name, title, description, kind, choices }: FormField, screen: Screen): Promise<unknown> {
  const message = [title ?? name, description].filter((one) => one !== null && one !== "").join(": ")
  if (kind !== "choices" && choices.length > 0) {
    const options = choices.map((choice) => ({ value: choice.value, label: choice.title }))
    return askChoice({ message, flag }, options, screen)
  }
  if (kind === "boolean") return askYesNo({ message, flag }, screen)
  const text = await askText({ message, flag }, screen)
  if (text === "" || kind !== "number") return text
  if (!Number.isFinite(Number(text))) throw new UsageError(`'${name}' must be a number`)
  return Number(text)
}
