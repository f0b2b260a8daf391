// Checks what somebody writes about a tool besides its config: name, slug, description and schemas.
import { ExecutorError } from "../core/errors.ts"
import { isRecord } from "../core/json/record.ts"
import type { Limits } from "../core/limits.ts"
import type { ToolSchemas } from "../core/registry/tool.ts"
import type { JsonSchema } from "../core/tool.ts"

export const slugPattern = /^[a-z][a-z0-9_]{0,62}$/

/** Segments of `/tools/…`, and a name that would make a tool's proxy a thenable. */
const reservedWords: readonly string[] = ["schema", "search", "types", "evaluate", "builtins", "versions", "summary", "then"]

type SlugNoun = "tool" | "agent" | "artifact" | "pipeline"

export function checkSlug(slug: string, noun: SlugNoun): string {
  if (!slugPattern.test(slug))
    throw invalid(
      `slug: ${JSON.stringify(slug.slice(0, 80))} is not the slug of ${noun === "agent" || noun === "artifact" ? "an" : "a"} ${noun}; write up to 63 lower-case letters, digits and '_', beginning with a letter`,
    )
  if ((noun === "tool" || noun === "agent") && reservedWords.includes(slug))
    throw invalid(`slug: '${slug}' is reserved; choose another one, such as ${slug}_${noun}`)
  return slug
}

/** Made of a name, where it has letters for one. */
export function suggestSlug(name: string, noun: SlugNoun): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_0-9]+|_+$/g, "")
    .slice(0, 63)
  if (slug === "") throw invalid(`slug: none can be made of the name ${JSON.stringify(name.slice(0, 80))}; send one, such as my_${noun}`)
  return checkSlug(slug, noun)
}

export function checkName(text: string, limits: Limits): string {
  const name = text.trim()
  if (name === "" || name.length > limits.nameCharsMax || /\p{C}/u.test(name))
    throw invalid(`name must have 1 to ${limits.nameCharsMax} characters on one line`)
  return name
}

export function checkDescription(text: string, { descriptionCharsMax }: Limits): string {
  if (text.length > descriptionCharsMax) throw invalid(`description must have at most ${descriptionCharsMax} characters`)
  return text.trim()
}

export function checkSchemas(schema: unknown, limits: Limits): ToolSchemas {
  if (!isRecord(schema) || schema["input"] === undefined)
    throw invalid(
      'schema.input is required: write a JSON Schema such as { "type": "object", "properties": { "city": { "type": "string" } } }',
    )
  const unknownName = Object.keys(schema).find((name) => name !== "input" && name !== "output")
  if (unknownName !== undefined) throw invalid(`schema has no field '${unknownName.slice(0, 80)}'; it takes input and output`)
  if (Buffer.byteLength(JSON.stringify(schema)) > limits.registrySchemaBytesMax)
    throw new ExecutorError("payload_too_large", `schema is larger than ${limits.registrySchemaBytesMax} bytes; describe less of it`)
  const input = checkSchema("schema.input", schema["input"], limits)
  if (input["type"] !== undefined && input["type"] !== "object")
    throw invalid('schema.input.type must be "object", because a tool is called with named arguments')
  const output =
    schema["output"] === undefined || schema["output"] === null ? {} : { output: checkSchema("schema.output", schema["output"], limits) }
  return { input, ...output }
}

const typeNames = ["string", "number", "integer", "boolean", "object", "array", "null"]
/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const schemaKeywords = ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"]
const listKeywords = ["anyOf", "oneOf", "allOf", "prefixItems"]
const mapKeywords = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]

function checkSchema(place: string, schema: unknown, limits: Limits): JsonSchema {
  if (!isRecord(schema)) throw invalid(`${place} must be a JSON Schema, which is an object`)
  let nodes = 0
  const walk = (value: unknown, at: string, depth: number): void => {
    if (typeof value === "boolean") return
    if (!isRecord(value)) throw invalid(`${at} must be a JSON Schema: an object, true or false`)
    nodes += 1
    if (depth > limits.schemaDepthMax || nodes > limits.schemaNodesMax)
      throw invalid(
        `${place} is larger or deeper than ${limits.schemaNodesMax} schemas in ${limits.schemaDepthMax} levels; describe less of it`,
      )
    checkKeywords(value, at)
    for (const key of schemaKeywords) if (value[key] !== undefined) walk(value[key], `${at}.${key}`, depth + 1)
    for (const key of listKeywords)
      for (const [index, one] of asList(value[key], `${at}.${key}`).entries()) walk(one, `${at}.${key}.${index}`, depth + 1)
    for (const key of mapKeywords)
      for (const [name, one] of asEntries(value[key], `${at}.${key}`)) walk(one, `${at}.${key}.${name}`, depth + 1)
  }
  walk(schema, place, 0)
  return schema
}

function checkKeywords({ type, required, $ref, pattern }: JsonSchema, at: string): void {
  const types = Array.isArray(type) ? (type as unknown[]) : type === undefined ? [] : [type]
  const wrongType = types.find((one) => !typeNames.some((name) => name === one))
  if (wrongType !== undefined) throw invalid(`${at}.type: ${JSON.stringify(wrongType).slice(0, 80)} is not one of ${typeNames.join(", ")}`)
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string")))
    throw invalid(`${at}.required must be a list of names`)
  if ($ref !== undefined && !(typeof $ref === "string" && $ref.startsWith("#")))
    throw invalid(`${at}.$ref must begin with #: other documents are not read`)
  if (pattern !== undefined && !isPattern(pattern)) throw invalid(`${at}.pattern must be a regular expression`)
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === "string" && new RegExp(pattern, "u") instanceof RegExp
  } catch {
    return false
  }
}

function asList(value: unknown, at: string): unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw invalid(`${at} must be a list of schemas`)
}

function asEntries(value: unknown, at: string): [string, unknown][] {
  if (value === undefined) return []
  if (isRecord(value)) return Object.entries(value)
  throw invalid(`${at} must be an object of schemas`)
}

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
