// The store port of retrieval: pipelines, their documents, and the indexes in which documents are searched.
//
// An index holds chunks of documents, made in one way, and says of each document which revision it holds. A pipeline points
// to the one that answers. Another one may be built beside it and takes its place by the change of that pointer.
import type { Scope } from "../../core/principal.ts"
import type { DocumentFormat } from "../../core/retrieval/document.ts"
import type { JsonText } from "../../core/tool.ts"
import type { Lease } from "../execution-store.ts"
import type { After } from "../store.ts"

export interface RetrievalStore {
  readonly pipelines: PipelineRows
  readonly pipelineDocuments: PipelineDocumentRows
  readonly pipelineIndexes: PipelineIndexRows
  readonly pipelineChunks: PipelineChunkRows
  readonly toolEmbeddings: ToolEmbeddingRows
  readonly toolVectors: ToolVectorRows
}

export interface PipelineRows {
  get(scope: Scope, id: string): Promise<PipelineRow | null>
  findBySlug(scope: Scope, slug: string): Promise<PipelineRow | null>
  /** By slug. */
  list(scope: Scope, page: After<string>): Promise<PipelineRow[]>
  /** Inserts or replaces; a slug that another pipeline has is a `conflict`. */
  put(scope: Scope, row: PipelineRow): Promise<void>
  /** Its documents go with it; its indexes are retired. */
  remove(scope: Scope, id: string): Promise<boolean>
}

/** How chunks are made, and what makes vectors of them; `embedding` null: nothing does. */
export type IndexRecipe = { readonly chunkTokens: number; readonly chunkOverlap: number; readonly embedding: JsonText | null }

