// Settles what one keyword of an older dialect means for others beside it: exclusive bounds, `nullable`, enums of the wrong type.
import type { SchemaObject } from "./schema-keywords.ts"

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
  else if ([...types].every((type) => type === "integer" || type === "number")) out.enum = values.map(asNumber)
}

const asText = (value: unknown): unknown => (typeof value === "number" || typeof value === "boolean" ? String(value) : value)

const asNumber = (value: unknown): unknown =>
  typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value

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
