// The form of a tool and its arguments as JSON, each of which follows the other.
import type { FormField } from "../../../../../src/core/call/form.ts"
import { readForm } from "../../../../../src/core/call/form.ts"
import { isRecord } from "../../../../../src/core/json/record.ts"
import { readField } from "../../inbox/typed.ts"
import type { Problems, Typed } from "../../inbox/typed.ts"

export type Args = Readonly<Record<string, unknown>>
export type Read = { readonly args: Args } | { readonly problem: string }

export function readArgs(text: string): Read {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { args: value } : { problem: 'Write a JSON object, such as {"name": "tea"}' }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "This is not JSON" }
  }
}

/** What the form shows for these arguments. */
export function typedOf(schema: unknown, args: Args): Typed {
  const fields = readForm(schema) ?? []
  return Object.fromEntries(
    fields.map((field) => [field.name, Object.hasOwn(args, field.name) ? shown(field, args[field.name]) : emptyOf(field)]),
  )
}

/** What a tool would take by default is not sent unless somebody chooses it. */
const emptyOf = ({ kind }: FormField): Typed[string] => (kind === "boolean" ? false : kind === "choices" ? [] : "")

function shown({ kind }: FormField, value: unknown): Typed[string] {
  if (kind === "boolean") return value === true
  if (kind === "choices") return Array.isArray(value) ? value.map(String) : []
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** The arguments after something was typed: fields that cannot be read keep what they were, and what the form does not show stays. */
export function argsOf(schema: unknown, typed: Typed, before: Args): { readonly args: Args; readonly problems: Problems } {
  const args: Record<string, unknown> = { ...before }
  const problems: Record<string, string> = {}
  for (const field of readForm(schema) ?? []) {
    const given = typed[field.name] ?? ""
    if (isLeftOut(field, given, before)) {
      Reflect.deleteProperty(args, field.name)
      if (field.isRequired) problems[field.name] = "This is required."
      continue
    }
    const read = readField(field, given)
    if ("problem" in read) problems[field.name] = read.problem
    else Object.defineProperty(args, field.name, { value: read.value, enumerable: true, configurable: true, writable: true })
  }
  return { args, problems }
}

function isLeftOut({ name, kind, isRequired }: FormField, given: Typed[string], before: Args): boolean {
  if (kind === "boolean") return given === false && !isRequired && !Object.hasOwn(before, name)
  if (kind === "choices") return Array.isArray(given) && given.length === 0 && !isRequired
  return given === "" && before[name] !== ""
}

/** The same call as code. */
export const codeOf = (path: string, args: Args): string => `return await tools[${JSON.stringify(path)}](${JSON.stringify(args, null, 2)})`