export type PipelineRow = IndexRecipe & {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** The index that answers. */
  readonly indexId: string
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface PipelineDocumentRows {
  get(scope: Scope, pipelineId: string, id: string): Promise<PipelineDocumentRow | null>
  findBySource(scope: Scope, pipelineId: string, source: string): Promise<PipelineDocumentRow | null>
  /** By id. `query`: in the title or the source, whatever the case of Latin letters. */
  list(scope: Scope, pipelineId: string, page: After<string> & { readonly query?: string }): Promise<PipelineDocumentRow[]>
  /** The ids of those that a filter lets through, at most `limit`, by id. */
  match(scope: Scope, pipelineId: string, filter: DocumentMatch, limit: number): Promise<string[]>
  count(scope: Scope, pipelineId: string): Promise<number>
  /** The compressed text; null where there is no such document. */
  content(scope: Scope, pipelineId: string, id: string): Promise<Uint8Array | null>
  put(scope: Scope, pipelineId: string, row: PipelineDocumentRow, content: Uint8Array): Promise<void>
  remove(scope: Scope, pipelineId: string, id: string): Promise<boolean>
}

/** What is given must all be true; texts are compared byte by byte. */
export type DocumentMatch = {
  readonly ids?: readonly string[]
  readonly sourcePrefix?: string
  readonly titlePrefix?: string
}

export type PipelineDocumentRow = {
  readonly id: string
  readonly source: string | null
  readonly title: string
  readonly format: DocumentFormat
  /** Changes with the text. */
  readonly revision: string
  /** Of text and title. */
  readonly hash: string
  readonly bytes: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** `building`: it is made beside the one that answers. `retired`: nothing asks it any more, and its rows go. */
export type IndexState = "active" | "building" | "retired"

export interface PipelineIndexRows {
  get(scope: Scope, id: string): Promise<PipelineIndexRow | null>
  /** Oldest first. */
  ofPipeline(scope: Scope, pipelineId: string): Promise<PipelineIndexRow[]>
  create(scope: Scope, row: NewIndex): Promise<void>
  /** There is work for it from now on. */
  setState(scope: Scope, id: string, state: IndexState): Promise<void>
  /** Without a scope, for the server itself: an index with work that nobody has a lease on. `except`: those of these tenants wait. */
  claim(lease: Lease, now: string, except?: readonly string[]): Promise<ClaimedIndex | null>
  /** Answers whether the lease is still the owner's. */
  renew(scope: Scope, id: string, lease: Lease): Promise<boolean>
  /** `hasWork` false: nothing is left to do. */
  release(scope: Scope, id: string, owner: string, left: LeftWork): Promise<void>
  /** Without a scope: what a node that ends has claimed. */
  releaseAll(owner: string): Promise<void>
  /** The ids of documents of which it does not hold the current revision, at most `limit`, and how many there are. */
  unindexed(scope: Scope, index: IndexOf, limit: number): Promise<{ readonly ids: readonly string[]; readonly count: number }>
  /** Removes some of the rows of a retired index, and it with the last one. Answers whether more are left. */
  erase(scope: Scope, id: string): Promise<boolean>
}

export type IndexOf = { readonly id: string; readonly pipelineId: string }
export type NewIndex = IndexRecipe & IndexOf & { readonly state: IndexState; readonly hasWork: boolean; readonly createdAt: string }
export type LeftWork = { readonly hasWork: boolean; readonly retryAt: string | null; readonly error: string | null }
export type ClaimedIndex = { readonly scope: Scope; readonly index: PipelineIndexRow }

export type PipelineIndexRow = NewIndex & {
  readonly chunkCount: number
  /** How many vectors were ever removed: what is remembered of them grows stale by it. */
  readonly vectorsRemoved: number
  /** Why the last attempt to work on it failed. */
  readonly error: string | null
  readonly leaseUntil: string | null
}

export interface PipelineChunkRows {
  /** Replaces what the index holds of a document. Several thousand rows go in at once. */
  replace(scope: Scope, indexId: string, document: ChunkedDocument): Promise<void>
  remove(scope: Scope, indexId: string, documentId: string): Promise<void>
  /** Best first. `documents`: only chunks of these. */
  search(scope: Scope, index: PipelineIndexRow, query: LexicalQuery): Promise<RankedChunk[]>
  /** Chunks without a vector, by number. */
  withoutVector(scope: Scope, indexId: string, page: After<number>): Promise<ChunkText[]>
  countWithoutVector(scope: Scope, indexId: string): Promise<number>
  /** Those whose chunk is gone, or has one, are left out. */
  putVectors(scope: Scope, indexId: string, vectors: readonly ChunkVector[]): Promise<void>
  /** In the order in which they were added. */
  vectors(scope: Scope, indexId: string, page: After<number>): Promise<StoredVector[]>
  /** With their documents, in any order; those that are gone are left out. */
  get(scope: Scope, index: IndexOf, numbers: readonly number[]): Promise<FoundChunk[]>
}

export type ChunkedDocument = {
  readonly id: string
  readonly revision: string
  readonly title: string
  readonly chunks: readonly ChunkWrite[]
}
/** `heading`: the headings above it. */
export type ChunkWrite = { readonly heading: string; readonly body: string }
export type LexicalQuery = {
  readonly text: string
  readonly documents: readonly string[] | null
  readonly limit: number
  readonly signal: AbortSignal
}
export type RankedChunk = { readonly chunkNo: number; readonly score: number }
export type ChunkText = ChunkWrite & { readonly chunkNo: number; readonly title: string }
/** `vector`: float32, little-endian. */
export type ChunkVector = { readonly chunkNo: number; readonly vector: Uint8Array }
export type StoredVector = ChunkVector & { readonly vectorNo: number; readonly documentId: string }
export type FoundChunk = ChunkWrite & {
  readonly chunkNo: number
  readonly documentId: string
  readonly position: number
  readonly title: string
  readonly source: string | null
}

/** What makes vectors of a tenant's tools. */
export interface ToolEmbeddingRows {
  get(scope: Scope): Promise<ToolEmbeddingRow | null>
  /** Takes the place of another one, whose vectors go. */
  put(scope: Scope, row: ToolEmbeddingRow): Promise<void>
  /** With its vectors. */
  remove(scope: Scope): Promise<boolean>
}
export type ToolEmbeddingRow = { readonly id: string; readonly embedding: JsonText; readonly createdBy: string; readonly createdAt: string }

/** Vectors of texts that describe tools, one byte for each dimension. */
export interface ToolVectorRows {
  /** Of those hashes that have one, in any order. */
  get(scope: Scope, embeddingId: string, hashes: readonly string[]): Promise<ToolVector[]>
  /** Does nothing where the tenant has another embedding by now. */
  put(scope: Scope, embeddingId: string, vectors: readonly ToolVector[], createdAt: string): Promise<void>
  /** Leaves the newest. */
  trim(scope: Scope, keep: number): Promise<void>
}
export type ToolVector = { readonly hash: string; readonly vector: Uint8Array }
