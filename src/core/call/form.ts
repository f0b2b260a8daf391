// Reads the JSON Schema of a form into the fields that a human fills in; surfaces only show them.
import { isRecord } from "../json/record.ts"
import { schemaAt, typesOf } from "../json/schema.ts"
import type { JsonSchema } from "../tool.ts"

export type FormChoice = { readonly value: unknown; readonly title: string }

export type FormField = {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly isRequired: boolean
  /** `choices`: several of a list. `json`: none of the others. */
  readonly kind: "boolean" | "number" | "text" | "choices" | "json"
  /** Of a plain field, or of the items of a list; none where every value is fine. */
  readonly choices: readonly FormChoice[]
  readonly schema: JsonSchema
}

/** Null where the schema is not that of an object with properties. */
export function readForm(schema: unknown): FormField[] | null {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return null
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(schema["properties"]).map(([name, field]) => readField(name, isRecord(field) ? field : {}, required.includes(name)))
}

function readField(name: string, schema: JsonSchema, isRequired: boolean): FormField {
  const types = typesOf(schema, {})
  const items = types.has("array") ? itemsOf(schema) : null
  const choices = choicesOf(items ?? schema)
  const has = (...some: readonly string[]): boolean => some.some((type) => types.has(type))
  const plain = has("boolean") ? "boolean" : has("number", "integer") ? "number" : has("string") || choices.length > 0 ? "text" : "json"
  const kind = items === null ? plain : choices.length > 0 ? "choices" : "json"
  return { name, title: text(schema["title"]), description: text(schema["description"]), isRequired, kind, choices, schema }
}

export const itemsOf = (schema: JsonSchema): JsonSchema | null => schemaAt(schema, ["0"], {})

/** `enum`, `enum` with `enumNames`, or `oneOf`/`anyOf` of constants with titles. */
export function choicesOf(schema: JsonSchema): FormChoice[] {
  const options: unknown = schema["oneOf"] ?? schema["anyOf"]
  const titled = (Array.isArray(options) ? (options as unknown[]) : []).map((one) => (isRecord(one) && "const" in one ? one : null))
  if (titled.length > 0 && !titled.includes(null)) return titled.map((one) => toChoice(one?.["const"], one?.["title"]))
  const names: readonly unknown[] = Array.isArray(schema["enumNames"]) ? schema["enumNames"] : []
  return Array.isArray(schema["enum"]) ? schema["enum"].map((value: unknown, at) => toChoice(value, names[at])) : []
}

const toChoice = (value: unknown, title: unknown): FormChoice => ({ value, title: text(title) ?? String(value) })
const text = (value: unknown): string | null => (typeof value === "string" ? value : null)
