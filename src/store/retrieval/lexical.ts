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
