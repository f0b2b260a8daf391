// Asks the questions of a form at the terminal, one after the other.
import type { Interaction } from "../../core/execution.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { typesOf } from "./arg-schema.ts"
import { askChoice, askText, askYesNo } from "./prompt.ts"
import type { Screen } from "./screen.ts"
import { UsageError } from "./usage-error.ts"

const flag = "--content, with the answers as JSON"

/** Undefined where nothing of it is a form. */
export async function askForm(interactions: readonly Interaction[], screen: Screen): Promise<Record<string, unknown> | undefined> {
  const form = interactions.find((one) => one.kind === "form")
  if (form === undefined) return undefined
  const { properties, required } = (form.requestedSchema ?? {}) as { properties?: Record<string, JsonSchema>; required?: string[] } // checked where it is asked
  const answers: [string, unknown][] = []
  for (const [name, schema] of Object.entries(properties ?? {})) {
    const value = await askField(name, schema, screen)
    if (value !== "") answers.push([name, value])
    else if (required?.includes(name) === true) throw new UsageError(`'${name}' must be answered`)
  }
  return Object.fromEntries(answers)
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
