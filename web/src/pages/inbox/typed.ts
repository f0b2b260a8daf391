// What is typed into a tool's form: how it begins, what is wrong with it, and the answer that it makes.
import type { FormField } from "../../../../src/core/call/form.ts"
import { readForm } from "../../../../src/core/call/form.ts"
import { isRecord } from "../../../../src/core/json/record.ts"

/** What was typed, by the name of the field; the whole answer as JSON is under the empty name. */
export type Typed = Readonly<Record<string, string | boolean | readonly string[]>>

export function startTyped(schema: unknown): Typed {
  const fields = readForm(schema)
  if (fields === null) return { "": "{}" }
  return Object.fromEntries(fields.map(({ name, kind, schema: one }) => [name, presetOf(kind, one["default"])]))
}

function presetOf(kind: FormField["kind"], preset: unknown): string | boolean | readonly string[] {
  if (kind === "boolean") return preset === true
  if (kind === "choices") return Array.isArray(preset) ? preset.map(String) : []
  return preset === undefined ? "" : typeof preset === "string" ? preset : JSON.stringify(preset)
}

export type Problems = Readonly<Record<string, string>>

/** The answer, or what is wrong by field. */
export function readTyped(schema: unknown, typed: Typed): { readonly content: unknown } | { readonly problems: Problems } {
  const fields = readForm(schema)
  if (fields === null) {
    const content = parse(String(typed[""]))
    return content === undefined || !isRecord(content) ? { problems: { "": "This is not a JSON object." } } : { content }
  }
  const problems: Record<string, string> = {}
  const content: Record<string, unknown> = {}
  for (const field of fields) {
    const given = typed[field.name] ?? ""
    if (given === "") {
      if (field.isRequired) problems[field.name] = "This is required."
      continue
    }
    const read = readField(field, given)
    if ("problem" in read) problems[field.name] = read.problem
    else Object.defineProperty(content, field.name, { value: read.value, enumerable: true, configurable: true, writable: true })
  }
  return Object.keys(problems).length > 0 ? { problems } : { content }
}

export function readField(field: FormField, given: Typed[string]): { readonly value: unknown } | { readonly problem: string } {
  const value = valueOf(field, given)
  const problem = problemOf(field, value)
  return problem === null ? { value } : { problem }
}

function valueOf({ kind, choices }: FormField, given: Typed[string]): unknown {
  if (typeof given !== "string") return given
  const choice = choices.find(({ value }) => String(value) === given)
  if (choice !== undefined) return choice.value
  if (kind === "number") return Number.isFinite(Number(given)) ? Number(given) : undefined
  return kind === "json" ? parse(given) : given
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The server checks everything; here is what people get wrong, in words. */
function problemOf({ kind, schema }: FormField, value: unknown): string | null {
  if (value === undefined) return kind === "number" ? "This must be a number." : "This is not valid JSON."
  if (typeof value === "number") return numberProblem(schema, value)
  return typeof value === "string" && kind === "text" ? textProblem(schema, value) : null
}

function numberProblem(schema: FormField["schema"], value: number): string | null {
  const { type, minimum, maximum } = schema
  if (type === "integer" && !Number.isInteger(value)) return "This must be a whole number."
  if (typeof minimum === "number" && value < minimum) return `This must be at least ${minimum}.`
  return typeof maximum === "number" && value > maximum ? `This must be at most ${maximum}.` : null
}

function textProblem(schema: FormField["schema"], value: string): string | null {
  const { minLength, maxLength, format } = schema
  if (typeof minLength === "number" && value.length < minLength) return `This must have at least ${minLength} characters.`
  if (typeof maxLength === "number" && value.length > maxLength) return `This must have at most ${maxLength} characters.`
  if (format === "email" && !/^[^\s@]+@[^\s@]+$/.test(value)) return "This must be an email address, such as ann@example.com."
  return format === "uri" && !URL.canParse(value) ? "This must be a web address that starts with https://." : null
}
