// Counts how many tools of a view have a word, and how well that word distinguishes them.
import { LruMap } from "../../core/lru-map.ts"
import type { CatalogView, Group } from "./view.ts"
import { postingsOf } from "./segment.ts"
import type { Segment } from "./segment.ts"

export type WordCounts = {
  count(word: number): number
  /** The same without the tools of some groups. */
  outside(word: number, groups: ReadonlySet<Group>): number
  /** BM25's inverse document frequency. */
  rarity(count: number): number
}

/** What was counted in the tool sets that were looked at lately: many small ones take longer to count than to search. */
export type Counted = LruMap<Segment, { readonly segments: readonly Segment[]; readonly counts: Map<number, number> }>
export const createCounted = (): Counted => new LruMap(20)

function countsOf(segments: readonly Segment[], counted: Counted): Map<number, number> {
  const last = segments.at(-1)
  if (last === undefined) return new Map()
  const known = counted.get(last)
  const isSame = known?.segments.length === segments.length && known.segments.every((segment, at) => segment === segments[at])
  return isSame ? known.counts : counted.set(last, { segments, counts: new Map() }).counts
}

export function countsIn(view: CatalogView, counted: Counted): WordCounts {
  const known = countsOf(view.segments, counted)
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
