// Picks the best tools out of all scores, and counts how many there are.
import type { CatalogView, Group } from "../index/view.ts"
import type { Scores } from "./score.ts"
import { tuning } from "../tuning.ts"

export type Candidate = { readonly group: Group; readonly tool: number; readonly score: number }

/** `total`: how many paths all tools have that are worth showing; a tool has one for each mount. */
export type Best = { readonly candidates: Candidate[]; readonly total: number; isWorth(slot: number): boolean }

/** Scores are counted in steps of a sixteenth: the upper bits of a positive number in 32 bits order it as its value does. */
const stepBits = 19
const stepsMax = 1 << (32 - stepBits)
const stepOf = (scores: Uint32Array, slot: number): number => (scores[slot] ?? 0) >>> stepBits
const bitsOf = (scores: Scores): Uint32Array => new Uint32Array(scores.buffer, scores.byteOffset, scores.length)
/** How many tools, and how many paths, each step has. Kept between calls: making them anew is felt in small catalogs. */
const tools = new Uint32Array(stepsMax)
const paths = new Uint32Array(stepsMax)
/** From a score to `worthShare` of it. */
const stepsWorth = stepOf(bitsOf(Float32Array.of(1)), 0) - stepOf(bitsOf(Float32Array.of(tuning.worthShare)), 0)

/**
 * The best `limit` visible tools that have a score, best first. Those that are far behind the best are left out. Counting
 * comes first: it tells from which score on there are enough, so that few are made and sorted.
 */
export function bestOf(view: CatalogView, scores: Scores, limit: number): Best {
  const bits = bitsOf(scores)
  tools.fill(0)
  paths.fill(0)
  let most = 0
  for (const group of view.groups) {
    const end = group.offset + group.segment.toolCount
    for (let slot = group.offset; slot < end; slot += 1) {
      const step = stepOf(bits, slot)
      if (step === 0) continue
      const shown = visiblePaths(group, slot - group.offset)
      if (shown === 0) continue
      tools[step] = (tools[step] ?? 0) + 1
      paths[step] = (paths[step] ?? 0) + shown
      if (step > most) most = step
    }
  }
  const worth = Math.max(1, most - stepsWorth)
  let enough = Math.max(most, worth)
  for (let sum = tools[enough] ?? 0; sum < limit && enough > worth; sum += tools[enough] ?? 0) enough -= 1

  let kept: Candidate[] = []
  let worst: Candidate | undefined
  const prune = (): void => {
    kept = kept.toSorted(compareCandidates).slice(0, limit)
    if (kept.length === limit) worst = kept.at(-1)
  }
  for (const group of view.groups) {
    const end = group.offset + group.segment.toolCount
    for (let slot = group.offset; slot < end; slot += 1) {
      if (stepOf(bits, slot) < enough || visiblePaths(group, slot - group.offset) === 0) continue
      const candidate = { group, tool: slot - group.offset, score: scores[slot] ?? 0 }
      // Of a hundred thousand equals only the plainest are kept.
      if (worst !== undefined && compareCandidates(candidate, worst) > 0) continue
      if (kept.push(candidate) >= 2 * limit + spareCandidates) prune()
    }
  }
  prune()
  const total = paths.subarray(worth, most + 1).reduce((sum, count) => sum + count, 0)
  return { candidates: kept, total, isWorth: (slot) => stepOf(bits, slot) >= worth }
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
