// Adds up what each tool gains by the concepts of a request: the first, fast pass over all tools of a view.
import type { CatalogView, Group } from "../index/view.ts"
import type { Concept } from "../query/concepts.ts"
import { postingsOf } from "../index/segment.ts"

/** One number for each tool of each group, at the group's offset. */
export type Scores = Float32Array

/** Hints only count for tools that have a score already. */
export function scoreAll(view: CatalogView, concepts: readonly Concept[], scores: Scores, isHint: boolean): void {
  const largest = view.groups.reduce((most, group) => Math.max(most, group.segment.toolCount), 0)
  const gained = new Float32Array(largest)
  for (const group of view.groups) {
    for (const concept of concepts) {
      if (concept.namedGroups.has(group)) addToAll(group, concept.namedValue, scores, isHint)
      else if (concept.alternatives.length === 1) addSingle(group, concept, scores, isHint)
      else addBest(group, concept, scores, isHint, gained)
    }
  }
}

function addToAll({ segment, offset }: Group, value: number, scores: Scores, isHint: boolean): void {
  const end = offset + segment.toolCount
  for (let slot = offset; slot < end; slot += 1) {
    const score = scores[slot] ?? 0
    if (score > 0 || !isHint) scores[slot] = score + value
  }
}

function addSingle({ segment, offset }: Group, concept: Concept, scores: Scores, isHint: boolean): void {
  const { tools, impacts } = segment
  for (const { word, value } of concept.alternatives) {
    const { from, to } = postingsOf(segment, word)
    const unit = value / 255
    for (let at = from; at < to; at += 1) {
      const slot = offset + (tools[at] ?? 0)
      const score = scores[slot] ?? 0
      if (score > 0 || !isHint) scores[slot] = score + unit * (impacts[at] ?? 0)
    }
  }
}

/** A tool gains by the best of a concept's words, not by all of them: saying it twice in other words is no better. */
function addBest({ segment, offset }: Group, concept: Concept, scores: Scores, isHint: boolean, gained: Float32Array): void {
  const { tools, impacts } = segment
  for (const { word, value } of concept.alternatives) {
    const { from, to } = postingsOf(segment, word)
    const unit = value / 255
    for (let at = from; at < to; at += 1) {
      const tool = tools[at] ?? 0
      const gain = unit * (impacts[at] ?? 0)
      const before = gained[tool] ?? 0
      const score = scores[offset + tool] ?? 0
      if (gain <= before || (isHint && score === 0)) continue
      gained[tool] = gain
      scores[offset + tool] = score + gain - before
    }
  }
  gained.fill(0, 0, segment.toolCount)
}
