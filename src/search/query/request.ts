// Reads the words of a request: which count, how much each counts, and what they may stand for.
import { leadInLength, wantedOf } from "./operation-of-request.ts"
import type { Wanted } from "./operation-of-request.ts"
import { particleOf, phraseAt, relatedTo } from "../language/families.ts"
import type { Related } from "../language/families.ts"
import { requestLimits, tuning } from "../tuning.ts"
import { valuesIn } from "./values.ts"
import { commandOperations, isOperationNoun, isVerb, stateVerbs, stateWords } from "../language/verb-lists.ts"
import { stopWords, weakWords } from "../language/word-lists.ts"
import { isPlural, joinPairs, nameWords, proseWords, stemOf } from "../language/words.ts"

/** One thing that is asked for. A hint ("my", a number, a verb that was left out) orders what is found, but finds nothing by itself. */
export type RequestWord = {
  readonly word: string
  readonly stem: string
  readonly weight: number
  readonly related: Related
  readonly isHint: boolean
  /** What it is called instead where the catalog has that: `unstaged` for "not staged", `checkout` for "check it out". Empty for most. */
  readonly form: string
}

/** Words that point at who is asking: a hint to what belongs to them. */
const selfWords = new Set(["my", "mine", "me", "myself"])

const unrelated: Related = new Map()

const readingVerbs = new Set(["get", "read", "show", "view", "fetch", "retrieve", "check", "open"])

/** What one intent says: its words that carry meaning, each once, and what it wants done. */
export type Intention = { readonly words: RequestWord[]; readonly wanted: Wanted | null }

export function readRequest(text: string): Intention {
  const { rest, values, kinds } = valuesIn(text)
  const { spoken, joined } = spokenWords(withoutExcluded(splitWords(rest)))
  const wanted = wantedOf(spoken)
  const isUndoing = wanted?.operation === "delete" || spoken.some((word) => undoingWords.has(word))
  const undone = (word: string): boolean => isUndoing && commandOperations.get(word) !== "delete"
  const negated = negatedWords(rest)
  const found = new Map<string, RequestWord>()
  const add = (entry: RequestWord): void => {
    if ((found.get(entry.stem)?.weight ?? 0) < entry.weight) found.set(entry.stem, entry)
  }
  for (const word of spoken) {
    if (found.size >= requestLimits.words) break
    if (selfWords.has(word)) add(hint("my"))
    else if (/^\d+$/.test(word)) add(hint(word))
    else if (!stopWords.has(word)) add(said(word, undone(word) || negated.has(word) ? `un${word}` : (joined.get(word) ?? "")))
  }
  for (const word of values.flatMap(splitWords).slice(0, requestLimits.words))
    if (!stopWords.has(word)) add({ ...hint(word), related: unrelated })
  for (const kind of kinds) add({ ...said(kind, ""), weight: tuning.kindWeight })
  if (spoken[0] === "who") add({ ...hint("who"), weight: 1 })
  const implied = impliedVerb(spoken, wanted)
  if (implied !== undefined && found.values().some((entry) => !entry.isHint)) add(hint(implied))
  return { words: [...found.values()], wanted }
}

/** What a request is about: the stems of its words, without values, hints and words of no weight. */
export const subjectsOf = (text: string): string[] =>
  readRequest(text.slice(0, requestLimits.chars)).words.flatMap(({ stem, isHint }) => (isHint ? [] : [stem]))

/** "Close it without merging" is not about merging. */
const withoutExcluded = (words: readonly string[]): string[] => words.filter((_, at) => words[at - 1] !== "without")

/**
 * The words with their phrases in plain terms: "take the label off" is "remove the label". `joined`: verbs that make one
 * word with their particle, which a catalog may have: "check it out" is `checkout`.
 */
function spokenWords(words: readonly string[]): { readonly spoken: string[]; readonly joined: ReadonlyMap<string, string> } {
  const spoken: string[] = []
  const joined = new Map<string, string>()
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ""
    const phrase = phraseAt(words, at)
    const particle = phrase === undefined ? particleOf(words, at) : undefined
    if (particle !== undefined) joined.set(word, `${word}${particle}`)
    spoken.push(...(phrase?.meant ?? [word]))
    at += phrase === undefined ? 0 : phrase.length - 1
  }
  // Who makes a thing private makes no thing, but changes it.
  const verb = leadInLength(spoken)
  if (stateVerbs.has(spoken[verb] ?? "") && stateWords.has(spoken.at(-1) ?? "") && !spoken.includes("new")) spoken[verb] = "update"
  return { spoken, joined }
}

const said = (word: string, form: string): RequestWord => ({
  ...hint(word),
  weight: weakWords.has(word) ? tuning.weakWordWeight : 1,
  isHint: false,
  form: form === "" ? "" : stemOf(form),
})

/** "Not yet staged" is called "unstaged", and "aren't paid" is "unpaid". */
const negatedWords = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.toLowerCase().matchAll(/(?:\bnot|\bnever|n['’]t)\s+(?:yet\s+|been\s+)?(\p{L}+)/gu), ([, word = ""]) => word))

/** Who stops following unfollows, and who removes a star unstars; but who deletes undeletes nothing. */
const undoingWords = new Set(["stop", "undo", "end", "disable"])

const hint = (word: string): RequestWord => {
  const stem = stemOf(word)
  return { word, stem, weight: tuning.weakWordWeight, related: relatedTo(stem), isHint: true, form: "" }
}

/**
 * What a request wants that does not say it: "comment on an issue" makes one, "unpaid invoices" lists them, "latest
 * release" gets one. Who reads or sees several things wants a list of them as well. A verb of any kind is left as it is.
 */
function impliedVerb(words: readonly string[], wanted: Wanted | null): "create" | "list" | "get" | "update" | undefined {
  const content = words.filter((word) => !stopWords.has(word) && !selfWords.has(word))
  // Where nothing is named after the mark, a thing is updated to have it.
  if (/^(?:un)?archive$/.test(content[0] ?? "")) return "update"
  const saidVerbs = content.filter(isVerb)
  const plural = content.some(isPlural)
  if (saidVerbs.length > 0) return plural && saidVerbs.every((word) => readingVerbs.has(word)) ? "list" : undefined
  if (isOperationNoun(content[0] ?? "")) return "create"
  if (wanted !== null && wanted.operation !== "read") return undefined
  return plural ? "list" : "get"
}

/** Identifiers in a request are read as names, the rest as prose. */
function splitWords(text: string): string[] {
  const words = text.split(/\s+/).flatMap((token) => (/[a-z0-9][._/][a-z]|[a-z][A-Z]|_/.test(token) ? nameWords(token) : proseWords(token)))
  return joinPairs(words)
}
