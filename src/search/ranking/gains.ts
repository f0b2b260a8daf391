// Tells for single tools what each word of a request brings them, and how much of the request that answers.
import type { Candidate } from "./candidates.ts"
import type { Concept } from "../query/concepts.ts"
import type { Intent } from "./rank.ts"
import { firstPlace, postingsOf } from "../index/segment.ts"
import type { Segment } from "../index/segment.ts"

/** What a tool gains by each concept. */
export function gainsOf({ group, tool }: Candidate, concepts: readonly Concept[]): number[] {
  return concepts.map((concept) => {
    if (concept.namedGroups.has(group)) return concept.namedValue
    return concept.alternatives.reduce((most, { word, value }) => Math.max(most, (value * impactOf(group.segment, word, tool)) / 255), 0)
  })
}

function impactOf(segment: Segment, word: number, tool: number): number {
  const { from, to } = postingsOf(segment, word)
  const at = firstPlace(from, to, (place) => (segment.tools[place] ?? 0) < tool)
  return at < to && segment.tools[at] === tool ? (segment.impacts[at] ?? 0) : 0
}

/** How many of the first tools may answer a request together. */
const answeringMax = 5

/** How much of what was asked for the first tools have, from 0 to 1. Words that the catalog does not have were asked for as well. */
export function answeredShare(ranked: readonly Candidate[], { concepts, unknown }: Intent): number {
  const asked = concepts.filter((concept) => !concept.isHint)
  const head = ranked.slice(0, answeringMax).map((candidate) => gainsOf(candidate, asked))
  const met = asked.reduce((sum, _, number) => sum + Math.max(0, ...head.map((gains) => gains[number] ?? 0)), 0)
  const all = asked.reduce((sum, concept) => sum + concept.best, unknown)
  return all === 0 ? Number(concepts.length > 0) : met / all
}
