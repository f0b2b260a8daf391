// Writes what a schema says beyond its type as a comment of one sentence.
import { factsOf } from "./comment-facts.ts"
import { eachWord, wordsOf } from "./comment-words.ts"
import { readFacts } from "./schema-read.ts"
import type { SchemaKeywords } from "./schema-read.ts"

/** Only this much of a description is looked at, so that no text costs more than this. */
const descriptionCharsRead = 400
const sentenceCharsMax = 140

/** What a comment is about. Words that its name or its surroundings say are not repeated. */
export type Subject = {
  readonly name: string
  /** The words of what it belongs to. */
  readonly context: readonly string[]
  readonly showsDefault: boolean
  readonly comments: Comments
}

/** Sentences help a reader, constraints a caller: where room is short, the sentences go first. */
export type Comments = "sentences and facts" | "facts" | "none"

/** The text of a doc comment, safe to stand between its marks; null when there is nothing worth saying. */
export function docOf(keywords: SchemaKeywords, subject: Subject, fact: string | null): string | null {
  if (subject.comments === "none") return null
  const schema = readFacts(keywords)
  if (schema === null) return fact === null ? null : commentSafe(fact)
  const facts = factsOf(keywords, schema, subject)
  if (fact !== null) facts.push(fact)
  const isDescribed = schema.description !== "" && subject.comments === "sentences and facts"
  const sentence = isDescribed ? sentenceOf(schema.description) : ""
  const text = joined(sentence !== "" && addsMore(sentence, subject) ? sentence : "", facts.join(", "))
  if (text === "") return schema.deprecated ? "@deprecated" : null
  return schema.deprecated ? `@deprecated ${commentSafe(text)}`.trimEnd() : commentSafe(text) || null
}

const joined = (sentence: string, facts: string): string => (sentence === "" || facts === "" ? sentence + facts : `${sentence} (${facts})`)

// Controls, and characters that are invisible or change the direction of the text around them.
const unreadable = /[\s\p{C}\p{Zl}\p{Zp}]+/gu
const plain = /^[ -~…]*$/
/** Text that is safe as it is; most is. */
const harmless = /^[!-)+-.0-?A-~][ -.0-~]*$/

/**
 * Text that can neither end the comment nor be taken for a directive to the compiler, which a comment is
 * when it begins with `@ts-`.
 */
export function commentSafe(text: string): string {
  if (harmless.test(text)) return text.trimEnd()
  const readable = plain.test(text) ? text : text.replace(unreadable, " ")
  return readable
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
        .replace(/\*\*/g, "")
        // Underscores that belong to a name, such as `__typename`, are no emphasis.
        .replace(/(?<!\w)__(?=\S)([^_]{1,200}?)__(?!\w)/g, "$1")
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

/** "The title of the issue." says nothing more about `title`: at most one word is new. */
function addsMore(sentence: string, subject: Subject): boolean {
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
