// Counts how many tools of a view have a word, and how well that word distinguishes them.
import type { CatalogView, Group } from "./view.ts"
import { postingsOf } from "./segment.ts"

export type WordCounts = {
  count(word: number): number
  /** The same without the tools of some groups. */
  outside(word: number, groups: ReadonlySet<Group>): number
  /** BM25's inverse document frequency. */
  rarity(count: number): number
}

export function countsIn(view: CatalogView): WordCounts {
  const known = new Map<number, number>()
  return {
    count: (word) => {
      const before = known.get(word)
      if (before !== undefined) return before
      let sum = 0
      for (const segment of view.segments) {
        const { from, to } = postingsOf(segment, word)
        sum += to - from
      }
      known.set(word, sum)
      return sum
    },
    outside: (word, groups) => {
      const left = new Set(Array.from(groups, ({ segment }) => segment))
      return view.segments.reduce((sum, segment) => {
        const { from, to } = left.has(segment) ? { from: 0, to: 0 } : postingsOf(segment, word)
        return sum + to - from
      }, 0)
    },
    rarity: (tools) => Math.log(1 + (view.toolCount - tools + 0.5) / (tools + 0.5)),
  }
}
