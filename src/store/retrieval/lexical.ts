// The port of full-text search in an index: words go in by chunk, and chunks come out by how well their words fit.
import type { RankedChunk } from "./retrieval-store.ts"
import type { Reader, Session } from "../session.ts"

export interface Lexical {
  /** An index that has no words yet. */
  create(session: Session, index: LexicalIndex): Promise<void>
  insert(session: Session, index: LexicalIndex, document: LexicalDocument, chunks: readonly LexicalChunk[]): Promise<void>
  remove(session: Session, index: LexicalIndex, chunkNumbers: readonly number[]): Promise<void>
  /** After all of its chunks. */
  drop(session: Session, index: LexicalIndex): Promise<void>
  /** Best first; what fits equally well by number. */
  search(reader: Reader, index: LexicalIndex & { readonly chunkCount: number }, search: LexicalSearch): Promise<RankedChunk[]>
}

export type LexicalIndex = { readonly tenant: string; readonly id: string }
export type LexicalDocument = { readonly id: string; readonly title: string }
export type LexicalChunk = { readonly chunkNo: number; readonly heading: string; readonly body: string }
/** `terms`: of `termsOf`, at least one. `documents` null: all. */
export type LexicalSearch = { readonly terms: readonly string[]; readonly documents: readonly string[] | null; readonly limit: number }

/** How much a word counts in the title, a heading and the text. */
export const fieldWeights = { title: 3, heading: 2, body: 1 }

/** Where a word is in more chunks than this, it is common. */
export const countMax = 2000
/** How many chunks are ranked for having one of the rarest words: others have nothing but common ones. */
export const rankedMax = 4000

/** The rarest words, of which a chunk must have one, and the others. Words that are nowhere are left out. */
export function splitByCount(terms: readonly string[], counts: readonly number[]): { rare: string[]; common: string[] } {
  const found = terms
    .map((term, at) => ({ term, count: counts[at] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.count - b.count)
  let matched = 0
  const isRare = found.map(({ count }, at) => (matched += count) <= rankedMax || at === 0)
  return {
    rare: found.filter((_, at) => isRare[at]).map(({ term }) => term),
    common: found.filter((_, at) => !isRare[at]).map(({ term }) => term),
  }
}
