// Reads from a JSON Schema what the value at a path may be.
import { isRecord } from "./record.ts"
import type { JsonSchema } from "../tool.ts"

const reference = /"\$ref":"#\/\$defs\/([^"\\]+)"/g

/** The shared definitions that a schema's text names. Compilers write references in this one form, so that they are found without walking the schema. */
export const referencesIn = (text: string): string[] => [...text.matchAll(reference)].map((match) => match[1] ?? "")

export type Definitions = Readonly<Record<string, JsonSchema>>

/** Beyond that nobody knows what is meant. */
const partsMax = 500

/** The JSON types that a value may have; none where the schema does not say. */
export function typesOf(schema: JsonSchema | null, definitions: Definitions): Set<string> {
  const types = new Set<string>()
  for (const part of schema === null ? [] : partsOf(schema, definitions)) {
    const { type, enum: values } = part
    for (const one of Array.isArray(type) ? (type as unknown[]) : [type]) if (typeof one === "string") types.add(one)
    if (type === undefined) for (const value of Array.isArray(values) ? (values as unknown[]) : constOf(part)) types.add(typeName(value))
    if (type === undefined && asSchema(part["properties"]) !== null) types.add("object")
    if (type === undefined && asSchema(part["items"]) !== null) types.add("array")
  }
  return types
}

/** Null where nothing is said about it. A number as a segment is an item of a list. */
export function schemaAt(schema: JsonSchema | null, path: readonly string[], definitions: Definitions): JsonSchema | null {
  let here = schema
  for (const segment of path) {
    if (here === null) return null
    const found: JsonSchema[] = []
    for (const part of partsOf(here, definitions)) {
      const property = asSchema(ownOf(asSchema(part["properties"]), segment))
      const item = /^\d+$/.test(segment) ? asSchema(part["items"]) : null
      if (property !== null) found.push(property)
      else if (item !== null) found.push(item)
    }
    here = found.length > 1 ? { anyOf: found } : (found[0] ?? null)
  }
  return here
}

/** The schema itself, what it refers to, and the alternatives and parts it is made of; each once, however they refer to each other. */
export function partsOf(
  schema: JsonSchema,
  definitions: Definitions,
  keywords: readonly string[] = ["anyOf", "oneOf", "allOf"],
): JsonSchema[] {
  const parts = new Set([schema])
  for (const part of parts) {
    const next = keywords.flatMap((key) => (Array.isArray(part[key]) ? (part[key] as unknown[]) : []))
    for (const one of [referred(part, definitions), ...next]) {
      const found = asSchema(one)
      if (found !== null && parts.size < partsMax) parts.add(found)
    }
  }
  return [...parts]
}

/** Null where it refers to nothing that is there. */
export function referred(schema: JsonSchema, definitions: Definitions): unknown {
  const { $ref } = schema
  const name = typeof $ref === "string" ? /^#\/\$defs\/(.+)$/.exec($ref)?.[1] : undefined
  return name === undefined ? null : ownOf(definitions, decodeName(name))
}

const decodeName = (name: string): string => name.replaceAll("~1", "/").replaceAll("~0", "~")

const ownOf = (object: Readonly<Record<string, unknown>> | null, name: string): unknown =>
  object !== null && Object.hasOwn(object, name) ? object[name] : undefined

const constOf = (schema: JsonSchema): unknown[] => (Object.hasOwn(schema, "const") ? [schema["const"]] : [])

const asSchema = (value: unknown): JsonSchema | null => (isRecord(value) ? value : null)

const typeName = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)
