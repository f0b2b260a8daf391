// Orders the candidates of a request: the second, careful pass over the few best tools.
//
// In a catalog of a thousand operations most of a request's words are in hundreds of them ("get", "repository").
// What tells the plain tool from its many relatives is what else they are about: a tool gains by how much of its
// own name and headline was asked for. Of several intents each has its own ranking, and the best tool of each
// is lifted, so that the head of the answer covers them all.
import { bestOf, compareCandidates, visiblePaths } from "./candidates.ts"
import type { Candidate } from "./candidates.ts"
import type { Catalog, Concept } from "../query/concepts.ts"
import { factorsFor } from "./factors.ts"
import type { Wanted } from "../query/operation-of-request.ts"
import type { Scores } from "./score.ts"
import { spreadOut } from "./spread.ts"
import { candidatesMax, tuning } from "../tuning.ts"

/** `unknown`: what the words are worth that the catalog has in no way. */
export type Intent = {
  readonly concepts: readonly Concept[]
  readonly scores: Scores
  readonly wanted: Wanted | null
  readonly unknown: number
}

export type Ranking = { readonly candidates: readonly Candidate[]; readonly total: number }

/**
 * At least `limit` candidates of the whole request, best first, with scores from 0 to 1. How many are ranked with
 * care does not depend on `limit`: else the pages of one request would not fit together.
 */
export function rank(whole: Intent, intents: readonly Intent[], limit: number, catalog: Catalog): Ranking {
  const { candidates, total, isWorth } = bestOf(catalog.view, whole.scores, Math.max(limit, candidatesMax.whole))
  const careful = rerank(candidates.slice(0, candidatesMax.whole), whole, catalog)
  const lifted = intents.length < 2 ? careful : liftIntents(careful, intents, catalog)
  const head = spreadOut(lifted, whole.concepts)
  const shown = new Set(head.map(keyOf))
  const last = head.at(-1)?.score ?? 0
  const tail = candidates.slice(candidatesMax.whole).filter((candidate) => !shown.has(keyOf(candidate)))
  const raised = head.filter(({ group, tool }) => !isWorth(group.offset + tool))
  const raisedPaths = raised.reduce((sum, { group, tool }) => sum + visiblePaths(group, tool), 0)
  return { candidates: [...head, ...tail.map((candidate) => ({ ...candidate, score: last }))], total: total + raisedPaths }
}

/** Adds what each tool is worth for the single intents. */
function liftIntents(ranked: readonly Candidate[], intents: readonly Intent[], catalog: Catalog): Candidate[] {
  const lifted = new Map<number, Candidate>()
  const top = ranked[0]?.score ?? 1
  for (const candidate of ranked) lifted.set(keyOf(candidate), { ...candidate, score: candidate.score / top })
  for (const intent of intents) {
    const { candidates } = bestOf(catalog.view, intent.scores, candidatesMax.intent)
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

const keyOf = ({ group, tool }: Candidate): number => group.offset + tool

function rerank(candidates: readonly Candidate[], intent: Intent, catalog: Catalog): Candidate[] {
  const factorsOf = factorsFor(intent, catalog)
  const most =
    intent.concepts.reduce((sum, concept) => sum + concept.best, 0) *
    (1 + tuning.nameCoverage + tuning.headlineCoverage) *
    (1 + tuning.thingBonus)
  return candidates
    .map((candidate) => {
      const { words, thing, operation, integration } = factorsOf(candidate)
      return { ...candidate, score: Math.min(scoreMax, (candidate.score * words * thing * operation * integration) / most) }
    })
    .toSorted(compareCandidates)
}
