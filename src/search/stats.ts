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

/** A segment's own arrays, and those of its lists of words. */
const arrayBytesOf = (segment: Segment): number =>
  [segment, segment.nameWords, segment.headlineWords]
    .flatMap((part): unknown[] => Object.values(part))
    .reduce<number>((total, value) => total + (ArrayBuffer.isView(value) ? value.byteLength : 0), 0)

const charsOf = (texts: readonly string[]): number => texts.reduce((total, text) => total + text.length, 0)
