// Writes formats and constraints as a few short words, where they matter to a caller.
import type { Subject } from "./comment-text.ts"
import { wordsOf } from "./comment-words.ts"
import type { SchemaFacts, SchemaKeywords } from "./schema-read.ts"

const factCharsMax = 40

/** Formats that follow from the type, and those that a name with such a word says already. */
const plainFormats = new Set(["int32", "int64", "float", "double", "string", "integer", "number", "boolean", "int", "byte[]", "enum"])
const formatWords: ReadonlyMap<string, string> = new Map([
  ["uri", "url"],
  ["url", "url"],
  ["uri-reference", "url"],
  ["email", "email"],
  ["uuid", "uuid"],
  ["password", "password"],
])

export function factsOf(keywords: SchemaKeywords, schema: SchemaFacts, subject: Subject): string[] {
  const facts: string[] = []
  const { format, pattern } = schema
  if (isShort(format) && !plainFormats.has(format) && !saysFormat(subject.name, format)) facts.push(format)
  if (isShort(pattern) && keywords.enum === null) facts.push(`/${pattern}/`)
  const ranges = [
    range(bound(schema.minimum, schema.exclusiveMinimum, ">"), bound(schema.maximum, schema.exclusiveMaximum, "<"), ""),
    range(least(schema.minLength), most(schema.maxLength), " chars"),
    range(least(keywords.minItems), most(keywords.maxItems), " items"),
  ]
  for (const text of ranges) if (text !== null) facts.push(text)
  const fallback = subject.showsDefault ? scalarText(schema.default) : null
  if (fallback !== null) facts.push(`default ${fallback}`)
  return facts
}

function saysFormat(name: string, format: string): boolean {
  const word = formatWords.get(format)
  return word !== undefined && wordsOf(name).includes(word)
}

type Bound = { readonly sign: string; readonly value: number }

/** An exclusive bound is a number of its own since draft 6, and a flag beside the bound before it. */
function bound(value: unknown, exclusive: unknown, sign: string): Bound | null {
  if (isBound(exclusive)) return { sign, value: exclusive }
  return isBound(value) ? { sign: exclusive === true ? sign : `${sign}=`, value } : null
}

/** The ends of the machine's integers say nothing about a value. */
const isBound = (value: unknown): value is number => typeof value === "number" && Math.abs(value) < machineInteger
const machineInteger = 2_147_483_647

const least = (value: number | null): Bound | null => (value === null || value === 0 ? null : { sign: ">=", value })
const most = (value: number | null): Bound | null => (value === null || value > boundMax ? null : { sign: "<=", value })
/** Nobody comes near a longer one by accident. */
const boundMax = 1000

function range(low: Bound | null, high: Bound | null, unit: string): string | null {
  if (low !== null && high !== null) {
    if (low.value === high.value) return `${low.value}${unit}`
    if (low.sign === ">=" && high.sign === "<=") return `${low.value}..${high.value}${unit}`
    return `${low.sign} ${low.value}, ${high.sign} ${high.value}${unit}`
  }
  const one = low ?? high
  return one === null ? null : `${one.sign} ${one.value}${unit}`
}

const isShort = (text: string): boolean => text !== "" && text.length <= factCharsMax

function scalarText(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return typeof value === "string" && isShort(value) ? JSON.stringify(value) : null
}
