// Joins rankings by reciprocal rank, which needs no scores that could be compared.
import type { RankedChunk } from "../store/retrieval/retrieval-store.ts"

/** How little the first places count more than the next ones: the value of the paper that introduced it. */
const k = 60

export function fuse(rankings: readonly (readonly RankedChunk[])[]): RankedChunk[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings)
    for (const [place, { chunkNo }] of ranking.entries()) scores.set(chunkNo, (scores.get(chunkNo) ?? 0) + 1 / (k + place + 1))
  return [...scores].map(([chunkNo, score]) => ({ chunkNo, score })).toSorted((a, b) => b.score - a.score || a.chunkNo - b.chunkNo)
}
