// Says in JSON Schema what a plugin's schema takes, as far as its library can.
import { ExecutorError } from "../core/errors.ts"
import type { JsonSchema } from "../core/tool.ts"
import type { StandardSchema } from "./standard-schema.ts"

const target = "draft-2020-12"

/** An object of anything where the library has no JSON Schema: the schema itself still checks every call. */
export function inputJsonSchema(schema: StandardSchema, place: string): JsonSchema {
  const written = convert(schema, "input", place) ?? { type: "object" }
  if (!isObjectSchema(written)) throw new ExecutorError("invalid_request", `${place} must describe an object: arguments are passed by name`)
  return written
}

/** Null where the library has no JSON Schema. */
export const outputJsonSchema = (schema: StandardSchema, place: string): JsonSchema | null => convert(schema, "output", place)

function convert(schema: StandardSchema, side: "input" | "output", place: string): JsonSchema | null {
  const { jsonSchema } = schema["~standard"]
  if (jsonSchema === undefined) return null
  try {
    // As text and back: what it shares with the author's objects cannot be changed later.
    const { $schema: _, ...written } = JSON.parse(JSON.stringify(jsonSchema[side]({ target }))) as JsonSchema // the standard says that it is an object
    return written
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ExecutorError("invalid_request", `${place} cannot be written as JSON Schema: ${reason.slice(0, 300)}`)
  }
}

/** Unions and intersections of objects are objects as well. */
function isObjectSchema(schema: JsonSchema): boolean {
  if (schema["type"] !== undefined) return schema["type"] === "object"
  return ["properties", "anyOf", "oneOf", "allOf", "$ref"].some((keyword) => schema[keyword] !== undefined)
}
