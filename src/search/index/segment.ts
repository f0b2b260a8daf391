// The inverted index of one tool set: for each word, which tools have it and how strongly.
import type { Effect } from "../../core/tool.ts"
import { kinds } from "./operation-of-tool.ts"
import type { Kind } from "./operation-of-tool.ts"

/** Immutable once built. Tools are numbered in the order they came in; words by the vocabulary. */
export type Segment = {
  readonly toolCount: number
  /** The words that occur, sorted; the postings of `words[i]` are `starts[i]` to `ends[i]`. */
  readonly words: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly tools: Uint16Array | Uint32Array
  /** How strongly the tool has the word, after saturation: 1 to 255. */
  readonly impacts: Uint8Array
  /** The words of each tool's name. */
  readonly nameWords: WordLists
  /** The words of each tool's headline: its summary, or a short first sentence. */
  readonly headlineWords: WordLists
  readonly names: readonly string[]
  readonly titles: readonly string[]
  readonly descriptions: readonly string[]
  readonly facts: Uint8Array
  /** The word for the thing that each tool deals with. */
  readonly things: Uint32Array
  /** Tools by lower-case name, so that exact names and prefixes are found by halving. */
  readonly byName: Uint32Array
  /** Position of each tool when nothing else tells them apart: plain and central ones first. */
  readonly defaultOrder: Uint32Array
}

/** A list of words for each tool: those of tool `t` are `words[starts[t]]` to `words[starts[t + 1]]`. */
export type WordLists = { readonly words: Uint32Array; readonly starts: Uint32Array }

/** Stands for no word: no tool set has as many. */
export const noWord = 0xffffffff

/** Where the postings of a word begin and end. */
export type Postings = { readonly from: number; readonly to: number }

const none: Postings = { from: 0, to: 0 }
const effects: readonly Effect[] = ["read", "write", "destroy"]
const deprecatedBit = 4
const kindShift = 3

/** What is known of a tool besides its words, in one byte. */
export const packFacts = (deprecated: boolean, effect: Effect, kind: Kind): number =>
  (kinds.indexOf(kind) << kindShift) + (deprecated ? deprecatedBit : 0) + effects.indexOf(effect)
export const isPackedDeprecated = (facts: number): boolean => (facts & deprecatedBit) !== 0
export const isDeprecated = (segment: Segment, tool: number): boolean => isPackedDeprecated(segment.facts[tool] ?? 0)
export const effectOf = (segment: Segment, tool: number): Effect => effects[(segment.facts[tool] ?? 0) & 3] ?? "write"
export const kindOf = (segment: Segment, tool: number): Kind => kinds[(segment.facts[tool] ?? 0) >> kindShift] ?? "change"

/** The postings of a word; an empty range when the tool set does not have it. */
export function postingsOf(segment: Segment, word: number): Postings {
  let low = 0
  let high = segment.words.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = segment.words[middle] ?? 0
    if (found === word) return { from: segment.starts[middle] ?? 0, to: segment.ends[middle] ?? 0 }
    if (found < word) low = middle + 1
    else high = middle - 1
  }
  return none
}

/** The tools whose name starts with `prefix`, as a range of `byName`. Names that go on at a dot come first. */
export function namesStartingWith(segment: Segment, prefix: string): Postings {
  const key = sortKey(prefix)
  return { from: firstAtOrAfter(segment, key), to: firstAtOrAfter(segment, `${key}\uffff`) }
}

/** The tools whose name is `prefix` or goes on from it at a dot, as a range of `byName`. */
export function namesBelow(segment: Segment, prefix: string): Postings {
  if (prefix === "") return { from: 0, to: segment.toolCount }
  const key = sortKey(prefix)
  return { from: firstAtOrAfter(segment, key), to: firstAtOrAfter(segment, `${key}${afterDot}`) }
}

/** The tools of exactly this name but for its case, as a range of `byName`. */
export function namesEqualTo(segment: Segment, name: string): Postings {
  const key = sortKey(name)
  return { from: firstAtOrAfter(segment, key), to: firstAtOrAfter(segment, `${key}\u0000`) }
}

function firstAtOrAfter({ names, byName, toolCount }: Segment, key: string): number {
  let low = 0
  let high = toolCount
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sortKey(names[byName[middle] ?? 0] ?? "") < key) low = middle + 1
    else high = middle
  }
  return low
}

const afterDot = "\u0002"

/** A dot sorts before every other character of a name, so that the tools below a prefix are neighbours. */
export const sortKey = (name: string): string => name.toLowerCase().replaceAll(".", "\u0001")
