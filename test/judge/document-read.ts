// Reads a document for the judge, without what Prism stumbles over and no request depends on.
import { CORE_SCHEMA, loadAll, mergeTag } from "js-yaml"
import { isRecord, plainPattern } from "./arguments-schema.ts"
import { pruneDocument } from "./document-prune.ts"

export function readDocument(text: string): Record<string, unknown> {
  const value: unknown = /^\s*\{/.test(text) ? JSON.parse(text) : loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag), json: true })[0]
  if (!isRecord(value)) throw new Error("The document is not an object")
  return pruneDocument(completeSwagger(simplify(value) as Record<string, unknown>)) // an object stays one
}

/** Members of these are names that an author chose, so that `example` is no keyword there. */
const namedMembers: ReadonlySet<string> = new Set(["properties", "patternProperties", "definitions", "schemas", "parameters", "paths"])

/**
 * Without examples, which hold `$ref`s of their own world that Prism would follow and not find, and without what Prism's validator
 * refuses: it then passes whatever comes, and says nothing.
 */
function simplify(value: unknown, parent = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => simplify(item))
  if (!isRecord(value)) return value
  if (namedMembers.has(parent)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, simplify(member)]))
  const kept = Object.entries(value).filter(([key]) => key !== "example" && key !== "examples" && isUsable(key, value))
  return Object.fromEntries(kept.map(([key, member]) => [key, simplifyMember(key, member)]))
}

function simplifyMember(key: string, member: unknown): unknown {
  if (key === "enum") return withoutRepeats(member)
  return key === "pattern" && typeof member === "string" ? plainPattern(member) : simplify(member, key)
}

function isUsable(key: string, schema: Record<string, unknown>): boolean {
  if (key === "nullable") return schema["type"] !== undefined
  if (key !== "pattern" || typeof schema[key] !== "string") return true
  try {
    return new RegExp(schema[key], "u") instanceof RegExp
  } catch {
    return false
  }
}

const withoutRepeats = (values: unknown): unknown =>
  Array.isArray(values)
    ? values.filter((value, index) => values.findIndex((other) => JSON.stringify(other) === JSON.stringify(value)) === index)
    : values

/** Swagger 2.0 may be silent about media types, which everyone takes for JSON or a form, and Prism for "no body at all". */
function completeSwagger(document: Record<string, unknown>): Record<string, unknown> {
  if (document["swagger"] === undefined || document["consumes"] !== undefined) return document
  for (const item of Object.values(isRecord(document["paths"]) ? document["paths"] : {})) {
    for (const operation of Object.values(isRecord(item) ? item : {})) {
      if (!isRecord(operation) || operation["consumes"] !== undefined) continue
      const fields = [operation["parameters"]].flat().filter((parameter) => isRecord(parameter) && parameter["in"] === "formData")
      if (fields.length === 0) continue
      const hasFile = fields.some((field) => isRecord(field) && field["type"] === "file")
      operation["consumes"] = [hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"]
    }
  }
  return { ...document, consumes: ["application/json"] }
}
