// Settles what one keyword means for others beside it: exclusive bounds and `nullable` of older dialects, and what no value could satisfy.
import { isRecord } from "../../../../core/json/record.ts"
import type { SchemaObject } from "./keywords.ts"

const bounds = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const

/** `minimum: 1, exclusiveMinimum: true` is `exclusiveMinimum: 1`. */
export function settleBounds(out: SchemaObject): void {
  for (const [exclusive, inclusive] of bounds) {
    if (typeof out[exclusive] !== "boolean") continue
    if (out[exclusive] && out[inclusive] !== undefined) {
      out[exclusive] = out[inclusive]
      delete out[inclusive]
    } else delete out[exclusive]
  }
}

/** YAML reads `enum: [1, 2]` below `type: string` as numbers, and no argument could ever satisfy both. */
export function settleEnum(out: SchemaObject): void {
  if (!Array.isArray(out.enum) || out.type === undefined) return
  const types = new Set<unknown>([out.type].flat())
  types.delete("null")
  const values: unknown[] = out.enum
  if (types.size === 1 && types.has("string")) out.enum = values.map(asText)
  else if (types.size === 1 && types.has("boolean")) out.enum = values.map(asBoolean)
  else if ([...types].every((type) => type === "integer" || type === "number")) out.enum = values.map(asNumber)
  if ((out.enum as unknown[]).some((value) => [...types].some((type) => isOfType(value, type)))) return
  if (types.size === 1 && types.has("array")) listItems(out)
  // The values are what the author had in mind.
  else delete out.type
}

/** Authors who list the values of an array mean those of its items. */
function listItems(out: SchemaObject): void {
  const items = out.items
  if (typeof items === "object" && items !== null && "enum" in items) return
  out.items = { ...(typeof items === "object" ? items : {}), enum: out.enum }
  delete out.enum
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value)
  if (type === "array") return Array.isArray(value)
  if (type === "object") return isRecord(value)
  return typeof value === type
}

const asBoolean = (value: unknown): unknown => (value === "true" ? true : value === "false" ? false : value)

const asText = (value: unknown): unknown => (typeof value === "number" || typeof value === "boolean" ? String(value) : value)

const asNumber = (value: unknown): unknown =>
  typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value

/** With a discriminator it is a property that tells which alternative is meant, and a value may well fit others too. */
export function settleDiscriminator(out: SchemaObject): void {
  if (out.oneOf === undefined || out.anyOf !== undefined) return
  out.anyOf = out.oneOf
  delete out.oneOf
}

/** In a closed object a name that is demanded but not listed could never be given. */
export function settleRequired(out: SchemaObject): void {
  if (out.additionalProperties !== false || !Array.isArray(out.required) || out.patternProperties !== undefined) return
  const listed = typeof out.properties === "object" && out.properties !== null ? out.properties : {}
  const required = out.required.filter((name) => typeof name === "string" && Object.hasOwn(listed, name))
  if (required.length > 0) out.required = required
  else delete out.required
}

const combiners = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "const"] as const
const annotations = ["title", "description", "default", "deprecated", "readOnly", "writeOnly"] as const

/** `nullable: true` adds null to whatever the schema accepts. */
export function settleNullable(out: SchemaObject): SchemaObject {
  const used = combiners.filter((keyword) => out[keyword] !== undefined)
  if (used.length === 1 && Array.isArray(out.anyOf) && out.type === undefined && out.enum === undefined) {
    out.anyOf = [...(out.anyOf as unknown[]), { type: "null" }]
    return out
  }
  if (used.length > 0) return nullUnion(out)
  if (out.type !== undefined) {
    const types = [out.type].flat()
    if (!types.includes("null")) out.type = [...types, "null"]
  }
  if (Array.isArray(out.enum) && !out.enum.includes(null)) out.enum = [...(out.enum as unknown[]), null]
  return out
}

function nullUnion(out: SchemaObject): SchemaObject {
  const union: SchemaObject = {}
  for (const keyword of annotations) {
    if (out[keyword] === undefined) continue
    union[keyword] = out[keyword]
    delete out[keyword]
  }
  union.anyOf = [out, { type: "null" }]
  return union
}
