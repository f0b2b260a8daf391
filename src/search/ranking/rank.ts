// Orders the candidates of a request: the second, careful pass over the few best tools.
//
// In a catalog of a thousand operations most of a request's words are in hundreds of them ("get", "repository").
// What tells the plain tool from its many relatives is what else they are about: a tool gains by how much of its
// own name and headline was asked for. Of several intents each has its own ranking, and the best tool of each
// is lifted, so that the head of the answer covers them all.
import { bestOf, compareCandidates } from "./candidates.ts"
import type { Candidate } from "./candidates.ts"
import type { Catalog, Concept } from "../query/concepts.ts"
import { fitOf } from "./operation-fit.ts"
import type { Wanted } from "../query/operation-of-request.ts"
import type { Scores } from "./score.ts"
import { kindOf } from "../index/segment.ts"
import type { WordLists } from "../index/segment.ts"
import { stemOf } from "../language/words.ts"
import { candidatesMax, tuning } from "../tuning.ts"

export type Intent = { readonly concepts: readonly Concept[]; readonly scores: Scores; readonly wanted: Wanted | null }

export type Ranking = { readonly candidates: readonly Candidate[]; readonly total: number }

/**
 * At least `limit` candidates of the whole request, best first, with scores from 0 to 1. How many are ranked with
 * care does not depend on `limit`: else the pages of one request would not fit together.
 */
export function rank(whole: Intent, intents: readonly Intent[], limit: number, catalog: Catalog): Ranking {
  const { candidates, total } = bestOf(catalog.view, whole.scores, "matching", Math.max(limit, candidatesMax.whole))
  const sorted = candidates.toSorted(compareCandidates)
  const careful = rerank(sorted.slice(0, candidatesMax.whole), whole, catalog)
  const head = intents.length < 2 ? careful : liftIntents(careful, intents, catalog)
  const shown = new Set(head.map(keyOf))
  const last = head.at(-1)?.score ?? 0
  const tail = sorted.slice(candidatesMax.whole).filter((candidate) => !shown.has(keyOf(candidate)))
  return { candidates: [...head, ...tail.map((candidate) => ({ ...candidate, score: last }))], total }
}

/** Adds what each tool is worth for the single intents. */
function liftIntents(ranked: readonly Candidate[], intents: readonly Intent[], catalog: Catalog): Candidate[] {
  const lifted = new Map<string, Candidate>()
  const top = ranked[0]?.score ?? 1
  for (const candidate of ranked) lifted.set(keyOf(candidate), { ...candidate, score: candidate.score / top })
  for (const intent of intents) {
    const { candidates } = bestOf(catalog.view, intent.scores, "matching", candidatesMax.intent)
    for (const [position, candidate] of rerank(candidates, intent, catalog).slice(0, liftedMax).entries()) {
      const key = keyOf(candidate)
      const gain = candidate.score * (position === 0 ? tuning.intentBest : tuning.intentOther)
      lifted.set(key, { ...candidate, score: (lifted.get(key)?.score ?? 0) + gain })
    }
  }
  const most = 1 + tuning.intentBest
  const scaled = [...lifted.values()].map((candidate) => ({ ...candidate, score: Math.min(scoreMax, candidate.score / most) }))
  return scaled.toSorted(compareCandidates)
}

/** How many tools of one intent are lifted. */
const liftedMax = 5
/** Only an exact path is certain. */
const scoreMax = 0.99

const keyOf = (candidate: Candidate): string => `${candidate.group.offset}:${candidate.tool}`

function rerank(candidates: readonly Candidate[], intent: Intent, { counts }: Catalog): Candidate[] {
  const isBrandAlone = intent.concepts.every((concept) => concept.isBrand)
  const asked = askedWords(isBrandAlone ? [] : intent.concepts)
  const thingStem = intent.wanted === null ? "" : stemOf(intent.wanted.thing)
  const thingWords = askedWords(intent.concepts.filter((concept) => concept.stem === thingStem))
  const isSaidCommand = intent.wanted !== null && intent.wanted.operation !== "read" && intent.wanted.said
  const weightOf = remember((word: number) => Math.max(0.5, counts.rarity(counts.count(word))) ** tuning.coverageRarity)
  const most =
    intent.concepts.reduce((sum, concept) => sum + concept.best, 0) *
    (1 + tuning.nameCoverage + tuning.headlineCoverage) *
    (1 + tuning.thingBonus)
  const branded = new Set(intent.concepts.flatMap((concept) => (concept.isBrand ? [...concept.namedGroups] : [])))
  const isElsewhere = (candidate: Candidate): boolean => branded.size > 0 && !branded.has(candidate.group)
  return candidates
    .map((candidate) => {
      const { segment } = candidate.group
      const thing = 1 + tuning.thingBonus * (thingWords.get(segment.things[candidate.tool] ?? 0) ?? 0)
      const isOther = thingWords.size > 0 && isSaidCommand && !hasAny(candidate, thingWords)
      const fit = (isOther ? tuning.otherThingFactor : thing) * fitOf(intent.wanted, kindOf(segment, candidate.tool))
      const factor = coverageFactor(candidate, asked, weightOf) * fit * (isElsewhere(candidate) ? tuning.elsewhereFactor : 1)
      return { ...candidate, score: Math.min(scoreMax, (candidate.score * factor) / most) }
    })
    .toSorted(compareCandidates)
}

/** Every word that was asked for, with how surely. */
function askedWords(concepts: readonly Concept[]): Map<number, number> {
  const asked = new Map<number, number>()
  for (const concept of concepts) {
    for (const { word, weight } of concept.alternatives) asked.set(word, Math.max(weight, asked.get(word) ?? 0))
  }
  return asked
}

type WeightOf = (word: number) => number

function coverageFactor({ group, tool }: Candidate, asked: ReadonlyMap<number, number>, weightOf: WeightOf): number {
  const { nameWords, headlineWords } = group.segment
  return (
    1 +
    tuning.nameCoverage * coverage(nameWords, tool, asked, weightOf) +
    tuning.headlineCoverage * coverage(headlineWords, tool, asked, weightOf)
  )
}

/** Whether a tool's name or headline has one of the words. */
const hasAny = ({ group, tool }: Candidate, asked: ReadonlyMap<number, number>): boolean =>
  [group.segment.nameWords, group.segment.headlineWords].some(({ words, starts }) => {
    for (let at = starts[tool] ?? 0; at < (starts[tool + 1] ?? 0); at += 1) if (asked.has(words[at] ?? 0)) return true
    return false
  })

/** How much of a list of words was asked for, from 0 to 1. */
function coverage({ words, starts }: WordLists, tool: number, asked: ReadonlyMap<number, number>, weightOf: WeightOf): number {
  let whole = 0
  let covered = 0
  const end = starts[tool + 1] ?? 0
  for (let at = starts[tool] ?? 0; at < end; at += 1) {
    const word = words[at] ?? 0
    const weight = weightOf(word)
    whole += weight
    covered += weight * (asked.get(word) ?? 0)
  }
  return whole === 0 ? 0 : covered / whole
}

/** The same words come in most names: their weights are worked out once. */
function remember(workOut: WeightOf): WeightOf {
  const known = new Map<number, number>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = workOut(word)
    known.set(word, found)
    return found
  }
}
