// Joins rankings of chunks.
import { reciprocalRanks } from "../core/retrieval/reciprocal-rank.ts"
import type { RankedChunk } from "../store/retrieval/retrieval-store.ts"

export const fuse = (rankings: readonly (readonly RankedChunk[])[]): RankedChunk[] =>
  [...reciprocalRanks(rankings.map((ranking) => ranking.map(({ chunkNo }) => chunkNo)))]
    .map(([chunkNo, score]) => ({ chunkNo, score }))
    .toSorted((a, b) => b.score - a.score || a.chunkNo - b.chunkNo)
