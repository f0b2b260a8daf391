// Reads the words of a request: which count, how much each counts, and what they may stand for.
import { leadInLength, wantedOf } from "./operation-of-request.ts"
import type { Wanted } from "./operation-of-request.ts"
import { isOperationNoun, isVerb, phraseAt, relatedTo } from "../language/families.ts"
import type { Related } from "../language/families.ts"
import { requestLimits, tuning } from "../tuning.ts"
import { valuesIn } from "./values.ts"
import { articles, commandOperations, disguisedVerbs, flagVerbs, questionWords, stateVerbs, stateWords } from "../language/verb-lists.ts"
import { stopWords, weakWords } from "../language/word-lists.ts"
import { isPlural, joinPairs, nameWords, proseWords, stemOf } from "../language/words.ts"

/** One thing that is asked for. A hint ("my", a number, a verb that was left out) orders what is found, but finds nothing by itself. */
export type RequestWord = {
  readonly word: string
  readonly stem: string
  readonly weight: number
  readonly related: Related
  readonly isHint: boolean
}

/** Words that point at who is asking: a hint to what belongs to them. */
const selfWords = new Set(["my", "mine", "me", "myself"])

/** What a tool's text calls the one who is asking. */
const selfNames = stemsOf({ authenticated: 1, self: 0.8, current: 0.8, viewer: 0.8, own: 0.6, user: 0.6 })

/** What sets a mark on a thing where nothing is named after the mark. */
const flagNames = stemsOf({ update: 0.85, edit: 0.7, modify: 0.7, change: 0.7, patch: 0.7 })

/** What a tool's text calls those of whom a request asks "who". */
const personNames: Related = new Map([
  ...["collaborator", "member", "participant", "attendee", "follower", "subscriber", "assignee", "reviewer"].map(
    (word) => [stemOf(word), 1] as const,
  ),
  ...["people", "person", "user"].map((word) => [stemOf(word), 0.8] as const),
])

const unrelated: Related = new Map()

const readingVerbs = new Set(["get", "read", "show", "view", "fetch", "retrieve", "check", "open"])

/** What a verb that was left out may be called in a tool's text. */
const impliedVerbs = {
  make: { word: "create", related: stemsOf({ add: 0.7, post: 0.7, send: 0.7 }) },
  list: { word: "list", related: stemsOf({ get: 0.5, all: 0.5 }) },
  get: { word: "get", related: stemsOf({ list: 0.5, retrieve: 0.8, read: 0.8 }) },
}

/** What one intent says: its words that carry meaning, each once, and what it wants done. */
export type Intention = { readonly words: RequestWord[]; readonly wanted: Wanted | null }

export function readRequest(text: string): Intention {
  const { rest, values, kinds } = valuesIn(text)
  const { spoken, state } = stateIn(withoutExcluded(spokenWords(splitWords(rest))))
  const wanted = wantedOf(spoken)
  const isUndoing = wanted?.operation === "delete" || spoken.some((word) => undoingWords.has(word))
  const negated = negatedWords(rest)
  const found = new Map<string, RequestWord>()
  const add = (entry: RequestWord): void => {
    if ((found.get(entry.stem)?.weight ?? 0) < entry.weight) found.set(entry.stem, entry)
  }
  for (const word of spoken) {
    if (found.size >= requestLimits.words) break
    if (selfWords.has(word)) add(hint("my", tuning.selfWeight, selfNames))
    else if (/^\d+$/.test(word)) add(hint(word, tuning.numberWeight, relatedTo(word)))
    else if (negated.has(word))
      add({ ...said(`un${word}`), related: new Map([[stemOf(word), tuning.nounWeight], ...relatedTo(stemOf(word))]) })
    else if (!stopWords.has(word) && word !== state?.word) add(isUndoing && !commandOperations.has(word) ? undone(said(word)) : said(word))
  }
  for (const word of values.flatMap(splitWords).slice(0, requestLimits.words))
    if (!stopWords.has(word)) add(hint(word, tuning.valueWeight, unrelated))
  for (const kind of kinds) add({ ...hint(kind, tuning.kindWeight, relatedTo(stemOf(kind))), isHint: false })
  if (state !== null) add(hint(state.word, tuning.stateWeight, state.related))
  if (spoken[0] === "who") add(hint("who", tuning.personWeight, personNames))
  const implied = impliedVerb(spoken, wanted)
  if (implied !== undefined && found.values().some((entry) => !entry.isHint)) add(hint(implied.word, tuning.impliedWeight, implied.related))
  return { words: [...found.values()], wanted }
}

