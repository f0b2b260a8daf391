// Describes a plugin's schema as JSON Schema, as far as its library can; the schema itself checks every call anyway.
import { ExecutorError } from "../core/errors.ts"
import type { JsonSchema } from "../core/tool.ts"
import type { StandardSchema } from "./standard-schema.ts"

const target = "draft-2020-12"

/** What dates, maps, big integers and transformations cannot be said as is left open, in the words of zod and of valibot. */
const libraryOptions = { unrepresentable: "any", errorMode: "ignore" }

/** An object of anything where the library has no JSON Schema for it. */
export function inputJsonSchema(schema: StandardSchema, place: string): JsonSchema {
  const written = withType(convert(schema, "input") ?? {})
  if (!isObjectSchema(written)) throw new ExecutorError("invalid_request", `${place} must describe an object: arguments are passed by name`)
  return written
}

/** Null where the library has no JSON Schema for it. */
export const outputJsonSchema = (schema: StandardSchema): JsonSchema | null => convert(schema, "output")

function convert(schema: StandardSchema, side: "input" | "output"): JsonSchema | null {
  const { jsonSchema } = schema["~standard"]
  if (jsonSchema === undefined) return null
  try {
    // As text and back: what it shares with the author's objects cannot be changed later.
    const written: unknown = JSON.parse(JSON.stringify(jsonSchema[side]({ target, libraryOptions })))
    if (typeof written !== "object" || written === null || Array.isArray(written)) return null
    const { $schema: _, ...rest } = written as JsonSchema // just checked to be an object
    return rest
  } catch {
    return null
  }
}

/** What says nothing about its type is an object, because arguments are passed by name. */
const withType = (schema: JsonSchema): JsonSchema =>
  schema["type"] === undefined && !isObjectSchema(schema) && schema["enum"] === undefined && schema["const"] === undefined
    ? { ...schema, type: "object" }
    : schema

/** Unions and intersections of objects are objects as well. */
function isObjectSchema(schema: JsonSchema): boolean {
  if (schema["type"] !== undefined) return schema["type"] === "object"
  return ["properties", "anyOf", "oneOf", "allOf", "$ref"].some((keyword) => schema[keyword] !== undefined)
}
