// Reads a query string into the names and types that a route's schema states.
import { z } from "zod"
import { ExecutorError } from "../../../core/errors.ts"

type Kind = "text" | "integer" | "boolean"
type Key = { readonly name: string; readonly kind: Kind }

/** Every spelling that is accepted, camelCase as documented and snake_case as well. */
export type QueryKeys = ReadonlyMap<string, Key>

export function queryKeys(schema: z.ZodObject): QueryKeys {
  const keys = new Map<string, Key>()
  for (const [name, property] of Object.entries(z.toJSONSchema(schema, { io: "input" }).properties ?? {})) {
    const type = typeof property === "object" ? property.type : undefined
    const key: Key = { name, kind: type === "integer" || type === "boolean" ? type : "text" }
    keys.set(name, key)
    keys.set(snakeCase(name), key)
  }
  return keys
}

/** Values stay text where they do not fit their type, so that the schema's message names the field. */
export function readQuery(keys: QueryKeys, search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (search === "") return query
  for (const [spelling, text] of new URLSearchParams(search)) {
    const key = keys.get(spelling)
    if (key === undefined) throw unknownKey(spelling, keys)
    if (Object.hasOwn(query, key.name)) throw new ExecutorError("invalid_request", `The query parameter '${key.name}' was given twice`)
    query[key.name] = convert(text, key.kind)
  }
  return query
}

function convert(text: string, kind: Kind): string | number | boolean {
  if (kind === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (kind === "boolean" && (text === "true" || text === "1")) return true
  if (kind === "boolean" && (text === "false" || text === "0")) return false
  return text
}

function unknownKey(spelling: string, keys: QueryKeys): ExecutorError {
  const names = [...new Set([...keys.values()].map((key) => key.name))]
  const hint = names.length === 0 ? "this path takes none" : `it takes ${names.join(", ")}`
  return new ExecutorError("invalid_request", `Unknown query parameter ${JSON.stringify(spelling.slice(0, 80))}; ${hint}`)
}

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
