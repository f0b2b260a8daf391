// How a parsed document is read without trusting it: every name in it is data, also `__proto__` and `constructor`.
import { isRecord } from "../core/json/record.ts"

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject: (value: unknown) => value is JsonObject = isRecord

/** Reads a name that a stranger chose; inherited members are not part of a document. */
export const own = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

export const objectAt = (object: JsonObject, name: string): JsonObject | null => {
  const value = own(object, name)
  return isObject(value) ? value : null
}

export const listAt = (object: JsonObject, name: string): readonly unknown[] => {
  const value = own(object, name)
  return Array.isArray(value) ? value : []
}

export const textAt = (object: JsonObject, name: string): string | null => {
  const value = own(object, name)
  return typeof value === "string" ? value : null
}

/** Assigning to `__proto__` would replace the prototype instead of adding a member. */
export function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

/** Text for a table or a model: well-formed, without NUL (which PostgreSQL refuses), and of bounded length. */
export function boundedText(value: unknown, charsMax: number): string {
  if (typeof value !== "string") return ""
  const text = value.replaceAll("\u0000", "").trim()
  return (text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`).toWellFormed()
}
