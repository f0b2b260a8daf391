// Makes arguments of what a model wrote: whatever its schema allows no doubt about is put right, everything else stays.
import { jsonrepair } from "jsonrepair"
import { isDeeperThan } from "../../core/json/depth.ts"
import { isRecord } from "../../core/json/record.ts"
import { referred } from "../../core/json/schema.ts"
import type { Definitions } from "../../core/json/schema.ts"
import type { Limits } from "../../core/limits.ts"
import type { JsonSchema } from "../../core/tool.ts"

export type Coerced =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string }

/** What models also call `query`. */
const queryAliases = ["q", "text", "input", "question", "search"] as const

export function coerceInput(text: string, schema: JsonSchema, { argsDepthMax }: Pick<Limits, "argsDepthMax">): Coerced {
  const parsed = parse(text)
  if (!parsed.ok) return parsed
  const unwrapped = unwrap(parsed.value)
  const tooDeep = { ok: false, message: `The arguments are nested deeper than ${argsDepthMax} levels` } as const
  if (isDeeperThan(unwrapped, argsDepthMax)) return tooDeep
  const args = isRecord(unwrapped) ? unwrapped : asOnlyProperty(unwrapped, schema)
  if (args === null)
    return { ok: false, message: `The arguments must be a JSON object, as the tool's schema says; you wrote ${text.slice(0, 200)}` }
  const definitions = isRecord(schema["$defs"]) ? (schema["$defs"] as Definitions) : {} // schemas by name
  const fitted = fitProperties(withQuery(args, schema), schema, definitions)
  // There is JSON in texts as well.
  if (isDeeperThan(fitted, argsDepthMax)) return tooDeep
  return { ok: true, args: fitted }
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

/** Nothing means no arguments. Repair is the second try: its result is checked against the schema like any other. */
function parse(text: string): Parsed {
  if (text.trim() === "") return { ok: true, value: {} }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    try {
      const value = JSON.parse(jsonrepair(text)) as unknown
      // Plain words are a text, and not JSON that broke.
      if (typeof value === "object" && value !== null) return { ok: true, value }
    } catch {
      // The first error says more.
    }
    if (/^[\s{[]/.test(text)) return { ok: false, message: `The arguments are not JSON (${reason}); write them again as one JSON object` }
    return { ok: true, value: text }
  }
}

/** JSON inside of a JSON string, once. */
function unwrap(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[{["]/.test(value)) return value
  try {
    const inner: unknown = JSON.parse(value)
    return isRecord(inner) ? inner : value
  } catch {
    return value
  }
}

/** A scalar, where the schema has one property that it can only mean. */
function asOnlyProperty(value: unknown, schema: JsonSchema): Readonly<Record<string, unknown>> | null {
  const names = requiredOf(schema)
  const properties = Object.keys(propertiesOf(schema))
  const [only] = names.length === 1 ? names : properties.length === 1 ? properties : []
  if (only === undefined || value === null) return value === null ? {} : null
  return { [only]: value }
}

function withQuery(args: Readonly<Record<string, unknown>>, schema: JsonSchema): Readonly<Record<string, unknown>> {
  const properties = propertiesOf(schema)
  if (properties["query"] === undefined || args["query"] !== undefined) return args
  const alias = queryAliases.find((name) => args[name] !== undefined && properties[name] === undefined)
  if (alias === undefined) return args
  const { [alias]: query, ...rest } = args
  return { ...rest, query }
}

function fitProperties(
  args: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  definitions: Definitions,
): Readonly<Record<string, unknown>> {
  const properties = propertiesOf(schema)
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? fit(value, meantBy(properties[name], definitions), definitions) : value,
    ]),
  )
}

/** `"12"` where only a number can stand, and the like. */
function fit(value: unknown, schema: JsonSchema, definitions: Definitions): unknown {
  const { type } = schema
  if (typeof value === "string") {
    const text = value.trim()
    if ((type === "number" || type === "integer") && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
      const number = Number(text)
      return type === "integer" && !Number.isSafeInteger(number) ? value : number
    }
    if (type === "boolean" && (text === "true" || text === "false")) return text === "true"
    if (type === "null" && text === "null") return null
    if (type === "object" || type === "array") return fitText(text, type) ?? value
  }
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value)
  if (type === "object" && isRecord(value)) return fitProperties(value, schema, definitions)
  if (type === "array" && Array.isArray(value)) {
    const items = meantBy(schema["items"], definitions)
    return value.map((item) => fit(item, items, definitions))
  }
  return value
}

/** Beyond that nobody knows what is meant. */
const hopsMax = 10

/** What a schema says once references are followed; that something may also be null leaves no doubt about the rest. */
function meantBy(schema: unknown, definitions: Definitions, hops = 0): JsonSchema {
  if (!isRecord(schema) || hops > hopsMax) return {}
  const on = (next: unknown): JsonSchema => meantBy(next, definitions, hops + 1)
  if (schema["$ref"] !== undefined) return on(referred(schema, definitions))
  const choices = schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"]
  if (Array.isArray(choices)) {
    const [only, ...others] = (choices as unknown[]).filter((choice) => !isRecord(choice) || choice["type"] !== "null")
    return others.length === 0 && schema["type"] === undefined ? on(only) : schema
  }
  if (!Array.isArray(schema["type"])) return schema
  const [type, ...others] = (schema["type"] as unknown[]).filter((one) => one !== "null")
  return others.length === 0 ? { ...schema, type } : schema
}

function fitText(text: string, type: "object" | "array"): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return (type === "array" ? Array.isArray(value) : isRecord(value)) ? value : undefined
  } catch {
    return undefined
  }
}

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, unknown>> => (isRecord(schema["properties"]) ? schema["properties"] : {})

const requiredOf = ({ required }: JsonSchema): readonly string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : []
