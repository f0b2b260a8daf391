// Splits compound words into the words they consist of.
import { everydayWords } from "./families.ts"

const compoundCharsMin = 7
const compoundCharsMax = 40
const partCharsMin = 3

/** The fewest known words that make up the whole of `word`; none when it is a word itself, or does not come apart into two to four. */
export function compoundParts(word: string, isKnown: (part: string) => boolean): readonly string[] {
  if (word.length < compoundCharsMin || word.length > compoundCharsMax || isKnown(word) || everydayWords.has(word)) return []
  const best: (readonly string[] | undefined)[] = [[]]
  for (let end = partCharsMin; end <= word.length; end += 1) {
    for (let start = 0; start <= end - partCharsMin; start += 1) {
      const before = best[start]
      if (before === undefined || before.length >= (best[end]?.length ?? 5) - 1) continue
      const part = word.slice(start, end)
      if (isKnown(part) || everydayWords.has(part)) best[end] = [...before, part]
    }
  }
  const parts = best[word.length] ?? []
  return parts.length >= 2 ? parts : []
}
