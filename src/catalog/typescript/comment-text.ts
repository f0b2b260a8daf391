// Makes comments of what a schema says beyond its type: one sentence, and the constraints that matter to a caller.
import { readFacts } from "./schema-read.ts"
import type { SchemaFacts, SchemaKeywords } from "./schema-read.ts"

/** Only this much of a description is looked at, so that no text costs more than this. */
const descriptionCharsRead = 400
const sentenceCharsMax = 140
const factCharsMax = 40

/** What a comment is about. Words that its name or its surroundings say are not repeated. */
export type Subject = {
  readonly name: string
  /** The words of what it belongs to. */
  readonly context: readonly string[]
  readonly showsDefault: boolean
}

/** The text of a doc comment, safe to stand between its marks; null when there is nothing worth saying. */
export function docOf(keywords: SchemaKeywords, subject: Subject, fact: string | null): string | null {
  const schema = readFacts(keywords)
  if (schema === null) return null
  const facts = factsOf(keywords, schema, subject)
  if (fact !== null) facts.push(fact)
  const sentence = schema.description === "" ? "" : sentenceOf(schema.description)
  const text = commentSafe(joined(sentence !== "" && tellsMore(sentence, subject) ? sentence : "", facts.join(", ")))
  if (text === "") return schema.deprecated ? "@deprecated" : null
  return schema.deprecated ? `@deprecated ${text}` : text
}

const joined = (sentence: string, facts: string): string => (sentence === "" || facts === "" ? sentence + facts : `${sentence} (${facts})`)

// Controls, and characters that are invisible or change the direction of the text around them.
const unreadable = /[\s\p{C}\p{Zl}\p{Zp}]+/gu
/** Text that is safe as it is; most is. */
const harmless = /^[!-)+-.0-?A-~][ -.0-~]*$/

/**
 * Text that can neither end the comment nor be taken for a directive to the compiler, which a comment is
 * when it begins with `@ts-`.
 */
export function commentSafe(text: string): string {
  if (harmless.test(text)) return text.trimEnd()
  return text
    .replace(unreadable, " ")
    .replaceAll("*/", "*\\/")
    .replace(/^(?:[\s/*]*@)+/, "")
    .trim()
}

/** The first sentence without markup. */
export function sentenceOf(description: string): string {
  const text = withoutMarkup(description.slice(0, descriptionCharsRead))
  const end = sentenceEnd(text)
  const sentence = text.slice(0, end)
  if (sentence.length <= sentenceCharsMax)
    return end === text.length && description.length > descriptionCharsRead ? `${sentence}…` : sentence
  const space = sentence.lastIndexOf(" ", sentenceCharsMax)
  return `${withoutHalfCharacter(sentence.slice(0, space > sentenceCharsMax / 2 ? space : sentenceCharsMax))}…`
}

const withoutHalfCharacter = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text)

// The text is at most a few hundred characters long here, which bounds every one of these.
const withoutMarkup = (text: string): string =>
  markup.test(text)
    ? text
        .replace(/\r?\n\s*\r?\n[^]*$/, "")
        .replace(/!?\[([^\]]{0,100})\]\([^)]*\)?/g, "$1")
        .replace(/<\/?[A-Za-z][^<>]*>/g, " ")
        .replace(/\*\*|__/g, "")
        .replace(/\s+/g, " ")
        .trim()
    : text
const markup = /[[<\n\r\t]| {2}|\*\*|__|^\s|\s$/

const abbreviation = /(?:^|[\s("'])(?:e\.g|i\.e|etc|vs|cf|no|approx|[A-Za-z])$/i

function sentenceEnd(text: string): number {
  for (let at = 0; at < text.length - 1; at++) {
    const mark = text[at]
    if ((mark !== "." && mark !== "!" && mark !== "?") || text[at + 1] !== " ") continue
    if (mark === "." && abbreviation.test(text.slice(Math.max(0, at - 8), at))) continue
    return at + 1
  }
  return text.length
}

const emptyWords = new Set(
  "a an and any are as at be by can each for from has have if in is it its list may of on or set specified that the their this to unique used value when which whether will with your".split(
    " ",
  ),
)
const sameWord: ReadonlyMap<string, string> = new Map([
  ["identifier", "id"],
  ["ids", "id"],
  ["uri", "url"],
  ["href", "url"],
  ["link", "url"],
  ["repo", "repository"],
  ["org", "organization"],
  ["descr", "description"],
])

/** Small words in one spelling, without those that carry no meaning. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  eachWord(text, (word) => {
    words.push(word)
    return "go on"
  })
  return words
}

function eachWord(text: string, visit: (word: string) => "go on" | "stop"): void {
  let start = -1
  let before: CharKind = "other"
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? charKind(text.charCodeAt(at)) : "other"
    if (start >= 0 && (kind === "other" || (kind === "capital" && before === "small"))) {
      const word = plainWord(text.slice(start, at).toLowerCase())
      if (word !== "" && visit(word) === "stop") return
      start = -1
    }
    if (kind !== "other" && start < 0) start = at
    before = kind
  }
}

type CharKind = "small" | "capital" | "other"

function charKind(code: number): CharKind {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) return "small"
  if (code >= 0x41 && code <= 0x5a) return "capital"
  return code >= 0xaa ? "small" : "other"
}

function plainWord(text: string): string {
  if (emptyWords.has(text)) return ""
  const word = sameWord.get(text) ?? text
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word
}

/** "The title of the issue." says nothing more about `title`: at most one word is new. */
function tellsMore(sentence: string, subject: Subject): boolean {
  const name = wordsOf(subject.name)
  let fresh = 0
  let repeated = 0
  eachWord(sentence, (word) => {
    if (name.includes(word)) repeated++
    else if (!subject.context.includes(word)) fresh++
    return fresh > 1 ? "stop" : "go on"
  })
  return fresh > 1 || (fresh === 1 && repeated === 0)
}

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

function factsOf(keywords: SchemaKeywords, schema: SchemaFacts, subject: Subject): string[] {
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
const most = (value: number | null): Bound | null => (value === null || value >= machineInteger ? null : { sign: "<=", value })

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
