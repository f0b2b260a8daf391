// Which other words a word of a request may stand for, and how surely.
import { tuning } from "./tuning.ts"
import { nounFamilies, topicFamilies, verbFamilies } from "./word-families.ts"
import { deedNouns, phrases, plainVerbs, stopWords, weakWords, wordPairs } from "./word-lists.ts"
import { stemOf } from "./words.ts"

/** Stems of related words with their weights. */
export type Related = ReadonlyMap<string, number>

const wordsOf = (line: string): string[] => line.split(/\s+/).filter((word) => word !== "")

/** Words that are certainly words: never taken for misspelt, and known as parts of names that were written together. */
export const everydayWords: ReadonlySet<string> = new Set(
  [...verbFamilies, ...nounFamilies, ...topicFamilies]
    .flatMap((family) => wordsOf(family.replace("|", " ")))
    .concat([...weakWords])
    .filter((word) => word.length >= 3 && !stopWords.has(word)),
)

/** Words with a meaning of their own, which also are names of products: "mail", "calendar". */
export const commonNouns: ReadonlySet<string> = new Set(
  [...nounFamilies, ...verbFamilies, ...topicFamilies].flatMap((family) => wordsOf(family.split("|")[0] ?? "")),
)

const related = relations([
  [wordPairs.map(([first, second]) => `${first} | ${first}${second}`), 1],
  [verbFamilies, tuning.verbWeight],
  [nounFamilies, tuning.nounWeight],
  [topicFamilies, tuning.topicWeight],
])
const unrelated: Related = new Map()

export const relatedTo = (stem: string): Related => related.get(stem) ?? unrelated

function relations(tiers: readonly (readonly [families: readonly string[], weight: number])[]): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>()
  const relate = (from: string, to: string, weight: number): void => {
    if (from === to) return
    const known = found.get(from) ?? new Map<string, number>()
    known.set(to, Math.max(weight, known.get(to) ?? 0))
    found.set(from, known)
  }
  for (const [families, weight] of tiers) {
    for (const family of families) {
      const [members = [], aliases = []] = family.split("|").map((side) => wordsOf(side).map(stemOf))
      for (const to of members) {
        for (const from of members) relate(from, to, weight)
        for (const from of aliases) relate(from, to, weight * tuning.aliasFactor)
      }
    }
  }
  return found
}

const verbs = new Set(wordsOf(plainVerbs).map(stemOf))
const nounsOfDeeds = new Set(wordsOf(deedNouns))

export const isVerb = (word: string): boolean => verbs.has(stemOf(word))
/** Whether a word names what is made by doing it: "comment", "star". */
export const isDeedNoun = (word: string): boolean => nounsOfDeeds.has(word)

export type Phrase = { readonly said: readonly string[]; readonly meant: readonly string[] }

const phrasesByFirstWord = Map.groupBy(
  phrases
    .map(([said, meant]): Phrase => ({ said: said.split(" "), meant: meant.split(" ") }))
    .toSorted((a, b) => b.said.length - a.said.length),
  (phrase) => phrase.said[0] ?? "",
)

/** The longest known phrase that begins at a word. */
export function phraseAt(words: readonly string[], at: number): Phrase | undefined {
  return phrasesByFirstWord.get(words[at] ?? "")?.find((phrase) => phrase.said.every((word, index) => words[at + index] === word))
}
