// Tells whether the first hit of a search is clearly the one that was meant.
import type { SearchHit } from "./indexed-tool.ts"

/** The first hit must answer at least this much of the request. */
const scoreMin = 0.4
/** The second one must stay this far behind. */
const lead = 0.8

/** An exact path always does. A tool that is reached through two connections does not stand out: which one is meant is for the caller to say. */
export function standsOut(hits: readonly SearchHit[]): boolean {
  const [first, second] = hits
  if (first === undefined || first.score < scoreMin) return false
  if (first.score === 1) return second === undefined || second.score < 1
  return second === undefined || second.score <= first.score * lead
}
