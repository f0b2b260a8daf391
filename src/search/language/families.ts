// Which other words a word of a request may stand for, and with what confidence.
import { tuning } from "../tuning.ts"
import { nounFamilies, topicFamilies, verbFamilies } from "./word-families.ts"
import { phrases, stopWords, weakWords, wordPairs, wordsOf } from "./word-lists.ts"
import { stemOf } from "./words.ts"

/** Stems of related words with their weights. */
export type Related = ReadonlyMap<string, number>

/** Words that are certainly words: never taken for misspelt, and known as parts of names that were written together. */
export const everydayWords: ReadonlySet<string> = new Set(
  [...verbFamilies, ...nounFamilies, ...topicFamilies]
    .flatMap((family) => wordsOf(family.replace("|", " ")))
    .concat([...weakWords])
    .filter((word) => word.length >= 3 && !stopWords.has(word)),
)

/** Words with a meaning of their own, which also are names of products: "mail", "calendar". */
const commonStems: ReadonlySet<string> = new Set(
  [...nounFamilies, ...verbFamilies, ...topicFamilies].flatMap((family) => wordsOf(family.split("|")[0] ?? "")).map(stemOf),
)
export const isCommonNoun = (stem: string): boolean => commonStems.has(stem)

const related = relations([
  [wordPairs.map(([first, second]) => `${first} | ${first}${second}`), 1 / tuning.aliasFactor],
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

/** What a phrase means, and how many words of the request it stands for. */
export type Phrase = { readonly meant: readonly string[]; readonly length: number }

const phrasesByFirstWord = Map.groupBy(
  phrases.map(([said, meant]) => ({ said: said.split(" "), meant: meant.split(" ") })).toSorted((a, b) => b.said.length - a.said.length),
  (phrase) => phrase.said[0] ?? "",
)
/** How far from its verb a particle may stand: "take the old label off". */
const particleReach = 5

/** The longest known phrase that begins at a word. Its particle may stand after its object: "turn the server off". */
export function phraseAt(words: readonly string[], at: number): Phrase | undefined {
  const known = phrasesByFirstWord.get(words[at] ?? "")
  const whole = known?.find((phrase) => phrase.said.every((word, index) => words[at + index] === word))
  if (whole !== undefined) return { meant: whole.meant, length: whole.said.length }
  const particle = known === undefined ? undefined : particleOf(words, at)
  const parted = known?.find(({ said }) => said.length === 2 && said[1] === particle)
  return parted === undefined ? undefined : { meant: parted.meant, length: 1 }
}

/** What belongs to a verb, next to it or after its object. "on" and "in" there mostly belong to what follows them, unless nothing does. */
export function particleOf(words: readonly string[], at: number): string | undefined {
  const next = words[at + 1] ?? ""
  if (joinedParticles.has(next)) return next
  const later = words.findIndex((word, index) => index > at + 1 && index <= at + particleReach && joinedParticles.has(word))
  const particle = words[later]
  return particle !== undefined && (looseParticles.has(particle) || later === words.length - 1) ? particle : undefined
}

const joinedParticles: ReadonlySet<string> = new Set(["on", "in", "up", "down", "off", "out", "back", "away"])
const looseParticles: ReadonlySet<string> = new Set(["off", "out", "back", "away"])
