// Splits a request that asks for several things: "find the issue and comment on it".
import { isOperationNoun, isVerb } from "../language/verb-lists.ts"
import { readRequest } from "./request.ts"
import type { Intention, RequestWord } from "./request.ts"
import { requestLimits } from "../tuning.ts"

/** Sentences, lines and words of sequence always begin something new. */
const boundary =
  /(?<=[.?!;。！？])\s+|\n+|;|,?\s+(?:and\s+)?(?:then|afterwards|finally|lastly|next|additionally|also|moreover|furthermore|besides|after that),?\s+/iu
/** "and" and commas do when a verb follows. */
const joint = /(\s*,\s*(?:and\s+)?|\s+and\s+)/i
const leadIn = /^(?:please\s+|to\s+|i\s+(?:want|need)\s+to\s+)?(\p{L}+)/iu
const pronoun = /\b(?:it|them|one|this|that|these|those|him|her)\b/i

/** Each intent; one entry when the request wants one thing. */
export function intentsOf(text: string): Intention[] {
  const intents: Intention[] = []
  const oneSpaced = text.replaceAll(/[^\S\n]+/g, " ")
  for (const part of oneSpaced.split(boundary).flatMap(partsAtVerbs)) {
    const { words, wanted } = readRequest(part)
    const content = words.filter((entry) => entry.weight >= 1)
    if (content.length === 0) continue
    const before = intents.at(-1)
    const leans = before !== undefined && content.length < 2 && pronoun.test(part)
    if (before !== undefined && content.length < 2 && !leans) before.words.push(...words)
    else intents.push({ words: leans ? [...words, ...carried(before.words, words)] : words, wanted })
    if (intents.length >= requestLimits.intents) break
  }
  return intents.length === 0 ? [readRequest(text)] : intents
}

/** What a pronoun stands for: the subjects of the intent before. */
function carried(before: readonly RequestWord[], own: readonly RequestWord[]): RequestWord[] {
  const said = new Set(own.map((entry) => entry.stem))
  return before.filter((entry) => entry.weight >= 1 && !isVerb(entry.word) && !said.has(entry.stem))
}

function partsAtVerbs(sentence: string): string[] {
  const parts: string[] = [""]
  const pieces = sentence.split(joint)
  for (let at = 0; at < pieces.length; at += 2) {
    const piece = pieces[at] ?? ""
    const verb = leadIn.exec(piece)?.[1]?.toLowerCase() ?? ""
    if (at > 0 && (isVerb(verb) || isOperationNoun(verb))) parts.push(piece)
    else parts.push(`${parts.pop() ?? ""}${at > 0 ? (pieces[at - 1] ?? "") : ""}${piece}`)
  }
  return parts
}
