// Turns `key=value` texts into the arguments of a tool, each as its schema wants it.
import { isRecord } from "../../../core/json/record.ts"
import { isLongInteger, parseJsonExactly } from "../../../core/json/long-integer.ts"
import type { JsonSchema } from "../../../core/tool.ts"
import { isFile, readArgValue } from "./file.ts"
import { schemaAt, typesOf } from "../../../core/json/schema.ts"
import type { Definitions } from "../../../core/json/schema.ts"
import { UsageError } from "../usage-error.ts"

export type ArgSchema = { readonly inputSchema: JsonSchema; readonly schemaDefinitions: Definitions }
type Args = Record<string, unknown>
type Values = { readonly path: readonly string[]; readonly texts: string[] }

/** A dotted key reaches into an object; a repeated one makes a list; `@file` is read. Without a schema, whatever is JSON is taken as JSON. */
export function convertArgs(pairs: readonly string[], schema: ArgSchema | null): Args {
  const grouped = new Map<string, Values>()
  for (const pair of pairs) {
    const [key, text] = splitPair(pair)
    const values = grouped.get(key) ?? { path: pathOf(key, schema), texts: [] }
    values.texts.push(text)
    grouped.set(key, values)
  }
  let args: Args = {}
  for (const [key, { path, texts }] of grouped) {
    const wanted = schema === null ? null : schemaAt(schema.inputSchema, path, schema.schemaDefinitions)
    args = withValue(args, path, convertValues(key, texts, wanted, schema?.schemaDefinitions ?? {}), key)
  }
  return args
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf("=")
  if (at <= 0) throw new UsageError(`'${pair}' is not in the form key=value`)
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** A name may hold dots itself, and then is no path. */
function pathOf(key: string, schema: ArgSchema | null): string[] {
  const isName = schema !== null && schemaAt(schema.inputSchema, [key], schema.schemaDefinitions) !== null
  return isName ? [key] : key.split(".")
}

function convertValues(key: string, given: readonly string[], schema: JsonSchema | null, definitions: Definitions): unknown {
  const values = given.map((text) => readArgValue(key, text, schema, definitions))
  const [first] = values
  if (values.length === 1 && first?.kind === "file" && isFile(schema, definitions)) return first.file
  if (!values.some((value) => value.kind === "file"))
    return convertTexts(
      key,
      values.flatMap((value) => (value.kind === "text" ? [value.text] : [])),
      schema,
      definitions,
    )
  if (!typesOf(schema, definitions).has("array")) throw givenTwice(key, given.length)
  const items = schemaAt(schema, ["0"], definitions)
  return values.map((value) => (value.kind === "file" ? value.file : convertText(key, value.text, items, definitions)))
}

const givenTwice = (key: string, times: number): UsageError => new UsageError(`'${key}' was given ${times} times but takes a single value`)

function convertTexts(key: string, texts: readonly string[], schema: JsonSchema | null, definitions: Definitions): unknown {
  const types = typesOf(schema, definitions)
  const [only = ""] = texts
  const takesList = types.has("array")
  if (texts.length === 1 && !takesList) return convertText(key, only, schema, definitions)
  if (!takesList && types.size > 0) throw givenTwice(key, texts.length)
  const whole = texts.length === 1 ? parseJson(only) : undefined
  if (Array.isArray(whole)) return whole as unknown[]
  if (texts.length === 1 && types.size > 1) {
    const other = tryText(only, new Set([...types].filter((type) => type !== "array")))
    if (other !== undefined) return other
  }
  const items = schemaAt(schema, ["0"], definitions)
  return texts.map((text) => convertText(key, text, items, definitions))
}

function convertText(key: string, text: string, schema: JsonSchema | null, definitions: Definitions): unknown {
  const types = typesOf(schema, definitions)
  if (types.size === 0) return parseJson(text) ?? text
  const value = tryText(text, types)
  if (value !== undefined) return value
  throw new UsageError(`'${key}' must be ${[...types].map((type) => typeTexts[type] ?? type).join(" or ")}, not '${text}'`)
}

const typeTexts: Readonly<Record<string, string>> = {
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  object: "a JSON object",
  array: "a list",
}

/** Undefined where the text is none of these types. What is not text is tried first, because everything is text. */
function tryText(text: string, types: ReadonlySet<string>): unknown {
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true"
  if (types.has("null") && text === "null") return null
  if ((types.has("number") || types.has("integer")) && isNumber(text)) return isLongInteger(text) ? text : Number(text)
  const parsed = types.has("object") || types.has("array") ? parseJson(text) : undefined
  if (types.has("array") && Array.isArray(parsed)) return parsed as unknown[]
  if (types.has("object") && isRecord(parsed)) return parsed
  return types.has("string") ? text : undefined
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))

function parseJson(text: string): unknown {
  try {
    return parseJsonExactly(text)
  } catch {
    return undefined
  }
}

/** Made of entries, so that a name such as `__proto__` is a name like others. */
function withValue(target: Args, [first = "", ...rest]: readonly string[], value: unknown, key: string): Args {
  const before = Object.hasOwn(target, first) ? target[first] : undefined
  if (rest.length > 0 && before !== undefined && (typeof before !== "object" || before === null || Array.isArray(before)))
    throw new UsageError(`'${key}': '${first}' was already given a value of its own`)
  const next = rest.length === 0 ? value : withValue((before ?? {}) as Args, rest, value, key) // an object, as just checked
  return Object.fromEntries([...Object.entries(target).filter(([name]) => name !== first), [first, next]])
}