/** What a request is about: the stems of its words, without values, hints and words of no weight. */
export const subjectsOf = (text: string): string[] =>
  readRequest(text.slice(0, requestLimits.chars)).words.flatMap(({ stem, isHint }) => (isHint ? [] : [stem]))

/** A word for what becomes of a thing, and what it may be called in a tool's text. */
type State = { readonly word: string; readonly related: Related }

/**
 * Who makes a thing private makes no thing, but changes it, and what it is to be is told by an argument. Who archives it uses
 * a tool of that name, or changes it as well. So the state orders the tools for the thing, and finds none by itself.
 */
function stateIn(words: readonly string[]): { readonly spoken: readonly string[]; readonly state: State | null } {
  const at = leadInLength(words)
  const verb = words[at] ?? ""
  const last = words.at(-1) ?? ""
  const thing = words.slice(at + 1, -1)
  const isMade = stateVerbs.has(verb) && stateWords.has(last) && thing.some(isNamed) && !thing.includes("new")
  if (isMade) return { spoken: ["update", ...thing], state: { word: last, related: relatedTo(stemOf(last)) } }
  const isFlagged = flagVerbs.has(verb) && articles.has(words[at + 1] ?? "")
  return { spoken: words, state: isFlagged ? { word: verb, related: flagNames } : null }
}

const isNamed = (word: string): boolean => word === "it" || word === "them" || !stopWords.has(word)

/** "Close it without merging" is not about merging. */
const withoutExcluded = (words: readonly string[]): string[] => words.filter((_, at) => words[at - 1] !== "without")

/** The words with their phrases in plain terms: "take the label off" is "remove the label". */
function spokenWords(words: readonly string[]): string[] {
  const spoken: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const phrase = phraseAt(words, at)
    spoken.push(...(phrase?.meant ?? [words[at] ?? ""]))
    at += phrase === undefined ? 0 : phrase.length - 1
  }
  const [first = "", second = ""] = spoken
  if (disguisedVerbs.has(first) && articles.has(second)) spoken[0] = "create"
  return spoken
}

/** Whether a word of a request says what it is about, rather than what to do or how it is asked. */
export const isSubject = (entry: RequestWord): boolean => entry.weight >= 1 && !isVerb(entry.word)

function said(word: string): RequestWord {
  const stem = stemOf(word)
  return { word, stem, weight: weakWords.has(word) ? tuning.weakWordWeight : 1, related: relatedTo(stem), isHint: false }
}

/** Who removes a star unstars, and who stops following unfollows. */
function undone(entry: RequestWord): RequestWord {
  return {
    ...entry,
    related: new Map([...entry.related, [stemOf(`un${entry.word}`), 1], [`un${entry.stem}`, 1]]),
  }
}

/** "Not yet staged" is called "unstaged", and "aren't paid" is "unpaid". */
const negatedWords = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.toLowerCase().matchAll(/(?:\bnot|\bnever|n['’]t)\s+(?:yet\s+|been\s+)?(\p{L}+)/gu), ([, word = ""]) => word))

const undoingWords = new Set(["stop", "undo", "end", "disable"])

const hint = (word: string, weight: number, related: Related): RequestWord => ({ word, stem: stemOf(word), weight, related, isHint: true })

/**
 * What a request wants that does not say it: "comment on an issue" makes one, "unpaid invoices" lists them, "latest
 * release" gets one. Who reads or sees several things wants a list of them as well. A verb of any kind is left as it is.
 */
function impliedVerb(words: readonly string[], wanted: Wanted | null): { word: string; related: Related } | undefined {
  const content = words.filter((word) => !stopWords.has(word) && !selfWords.has(word))
  const saidVerbs = content.filter(isVerb)
  const plural = content.some(isPlural)
  const isQuestion = wanted?.operation === "read" && wanted.said && questionWords.has(words[0] ?? "")
  if (saidVerbs.length > 0)
    return plural && (isQuestion || saidVerbs.every((word) => readingVerbs.has(word))) ? impliedVerbs.list : undefined
  if (isOperationNoun(content[0] ?? "")) return impliedVerbs.make
  if (wanted !== null && wanted.operation !== "read") return undefined
  return plural ? impliedVerbs.list : impliedVerbs.get
}

/** Identifiers in a request are read as names, the rest as prose. */
function splitWords(text: string): string[] {
  const words = text.split(/\s+/).flatMap((token) => (/[a-z0-9][._/][a-z]|[a-z][A-Z]|_/.test(token) ? nameWords(token) : proseWords(token)))
  return joinPairs(words)
}

function stemsOf(weights: Readonly<Record<string, number>>): Related {
  return new Map(Object.entries(weights).map(([word, weight]) => [stemOf(word), weight]))
}
