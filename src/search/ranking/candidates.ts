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

/** The best `limit` visible tools, in no order. Of matching ones, those that are far behind the best are left out. */
export function bestOf(view: CatalogView, scores: Scores, selection: Selection, limit: number): Best {
  const heap: Candidate[] = []
  const bits = bitsOf(scores)
  const counts = new Uint32Array(1 << (32 - stepBits))
  let most = 0
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
      const worst = heap[0]
      // Nothing is made for a tool that has no place: of a hundred thousand equals only the plainest are kept.
      if (heap.length < limit) pushHeap(heap, { group, tool, score })
      else if (worst !== undefined && isBetter(group, tool, score, worst)) replaceWorst(heap, { group, tool, score })
    }
  }
  const floor = selection === "all" ? 0 : stepOf(bitsOf(Float32Array.of(most * tuning.worthShare)), 0)
  const candidates = heap.filter(({ group, tool }) => stepOf(bits, group.offset + tool) >= floor)
  const total = counts.subarray(floor).reduce((sum, count) => sum + count, 0)
  return { candidates, total, isWorth: (slot) => stepOf(bits, slot) >= floor }
}

export function visiblePaths(group: Group, tool: number): number {
  let count = group.openMounts
  if (group.gates.length === 0) return count
  for (const admits of group.gates) if (admits(tool)) count += 1
  return count
}

/** Better first; of equals the plain one. No two are the same: pages of one request fit together whatever their size. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score
  const defaultOrder = (a.group.segment.defaultOrder[a.tool] ?? 0) - (b.group.segment.defaultOrder[b.tool] ?? 0)
  return defaultOrder === 0 ? a.group.offset - b.group.offset : defaultOrder
}

function isBetter(group: Group, tool: number, score: number, than: Candidate): boolean {
  if (score !== than.score) return score > than.score
  const defaultOrder = (group.segment.defaultOrder[tool] ?? 0) - (than.group.segment.defaultOrder[than.tool] ?? 0)
  return defaultOrder === 0 ? group.offset < than.group.offset : defaultOrder < 0
}

/** The worst candidate is kept at the top, where the next one is compared with it. */
function pushHeap(heap: Candidate[], candidate: Candidate): void {
  heap.push(candidate)
  let at = heap.length - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isWorse(heap, at, parent)) return
    swap(heap, at, parent)
    at = parent
  }
}

function replaceWorst(heap: Candidate[], candidate: Candidate): void {
  heap[0] = candidate
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    let worst = at
    if (left < heap.length && isWorse(heap, left, worst)) worst = left
    if (left + 1 < heap.length && isWorse(heap, left + 1, worst)) worst = left + 1
    if (worst === at) return
    swap(heap, at, worst)
    at = worst
  }
}

function isWorse(heap: readonly Candidate[], a: number, b: number): boolean {
  const first = heap[a]
  const second = heap[b]
  return first !== undefined && second !== undefined && compareCandidates(first, second) > 0
}

function swap(heap: Candidate[], a: number, b: number): void {
  const first = heap[a]
  const second = heap[b]
  if (first === undefined || second === undefined) return
  heap[a] = second
  heap[b] = first
}
