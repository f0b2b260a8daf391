// Whether a form is simple enough for clients: they show flat objects of plain fields and choices.
import { readForm } from "../../../core/call/form.ts"
import type { FormField } from "../../../core/call/form.ts"
import { isRecord } from "../../../core/json/record.ts"

const formKeys = new Set(["$schema", "type", "title", "description", "properties", "required", "additionalProperties"])

export function isFlatForm(schema: unknown): schema is { type: "object"; properties: Record<string, unknown> } {
  const fields = readForm(schema)
  if (fields === null || !isRecord(schema) || schema["type"] !== "object") return false
  return Object.keys(schema).every((key) => formKeys.has(key)) && fields.every(isPlainField)
}

const isPlainField = ({ kind, schema }: FormField): boolean =>
  kind !== "json" && typeof schema["type"] === "string" && ["$ref", "anyOf", "allOf"].every((key) => !(key in schema))
