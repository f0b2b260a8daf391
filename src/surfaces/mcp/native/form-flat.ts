// Whether a form is simple enough for clients: they show flat objects of plain fields and choices.
import { isRecord } from "../../../core/json/record.ts"

const plainTypes = new Set(["string", "number", "integer", "boolean"])
const formKeys = new Set(["$schema", "type", "title", "description", "properties", "required", "additionalProperties"])

export function isFlatForm(schema: unknown): schema is { type: "object"; properties: Record<string, unknown> } {
  if (!isRecord(schema) || schema["type"] !== "object" || !isRecord(schema["properties"])) return false
  return Object.keys(schema).every((key) => formKeys.has(key)) && Object.values(schema["properties"]).every(isPlainField)
}

function isPlainField(field: unknown): boolean {
  if (!isRecord(field) || "$ref" in field) return false
  if (field["type"] === "array") return isChoice(field["items"])
  return typeof field["type"] === "string" && plainTypes.has(field["type"]) && !("anyOf" in field) && !("allOf" in field)
}

/** Several of a list of texts, plain or with titles. */
const isChoice = (items: unknown): boolean =>
  isRecord(items) && (Array.isArray(items["enum"]) || Array.isArray(items["anyOf"]) || Array.isArray(items["oneOf"]))
