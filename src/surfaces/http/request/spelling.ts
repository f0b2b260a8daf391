// Reads the fields of a body in both spellings, camelCase as documented and snake_case.
import { z } from "zod"
import { ExecutorError } from "../../../core/errors.ts"
import { isRecord } from "../../../core/json/record.ts"
import { snakeCase } from "./query.ts"

/** The documented name of each other spelling. */
export type Spellings = ReadonlyMap<string, string>

export function bodySpellings(schema: z.ZodType): Spellings {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return new Map(names.map((name) => [snakeCase(name), name]))
}

/** Only the fields of the body itself: what is in them belongs to others. */
export function readSpellings(spellings: Spellings, body: unknown): unknown {
  if (!isRecord(body)) return body
  const read = new Map<string, unknown>()
  for (const [spelling, value] of Object.entries(body)) {
    const name = spellings.get(spelling) ?? spelling
    if (read.has(name)) throw new ExecutorError("invalid_request", `The field '${name}' was given twice`)
    read.set(name, value)
  }
  // `fromEntries` defines properties instead of assigning them, so that `__proto__` stays plain data.
  return Object.fromEntries(read)
}
