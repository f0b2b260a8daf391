// The yardstick for search: textbook BM25 over stemmed words of path and description, with nothing else.
import { stem } from "./stem.ts"
import { nameWords, proseWords } from "./words.ts"

const saturation = 1.2
const lengthPenalty = 0.75

export type PlainTool = { readonly path: string; readonly description: string }

/** Its own list: what a plain index would leave out, and no more. */
const stopWords = new Set(
  "a an the of to for in on at by with from and or is are be was were this that it its as can do i me my we you your what which who how please".split(
    " ",
  ),
)

export function plainBm25(tools: readonly PlainTool[]): (query: string, limit: number) => readonly string[] {
  const lengths: number[] = []
  const postings = new Map<string, Map<number, number>>()
  for (const [index, tool] of tools.entries()) {
    const words = wordsOf(`${nameWords(tool.path).join(" ")} ${tool.description}`)
    lengths.push(words.length)
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>()
      postings.set(word, counts.set(index, (counts.get(index) ?? 0) + 1))
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return (query, limit) => {
    const scores = new Map<number, number>()
    for (const word of new Set(wordsOf(query))) {
      const counts = postings.get(word) ?? new Map<number, number>()
      const rarity = Math.log(1 + (tools.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [index, count] of counts) {
        const penalty = 1 - lengthPenalty + (lengthPenalty * (lengths[index] ?? 0)) / average
        scores.set(index, (scores.get(index) ?? 0) + (rarity * count * (saturation + 1)) / (count + saturation * penalty))
      }
    }
    return [...scores]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([index]) => tools[index]?.path ?? "")
  }
}

const wordsOf = (text: string): string[] =>
  proseWords(text)
    .filter((word) => !stopWords.has(word))
    .map(stem)
