// Lets the head of an answer cover a whole request: what earlier hits answer counts less for those after them.
import type { Candidate } from "./candidates.ts"
import type { Concept } from "../query/concepts.ts"
import { gainsOf } from "./gains.ts"
import { tuning } from "../tuning.ts"

/** How many places are given out this way, and among how many candidates. */
const spread = { places: 5, candidates: 12 }

export function spreadOut(ranked: readonly Candidate[], concepts: readonly Concept[]): Candidate[] {
  const pool = ranked.slice(0, spread.candidates).map((candidate) => {
    const gains = gainsOf(candidate, concepts)
    return { candidate, gains, sum: gains.reduce((sum, gain) => sum + gain, 0) }
  })
  /** What each concept still counts. */
  const worth = concepts.map(() => 1)
  const valueOf = ({ candidate, gains, sum }: (typeof pool)[number]): number =>
    sum === 0 ? candidate.score : (candidate.score * gains.reduce((left, gain, number) => left + gain * (worth[number] ?? 1), 0)) / sum
  const head: Candidate[] = []
  while (head.length < spread.places && pool.length > 0) {
    const values = pool.map(valueOf)
    const [taken] = pool.splice(values.indexOf(Math.max(...values)), 1)
    if (taken === undefined) break
    head.push(taken.candidate)
    for (const [number, gain] of taken.gains.entries())
      if (gain > 0) worth[number] = (worth[number] ?? 1) * tuning.coveredFactor ** (gain / (concepts[number]?.best ?? 1))
  }
  let least = 1
  return [...head, ...pool.map(({ candidate }) => candidate), ...ranked.slice(spread.candidates)].map((candidate) => {
    least = Math.min(least, candidate.score)
    return { ...candidate, score: least }
  })
}
