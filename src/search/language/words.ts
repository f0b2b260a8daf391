// Cuts names and prose into the lower-case words that are indexed and searched.
import { stem } from "./stem.ts"
import { irregularForms, ownStems, shortForms, stopWords, wordPairs } from "./word-lists.ts"

/** Words of a longer run than this are not language: hashes, keys, encoded bytes. */
const wordCharsMax = 40
/** Cutting and stemming are the dearest steps of a build, and the same few thousand words come again and again. */
const cacheMax = 50_000

const plainWord = /^[a-z]{1,40}$/
const asciiRun = /[A-Za-z0-9]+/g
const run = /[\p{L}\p{M}\p{N}]+/gu
const url = /\b(?:https?|ftp):\/\/[^\s)\]>"']+/g
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const pluralAcronym = /^\p{Lu}{2,}s$/u
/** In a name: `listPRs`, `getURLsOfPage`. */
const pluralAcronyms = /\p{Lu}{2,}s(?=\p{Lu}|$)/gu
const asciiOnly = /^[\x20-\x7e\s]*$/

const stemCache = new Map<string, string>()
const partsCache = new Map<string, readonly string[]>()

/** The stem under which a lower-case word is indexed. Irregular and short forms go to their base first: "sent" is "send", "repo" is "repository". */
export function stemOf(word: string): string {
  const known = stemCache.get(word)
  if (known !== undefined) return known
  const base = shortForms.get(word) ?? irregularForms.get(word) ?? word
  const found = ownStems.get(base) ?? stem(base)
  if (stemCache.size >= cacheMax) stemCache.clear()
  stemCache.set(word, found)
  return found
}

export const isStopWord = (word: string): boolean => stopWords.has(word)

/** The runs of letters and digits of a text. */
function runsOf(text: string): readonly string[] {
  if (asciiOnly.test(text)) return text.match(asciiRun) ?? []
  return fold(text).match(run) ?? []
}

/** Words of a name: `repos.createForAuthenticatedUser`, `list_pull_requests`, `OAuth2Token`. Names of two words are also one: `webHook`. */
export function nameWords(name: string): string[] {
  const words: string[] = []
  for (const chunk of runsOf(name)) {
    const parts = caseParts(chunk)
    pushAll(words, parts)
    if (parts.length === 2) words.push(parts.join(""))
  }
  return joinPairs(words)
}

/** The parts of a name, and nothing else: what a tool is about is counted by them. */
export const nameParts = (name: string): string[] => joinPairs(runsOf(name).flatMap(caseParts))

export const isPlural = (word: string): boolean => /[^s]s$/.test(word) && stemOf(word) !== word

/** Words of prose. Brands stay whole ("GitHub"), identifiers are cut ("maxResults"), scripts without spaces become pairs of characters. */
export function proseWords(text: string): string[] {
  const words: string[] = []
  for (const chunk of runsOf(text.replace(url, " "))) pushAll(words, proseParts(chunk))
  return joinPairs(words)
}

const pairsByFirst = new Map(wordPairs.map(([first, second]) => [first, second]))
/** Prefixes that are written apart as well: "re-run" is also "rerun". */
const loosePrefixes: ReadonlySet<string> = new Set(["re", "un", "self"])

/** Puts together what is one word or one thing: "pull requests", "re-run", "self-hosted". */
export function joinPairs(words: string[]): string[] {
  if (!words.some((word) => pairsByFirst.has(word) || loosePrefixes.has(word))) return words
  const joined: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ""
    const next = words[at + 1]
    const second = pairsByFirst.get(word)
    const isPair = second !== undefined && next?.replace(/s$/, "") === second
    if (isPair) at += 1
    if (loosePrefixes.has(word) && next !== undefined && next.length > 2 && !stopWords.has(next)) joined.push(`${word}${next}`)
    else joined.push(isPair ? `${word}${next}` : word)
  }
  return joined
}

function proseParts(chunk: string): readonly string[] {
  if (plainWord.test(chunk)) return [chunk]
  if (chunk.length > wordCharsMax && !ideographs.test(chunk)) return []
  if (ideographs.test(chunk)) return characterPairs(chunk)
  const lower = chunk.toLowerCase()
  if (lower === chunk || pluralAcronym.test(chunk)) return digitParts(lower)
  const parts = caseParts(chunk)
  const [first = ""] = parts
  const isBrand = parts.length === 2 && (first.length === 1 || /^\p{Lu}/u.test(chunk))
  return isBrand ? [lower] : parts
}

/** Parts at changes of case: `URLList` is `url list`, `createUser` is `create user`. */
function caseParts(chunk: string): readonly string[] {
  const known = partsCache.get(chunk)
  if (known !== undefined) return known
  const parts = cutAtCase(chunk)
  if (partsCache.size >= cacheMax) partsCache.clear()
  partsCache.set(chunk, parts)
  return parts
}

function cutAtCase(chunk: string): readonly string[] {
  if (ideographs.test(chunk)) return characterPairs(chunk)
  const cut = chunk
    .replaceAll(pluralAcronyms, (plural) => ` ${plural.toLowerCase()} `)
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
  return cut
    .toLowerCase()
    .split(" ")
    .flatMap(digitParts)
    .filter((part) => part !== "" && part.length <= wordCharsMax)
}

/** `oauth2` is `oauth 2`, but what has two letters or fewer is one word: `s3`, `mp3`, `2fa`. */
function digitParts(word: string): readonly string[] {
  if (!/\d/.test(word)) return [word]
  return /^(?:\p{L}{1,2}\d+\p{L}?|\d+\p{L}{1,2})$/u.test(word) ? [word] : (word.match(/\d+|\D+/g) ?? [])
}

/** Text of scripts without word spaces is found by its pairs of neighbouring characters. */
function characterPairs(chunk: string): string[] {
  const characters = Array.from(chunk.toLowerCase())
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`)
}

/** One form for what looks or means the same: full-width letters, ligatures, accents. */
function fold(text: string): string {
  if (asciiOnly.test(text)) return text
  return text
    .normalize("NFKD")
    .replaceAll(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
}

function pushAll(into: string[], words: readonly string[]): void {
  for (const word of words) into.push(word)
}
