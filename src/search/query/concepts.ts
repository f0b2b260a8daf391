// Maps the words of a request to the words of a catalog: what each may be called there, and what a match is worth.
import type { CatalogView, Group } from "../index/view.ts"
import { everydayWords, isCommonNoun, relatedTo } from "../language/families.ts"
import { isVerb } from "../language/verb-lists.ts"
import type { RequestWord } from "./request.ts"
import { requestLimits, tuning } from "../tuning.ts"
import type { Vocabulary } from "../index/vocabulary.ts"
import type { WordCounts } from "../index/word-counts.ts"

/** A word of the catalog that a concept may be called by, and what a tool gains by having it. */
export type Alternative = { readonly word: number; readonly weight: number; readonly value: number }

export type Concept = {
  /** As it was said. */
  readonly word: string
  readonly stem: string
  readonly isHint: boolean
  readonly alternatives: readonly Alternative[]
  /** The groups whose integration is named by it: all their tools have it, by this value. */
  readonly namedGroups: ReadonlySet<Group>
  readonly namedValue: number
  /** Whether that name is a brand: who says it means no other integration. "Mail" may only be a word. */
  readonly isBrand: boolean
  /** The most that a tool can gain by it. */
  readonly best: number
}

/** What a request is read against. */
export type Catalog = {
  readonly view: CatalogView
  readonly counts: WordCounts
  readonly vocabulary: Vocabulary
  /** What was already guessed for unknown stems of this request: comparing spellings is the dearest part of it. */
  readonly guesses: Map<string, Names>
}

/** Words of the catalog, each with how surely it is meant. */
type Names = ReadonlyMap<number, number>

/** The concepts of a request's words. Words that the catalog does not have, in any way, are left out. */
export function conceptsOf(words: readonly RequestWord[], catalog: Catalog): Concept[] {
  return words
    .map((entry) => asInCatalog(entry, catalog))
    .map((entry) => conceptOf(entry, namesFor(entry, catalog), catalog))
    .filter((concept) => concept.best > 0)
}

function asInCatalog(entry: RequestWord, { counts, vocabulary }: Catalog): RequestWord {
  const word = entry.form === "" ? undefined : vocabulary.find(entry.form)
  if (word === undefined || counts.count(word) === 0) return entry
  const related = new Map([...entry.related, ...relatedTo(entry.form), [entry.stem, tuning.nounWeight]])
  return { ...entry, stem: entry.form, related }
}

/** The word itself and its relatives, as far as the catalog has them; else what may be meant by it. */
function namesFor(entry: RequestWord, catalog: Catalog): Names {
  const { counts, vocabulary, guesses } = catalog
  const names = new Map<number, number>()
  const add = (stem: string, weight: number): void => {
    const word = vocabulary.find(stem)
    if (word !== undefined && counts.count(word) > 0) names.set(word, Math.max(weight, names.get(word) ?? 0))
  }
  add(entry.stem, 1)
  for (const [stem, weight] of entry.related) add(stem, weight)
  if (names.size > 0 || everydayWords.has(entry.word)) return names
  const known = guesses.get(entry.stem)
  if (known !== undefined || guesses.size >= requestLimits.unknownWords) return known ?? names
  const found = guessesFor(entry, catalog)
  guesses.set(entry.stem, found)
  return found
}

/** For a word that is called nothing in the catalog: what was meant by it if it is misspelt. */
function guessesFor(entry: RequestWord, { counts, vocabulary }: Catalog): Names {
  const near = vocabulary.similar(entry.word, entry.stem, (word) => counts.count(word))
  return new Map(near.map(({ id, distance }) => [id, tuning.typoWeights[distance] ?? 0]))
}

/** Synonyms that may name an integration, where no tool has the word itself: who remembers something may mean the one for memory. */
export const namesOf = (entry: RequestWord): string[] =>
  entry.isHint || isVerb(entry.word) ? [] : [...entry.related].flatMap(([stem, weight]) => (weight >= 0.6 ? [stem] : []))

function conceptOf(entry: RequestWord, names: Names, { view, counts, vocabulary }: Catalog): Concept {
  const own = vocabulary.find(entry.stem)
  const ownCount = own === undefined ? 0 : counts.count(own)
  // A relative is never worth more than the word that was said: "issue" may be common, but then "ticket" is no better.
  const rarityMax = ownCount > 0 ? counts.rarity(ownCount) : Number.POSITIVE_INFINITY
  const alternatives = [...names].map(([word, weight]) => ({
    word,
    weight: weight * Math.sqrt(entry.weight),
    value: entry.weight * weight * Math.min(counts.rarity(counts.count(word)), rarityMax),
  }))
  const saidGroups = view.named.get(entry.stem) ?? []
  const isKnown = saidGroups.length > 0 || ownCount > 0
  const namedGroups = new Set(isKnown ? saidGroups : namesOf(entry).flatMap((stem) => view.named.get(stem) ?? []))
  const sureness = saidGroups.length > 0 ? 1 : tuning.nounWeight
  const namedTools = namedGroups.values().reduce((sum, group) => sum + group.segment.toolCount, 0)
  const elsewhere = own === undefined || namedTools === 0 ? 0 : counts.outside(own, namedGroups)
  // A catalog of one integration is not narrowed by its name, but the name still finds it.
  const namedValue = namedTools === 0 ? 0 : entry.weight * sureness * counts.rarity(Math.min(namedTools + elsewhere, view.toolCount))
  const isBrand = saidGroups.length > 0 && !isCommonNoun(entry.stem) && elsewhere <= tuning.brandElsewhere * view.toolCount
  const best = isBrand ? namedValue : alternatives.reduce((most, { value }) => Math.max(most, value), namedValue)
  return { word: entry.word, stem: entry.stem, isHint: entry.isHint, alternatives, namedGroups, namedValue, isBrand, best }
}
