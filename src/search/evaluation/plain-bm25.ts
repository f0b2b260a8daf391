// The baseline for search: textbook BM25 over stemmed words of path and description, with nothing else.
import { inSlices } from "../../io/time-slices.ts"
import type { FindPaths } from "./measure.ts"
import { stem } from "../language/stem.ts"
import { nameWords, proseWords } from "../language/words.ts"

const saturation = 1.2
const lengthPenalty = 0.75

export type PlainTool = { readonly path: string; readonly description: string }

/** Its own list: what a plain index would leave out, and no more. */
const stopWords = new Set(
  "a an the of to for in on at by with from and or is are be was were this that it its as can do i me my we you your what which who how please".split(
    " ",
  ),
)

type Postings = {
  readonly lengths: readonly number[]
  readonly average: number
  readonly words: ReadonlyMap<string, ReadonlyMap<number, number>>
}

/** `signal`: nobody wants the answers any more. */
export async function plainBm25(tools: readonly PlainTool[], signal?: AbortSignal): Promise<FindPaths> {
  const postings = await inSlices(indexOf(tools), signal)
  return async (query, limit) => {
    const best = await inSlices(findBest(query, limit, postings), signal)
    return best.map((index) => tools[index]?.path ?? "")
  }
}

function* indexOf(tools: readonly PlainTool[]): Generator<void, Postings> {
  const lengths: number[] = []
  const postings = new Map<string, Map<number, number>>()
  for (const [index, tool] of tools.entries()) {
    yield
    const words = wordsOf(`${nameWords(tool.path).join(" ")} ${tool.description}`)
    lengths.push(words.length)
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>()
      postings.set(word, counts.set(index, (counts.get(index) ?? 0) + 1))
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return { lengths, average, words: postings }
}

function* findBest(query: string, limit: number, { lengths, average, words }: Postings): Generator<void, readonly number[]> {
  const scores = new Float64Array(lengths.length)
  for (const word of new Set(wordsOf(query))) {
    const counts = words.get(word)
    if (counts === undefined) continue
    yield
    const rarity = Math.log(1 + (lengths.length - counts.size + 0.5) / (counts.size + 0.5))
    for (const [index, count] of counts) {
      const penalty = 1 - lengthPenalty + (lengthPenalty * (lengths[index] ?? 0)) / average
      scores[index] = (scores[index] ?? 0) + (rarity * count * (saturation + 1)) / (count + saturation * penalty)
    }
    yield
  }
  yield
  return bestOf(scores, limit)
}

/** Of equal scores the first tool wins. */
function bestOf(scores: Float64Array, limit: number): number[] {
  const best: number[] = []
  for (const [index, score] of scores.entries()) {
    if (score === 0 || (best.length >= limit && score <= (scores[best.at(-1) ?? 0] ?? 0))) continue
    const at = best.findIndex((other) => score > (scores[other] ?? 0))
    best.splice(at === -1 ? best.length : at, 0, index)
    if (best.length > limit) best.pop()
  }
  return best
}

const wordsOf = (text: string): string[] =>
  proseWords(text)
    .filter((word) => !stopWords.has(word))
    .map(stem)
