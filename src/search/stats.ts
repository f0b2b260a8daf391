// Reports the size of the index.
import type { SearchStats } from "./indexed-tool.ts"
import type { Segment } from "./index/segment.ts"

export function statsOf(segments: Iterable<Segment>, words: number): SearchStats {
  const all = [...segments]
  const sum = (measure: (segment: Segment) => number): number => all.reduce((total, segment) => total + measure(segment), 0)
  return {
    toolSets: all.length,
    tools: sum((segment) => segment.toolCount),
    words,
    postings: sum((segment) => segment.tools.length),
    arrayBytes: sum(arrayBytesOf),
    textChars: sum((segment) => charsOf(segment.names) + charsOf(segment.titles) + charsOf(segment.descriptions)),
  }
}

function arrayBytesOf(segment: Segment): number {
  const { words, starts, ends, tools, impacts, nameWords, headlineWords, facts, things, byName, defaultOrder } = segment
  const arrays = [
    words,
    starts,
    ends,
    tools,
    impacts,
    nameWords.words,
    nameWords.starts,
    headlineWords.words,
    headlineWords.starts,
    facts,
    things,
    byName,
    defaultOrder,
  ]
  return arrays.reduce((total, array) => total + array.byteLength, 0)
}

const charsOf = (texts: readonly string[]): number => texts.reduce((total, text) => total + text.length, 0)
