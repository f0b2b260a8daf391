// Reads the words of a request: which count, how much each counts, and what they may stand for.
import { isDeedNoun, isVerb, phraseAt, relatedTo } from "./families.ts"
import type { Related } from "./families.ts"
import { requestLimits, tuning } from "./tuning.ts"
import { stopWords, weakWords } from "./word-lists.ts"
import { nameWords, proseWords, stemOf } from "./words.ts"

/** One thing that is asked for. */
export type RequestWord = { readonly word: string; readonly stem: string; readonly weight: number; readonly related: Related }

/** Words that point at who is asking: a hint to what belongs to them. */
const selfWords = new Set(["my", "mine", "me", "myself"])

/** What a verb that was left out may be called in a tool's text. */
const impliedVerbs = {
  make: { word: "create", related: stemsOf({ add: 0.7, post: 0.7, send: 0.7 }) },
  list: { word: "list", related: stemsOf({ get: 0.5, all: 0.5 }) },
  get: { word: "get", related: stemsOf({ list: 0.5, retrieve: 0.8, read: 0.8 }) },
}

/** The words of a text that carry meaning, each once. */
export function requestWords(text: string): RequestWord[] {
  const words = splitWords(text)
  const found = new Map<string, RequestWord>()
  const add = (word: string, weight: number, related: Related = relatedTo(stemOf(word))): void => {
    const stem = stemOf(word)
    if ((found.get(stem)?.weight ?? 0) < weight) found.set(stem, { word, stem, weight, related })
  }
  for (let at = 0; at < words.length && found.size < requestLimits.words; at += 1) {
    const phrase = phraseAt(words, at)
    const word = words[at] ?? ""
    if (phrase !== undefined) {
      for (const meant of phrase.meant) add(meant, 1)
      at += phrase.said.length - 1
    } else if (selfWords.has(word)) add("my", tuning.selfWeight)
    else if (!stopWords.has(word)) add(word, weightOf(word))
  }
  const implied = impliedVerb(words)
  if (implied !== undefined && found.size > 0) add(implied.word, tuning.impliedWeight, implied.related)
  return [...found.values()]
}

/** Whether a word of a request says what it is about, rather than what to do or how it is asked. */
export const isSubject = (entry: RequestWord): boolean => entry.weight >= 1 && !isVerb(entry.word)

function weightOf(word: string): number {
  if (/^\d+$/.test(word)) return tuning.numberWeight
  return weakWords.has(word) ? tuning.weakWordWeight : 1
}

/** What a request without a verb wants: "comment on an issue" makes one, "unpaid invoices" lists them, "latest release" gets one. */
function impliedVerb(words: readonly string[]): { word: string; related: Related } | undefined {
  const content = words.filter((word) => !stopWords.has(word) && !selfWords.has(word))
  if (content.some(isVerb)) return undefined
  if (isDeedNoun(content[0] ?? "")) return impliedVerbs.make
  return content.some(isPlural) ? impliedVerbs.list : impliedVerbs.get
}

const isPlural = (word: string): boolean => /[^s]s$/.test(word) && stemOf(word) !== word

/** Identifiers in a request are read as names, the rest as prose. */
function splitWords(text: string): string[] {
  return text.split(/\s+/).flatMap((token) => (/[a-z0-9][._/][a-z]|[a-z][A-Z]|_/.test(token) ? nameWords(token) : proseWords(token)))
}

function stemsOf(weights: Readonly<Record<string, number>>): Related {
  return new Map(Object.entries(weights).map(([word, weight]) => [stemOf(word), weight]))
}
