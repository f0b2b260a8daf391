// The inverted index of one tool set: for each word, which tools have it and how strongly.
import type { Effect } from "../../core/tool.ts"
import { operations } from "../language/verb-lists.ts"
import type { Operation } from "../language/verb-lists.ts"

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
const operationShift = 3

/** What is known of a tool besides its words, in one byte. */
export const packFacts = (deprecated: boolean, effect: Effect, operation: Operation): number =>
  (operations.indexOf(operation) << operationShift) + (deprecated ? deprecatedBit : 0) + effects.indexOf(effect)
export const isDeprecated = ({ facts }: Pick<Segment, "facts">, tool: number): boolean => ((facts[tool] ?? 0) & deprecatedBit) !== 0
export const effectOf = (segment: Segment, tool: number): Effect => effects[(segment.facts[tool] ?? 0) & 3] ?? "write"
export const operationOf = (segment: Segment, tool: number): Operation =>
  operations[(segment.facts[tool] ?? 0) >> operationShift] ?? "change"

/** The first place from `from` to `to` that does not come before what is looked for. */
export function firstPlace(from: number, to: number, isBefore: (place: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The postings of a word; an empty range when the tool set does not have it. A loop of its own, because a search asks for thousands. */
export function postingsOf({ words, starts, ends }: Segment, word: number): Postings {
  let low = 0
  let high = words.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = words[middle] ?? 0
    if (found === word) return { from: starts[middle] ?? 0, to: ends[middle] ?? 0 }
    if (found < word) low = middle + 1
    else high = middle - 1
  }
  return none
}

/** How a name may go on from what is looked for: not at all, at a dot, or in any way. */
export type Continued = "not" | "dotted" | "anyhow"

/** A name goes on with something that sorts before this. */
const continuedBefore: Readonly<Record<Continued, string>> = { not: "\u0000", dotted: "\u0002", anyhow: "\uffff" }

/** The tools whose name begins so but for its case, as a range of `byName`. Names that go on at a dot come first. */
export function namesFrom({ names, byName, toolCount }: Segment, beginning: string, continued: Continued): Postings {
  const firstFrom = (key: string): number => firstPlace(0, toolCount, (place) => sortKey(names[byName[place] ?? 0] ?? "") < key)
  const key = sortKey(beginning)
  return { from: firstFrom(key), to: firstFrom(`${key}${continuedBefore[continued]}`) }
}

/** A dot sorts before every other character of a name, so that the tools below a prefix are neighbours. */
export const sortKey = (name: string): string => name.toLowerCase().replaceAll(".", "\u0001")
