// Brings the words of a request together with the words of a catalog: what each may be called there, and what a match is worth.
import type { CatalogView, Group } from "./catalog-view.ts"
import { commonNouns, everydayWords } from "./families.ts"
import { compoundParts } from "./compounds.ts"
import type { RequestWord } from "./request.ts"
import { postingsOf } from "./segment.ts"
import { requestLimits, tuning } from "./tuning.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { stemOf } from "./words.ts"

/** A word of the catalog that a concept may be called by. */
export type Alternative = { readonly word: number; readonly weight: number; readonly value: number }

export type Concept = {
  readonly alternatives: readonly Alternative[]
  /** The groups whose integration is named by it: all their tools have it, by this value. */
  readonly namedGroups: ReadonlySet<Group>
  readonly namedValue: number
  /** Whether that name is a brand: who says it means no other integration. "Mail" may only be a word. */
  readonly isBrand: boolean
  readonly isHint: boolean
  /** The most that a tool can gain by it. */
  readonly best: number
}

export type WordCounts = {
  /** How many tools of the view have a word. */
  count(word: number): number
  /** How much a word tells tools apart: BM25's inverse document frequency. */
  rarity(count: number): number
}

export function countsIn(view: CatalogView): WordCounts {
  const known = new Map<number, number>()
  const count = (word: number): number => {
    const before = known.get(word)
    if (before !== undefined) return before
    let sum = 0
    for (const segment of view.segments) {
      const { from, to } = postingsOf(segment, word)
      sum += to - from
    }
    known.set(word, sum)
    return sum
  }
  return { count, rarity: (tools) => Math.log(1 + (view.toolCount - tools + 0.5) / (tools + 0.5)) }
}

/** The concepts of a request's words. Words that the catalog does not have, in any way, are left out. */
export function conceptsOf(words: readonly RequestWord[], view: CatalogView, counts: WordCounts, vocabulary: Vocabulary): Concept[] {
  const concepts: Concept[] = []
  let unknown = 0
  for (const entry of words) {
    const names = namesFor(entry, counts, vocabulary)
    if (names.size === 0 && !everydayWords.has(entry.word) && unknown < requestLimits.unknownWords) {
      unknown += 1
      for (const [word, weight] of guessesFor(entry, counts, vocabulary)) names.set(word, weight)
    }
    const concept = conceptOf(entry, names, view, counts, vocabulary)
    if (concept.best > 0) concepts.push(concept)
  }
  return concepts
}

/** The word itself and its relatives, as far as the catalog has them. */
function namesFor(entry: RequestWord, counts: WordCounts, vocabulary: Vocabulary): Map<number, number> {
  const names = new Map<number, number>()
  const add = (stem: string, weight: number): void => {
    const word = vocabulary.find(stem)
    if (word !== undefined && counts.count(word) > 0) names.set(word, Math.max(weight, names.get(word) ?? 0))
  }
  add(entry.stem, 1)
  for (const [stem, weight] of entry.related) add(stem, weight)
  return names
}

/** For a word that is called nothing in the catalog: what it is made up of, or what was meant by it if it is misspelt. */
function guessesFor(entry: RequestWord, counts: WordCounts, vocabulary: Vocabulary): Map<number, number> {
  const isKnown = (word: number): boolean => counts.count(word) > 0
  const guesses = new Map<number, number>()
  for (const part of compoundParts(entry.word, (text) => isKnown(vocabulary.find(stemOf(text)) ?? -1))) {
    const word = vocabulary.find(stemOf(part))
    if (word !== undefined && isKnown(word)) guesses.set(word, tuning.typoWeights[1] ?? 0)
  }
  if (guesses.size > 0) return guesses
  for (const { id, distance } of vocabulary.similar(entry.word, entry.stem, isKnown)) guesses.set(id, tuning.typoWeights[distance] ?? 0)
  return guesses
}

function conceptOf(
  entry: RequestWord,
  names: ReadonlyMap<number, number>,
  view: CatalogView,
  counts: WordCounts,
  vocabulary: Vocabulary,
): Concept {
  const own = vocabulary.find(entry.stem)
  const ownCount = own === undefined ? 0 : counts.count(own)
  // A relative is never worth more than the word that was said: "issue" may be common, but then "ticket" is no better.
  const rarityMax = ownCount > 0 ? counts.rarity(ownCount) : Number.POSITIVE_INFINITY
  const alternatives = [...names].map(([word, weight]) => ({
    word,
    weight: weight * Math.max(tuning.coverageFloor, Math.min(1, entry.weight)),
    value: entry.weight * weight * Math.min(counts.rarity(counts.count(word)), rarityMax),
  }))
  const namedGroups = new Set(view.groups.filter((group) => group.nameStems.has(entry.stem)))
  const namedTools = [...namedGroups].reduce((sum, group) => sum + group.segment.toolCount, 0)
  const namedValue =
    namedTools === 0 ? 0 : entry.weight * tuning.mountImpact * Math.max(0.05, counts.rarity(Math.min(namedTools, view.toolCount)))
  return {
    isHint: entry.isHint,
    alternatives,
    namedGroups,
    namedValue,
    isBrand: namedTools > 0 && !commonNouns.has(entry.word),
    best: alternatives.reduce((most, { value }) => Math.max(most, value), namedValue),
  }
}
