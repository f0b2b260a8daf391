// The order of a search by words and by meaning: exact paths first, then both rankings joined, then what only words find.
import { firstPlace, reciprocalRanks } from "../../core/retrieval/reciprocal-rank.ts"
import type { NearTool } from "./meaning.ts"

/** So many of the words' ranking are joined; what comes later keeps its order behind them. */
export const joinedMax = 72

/** `hit` undefined: only its meaning is near. `near` undefined: only its words are. */
export type Fused<Hit> = { readonly path: string; readonly score: number; readonly hit?: Hit; readonly near?: NearTool }

/** `hits`: in the order of the words; those of score `namedScore` are exact paths. */
export function fuseTools<Hit extends { readonly path: string; readonly score: number }>(
  hits: readonly Hit[],
  near: readonly NearTool[],
  namedScore: number,
): Fused<Hit>[] {
  const named = hits.filter(({ score }) => score === namedScore)
  const isNamed = new Set(named.map(({ path }) => path))
  const words = hits.filter(({ path }) => !isNamed.has(path))
  const meant = new Map(near.filter(({ path }) => !isNamed.has(path)).map((one) => [one.path, one]))
  const byPath = new Map(words.map((hit) => [hit.path, hit]))
  const head = words.slice(0, joinedMax).map(({ path }) => path)
  const ranks = [...reciprocalRanks([head, [...meant.keys()]])].toSorted(([, a], [, b]) => b - a)
  const joined = ranks.map(([path, rank]): Fused<Hit> => {
    const [hit, one] = [byPath.get(path), meant.get(path)]
    return { path, score: worth(rank), ...(hit === undefined ? {} : { hit }), ...(one === undefined ? {} : { near: one }) }
  })
  const last = joined.at(-1)?.score ?? 0
  const rest = words.slice(joinedMax).filter(({ path }) => !meant.has(path))
  return [
    ...named.map((hit) => ({ path: hit.path, score: hit.score, hit })),
    ...joined,
    ...rest.map((hit) => ({ path: hit.path, score: last, hit })),
  ]
}

/** Only an exact path is certain. */
const worth = (rank: number): number => (0.99 * rank) / (2 * firstPlace)
