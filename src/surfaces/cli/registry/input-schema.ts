// Makes the input schema of a tool out of parameters in short form.
import { isRecord } from "../../../core/json/record.ts"
import type { JsonSchema } from "../../../core/tool.ts"
import { UsageError } from "../usage-error.ts"

export type Parameter = {
  readonly name: string
  readonly type: string
  /** Null where nothing was said. */
  readonly required: boolean | null
  readonly description: string | null
}

const types = ["string", "number", "integer", "boolean", "object", "array"]

/** `name`, `name:type`, `name:type:required`, each with `:description` behind it. */
export function parseParameter(text: string): Parameter {
  const [name = "", type = "string", ...rest] = text.split(":")
  if (name === "" || /\s/.test(name)) throw new UsageError(`--param takes name:type, e.g. 'city:string:required:The city', not '${text}'`)
  if (!types.includes(type)) throw new UsageError(`--param ${name}: the type must be one of ${types.join(", ")}, not '${type}'`)
  const isSaid = rest[0] === "required" || rest[0] === "optional"
  const description = (isSaid ? rest.slice(1) : rest).join(":").trim()
  return { name, type, required: isSaid ? rest[0] === "required" : null, description: description === "" ? null : description }
}

/** The names in braces. */
export const placeholdersOf = (url: string): string[] => [...new Set([...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name))]

/** What a request cannot be made without is required; everything else only where it is said. */
export function extendSchema(before: JsonSchema, parameters: readonly Parameter[], placeholders: readonly string[]): JsonSchema {
  const properties = new Map(Object.entries(isRecord(before["properties"]) ? before["properties"] : {}))
  const required = new Set(Array.isArray(before["required"]) ? (before["required"] as unknown[]) : [])
  for (const { name, type, required: isRequired, description } of parameters) {
    properties.set(name, { type, ...(description === null ? {} : { description }) })
    if (isRequired === true) required.add(name)
    if (isRequired === false) required.delete(name)
  }
  for (const name of placeholders) {
    if (properties.has(name) && required.has(name)) continue
    const isSaidOptional = parameters.some((one) => one.name === name && one.required === false)
    if (isSaidOptional) throw new UsageError(`--param ${name}: it stands in the URL, so it cannot be optional`)
    if (!properties.has(name)) properties.set(name, { type: "string" })
    required.add(name)
  }
  const { required: _required, ...rest } = before
  return { ...rest, properties: Object.fromEntries(properties), ...(required.size === 0 ? {} : { required: [...required] }) }
}

/** Misspelt arguments are refused instead of being sent. */
export const closedSchema: JsonSchema = { type: "object", properties: {}, additionalProperties: false }
