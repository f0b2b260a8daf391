// Adds up what each tool gains by the concepts of a request: the first, fast pass over all tools of a view.
import type { CatalogView, Group } from "../index/view.ts"
import type { Concept } from "../query/concepts.ts"
import { postingsOf } from "../index/segment.ts"

/** One number for each tool of each group, at the group's offset. */
export type Scores = Float32Array

export function scoreAll(view: CatalogView, concepts: readonly Concept[], scores: Scores): void {
  const largest = view.groups.reduce((most, group) => Math.max(most, group.segment.toolCount), 0)
  const gained = new Float32Array(largest)
  for (const group of view.groups) {
    for (const concept of concepts) {
      if (concept.namedGroups.has(group)) addToAll(group, concept.namedValue, scores)
      else if (concept.alternatives.length === 1) addSingle(group, concept, scores)
      else addBest(group, concept, scores, gained)
    }
  }
}

/** Adds what only counts for tools that have a score already. */
export function scoreMatched(view: CatalogView, hints: readonly Concept[], scores: Scores): void {
  if (hints.length === 0) return
  const gains = new Float32Array(scores.length)
  scoreAll(view, hints, gains)
  for (let slot = 0; slot < scores.length; slot += 1) {
    const score = scores[slot] ?? 0
    if (score > 0) scores[slot] = score + (gains[slot] ?? 0)
  }
}

function addToAll(group: Group, value: number, scores: Scores): void {
  const end = group.offset + group.segment.toolCount
  for (let slot = group.offset; slot < end; slot += 1) scores[slot] = (scores[slot] ?? 0) + value
}

function addSingle(group: Group, concept: Concept, scores: Scores): void {
  const { segment, offset } = group
  const { tools, impacts } = segment
  for (const { word, value } of concept.alternatives) {
    const { from, to } = postingsOf(segment, word)
    const unit = value / 255
    for (let at = from; at < to; at += 1) {
      const slot = offset + (tools[at] ?? 0)
      scores[slot] = (scores[slot] ?? 0) + unit * (impacts[at] ?? 0)
    }
  }
}

/** A tool gains by the best of a concept's words, not by all of them: saying it twice in other words is no better. */
function addBest(group: Group, concept: Concept, scores: Scores, gained: Float32Array): void {
  const { segment, offset } = group
  const { tools, impacts } = segment
  for (const { word, value } of concept.alternatives) {
    const { from, to } = postingsOf(segment, word)
    const unit = value / 255
    for (let at = from; at < to; at += 1) {
      const tool = tools[at] ?? 0
      const gain = unit * (impacts[at] ?? 0)
      const before = gained[tool] ?? 0
      if (gain <= before) continue
      gained[tool] = gain
      scores[offset + tool] = (scores[offset + tool] ?? 0) + gain - before
    }
  }
  gained.fill(0, 0, segment.toolCount)
}
