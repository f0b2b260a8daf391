// Picks the best tools out of all scores, and counts how many there are.
import type { CatalogView, Group } from "../index/view.ts"
import { isDeprecated } from "../index/segment.ts"
import type { Scores } from "./score.ts"
import { tuning } from "../tuning.ts"

export type Candidate = { readonly group: Group; readonly tool: number; readonly score: number }

/** `all`: every visible tool. `matching`: those with a score. */
export type Selection = "all" | "matching"

/** `total`: how many paths all tools have that are worth showing; a tool has one for each mount. */
export type Best = { readonly candidates: Candidate[]; readonly total: number; isWorth(slot: number): boolean }

/** Scores are counted in steps of an eighth: the upper bits of a positive number in 32 bits order it as its value does. */
const stepBits = 20
const stepOf = (scores: Uint32Array, slot: number): number => (scores[slot] ?? 0) >>> stepBits
const bitsOf = (scores: Scores): Uint32Array => new Uint32Array(scores.buffer, scores.byteOffset, scores.length)

/** The best `limit` visible tools, best first. Of matching ones, those that are far behind the best are left out. */
export function bestOf(view: CatalogView, scores: Scores, selection: Selection, limit: number): Best {
  let kept: Candidate[] = []
  const bits = bitsOf(scores)
  const counts = new Uint32Array(1 << (32 - stepBits))
  let most = 0
  let worst: Candidate | undefined
  const prune = (): void => {
    kept = kept.toSorted(compareCandidates).slice(0, limit)
    if (kept.length === limit) worst = kept.at(-1)
  }
  for (const group of view.groups) {
    const { segment, offset } = group
    for (let tool = 0; tool < segment.toolCount; tool += 1) {
      const raw = scores[offset + tool] ?? 0
      if (raw <= 0 && selection === "matching") continue
      const paths = visiblePaths(group, tool)
      if (paths === 0) continue
      const step = stepOf(bits, offset + tool)
      counts[step] = (counts[step] ?? 0) + paths
      if (raw > most) most = raw
      const score = isDeprecated(segment, tool) ? raw * tuning.deprecatedFactor : raw
      // Nothing is made for a tool that has no place: of a hundred thousand equals only the plainest are kept.
      if (worst !== undefined && (score < worst.score || (score === worst.score && compareEquals(group, tool, worst) > 0))) continue
      if (kept.push({ group, tool, score }) >= 2 * limit + spareCandidates) prune()
    }
  }
  prune()
  const floor = selection === "all" ? 0 : stepOf(bitsOf(Float32Array.of(most * tuning.worthShare)), 0)
  const candidates = kept.filter(({ group, tool }) => stepOf(bits, group.offset + tool) >= floor)
  const total = counts.subarray(floor).reduce((sum, count) => sum + count, 0)
  return { candidates, total, isWorth: (slot) => stepOf(bits, slot) >= floor }
}

/** Sorting is worth it from so many tools more than have a place. */
const spareCandidates = 500

export function visiblePaths(group: Group, tool: number): number {
  let count = group.openMounts
  if (group.gates.length === 0) return count
  for (const admits of group.gates) if (admits(tool)) count += 1
  return count
}

/** Better first; of equals the plain one. No two are the same: pages of one request fit together whatever their size. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score
  return compareEquals(a.group, a.tool, b)
}

function compareEquals(group: Group, tool: number, other: Candidate): number {
  const defaultOrder = (group.segment.defaultOrder[tool] ?? 0) - (other.group.segment.defaultOrder[other.tool] ?? 0)
  return defaultOrder === 0 ? group.offset - other.group.offset : defaultOrder
}
