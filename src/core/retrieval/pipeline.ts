// Retrieval pipelines, as people make and ask them.

export type Chunking = { readonly tokens: number; readonly overlap: number }

/** What makes vectors of chunks and questions. */
export type Embedding = {
  /** The id of a model provider. */
  readonly provider: string
  readonly model: string
  readonly dimensions: number
}

export type PipelineCreate = {
  readonly name: string
  readonly slug?: string
  readonly chunking?: Partial<Chunking>
  readonly embedding?: Embedding | null
}

export type PipelineUpdate = { readonly name?: string; readonly chunking?: Partial<Chunking>; readonly embedding?: Embedding | null }

export type PipelineView = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly chunking: Chunking
  readonly embedding: Embedding | null
  readonly documents: number
  readonly chunks: number
  readonly index: IndexProgress
  readonly createdAt: string
  readonly updatedAt: string
}

/** `indexing`: the index that answers is complete for words, and something is still under way. */
export type IndexProgress = {
  readonly status: "ready" | "indexing"
  /** Of the index that is built beside the one that answers; null when none is. */
  readonly rebuild: { readonly documentsLeft: number } | null
  /** Chunks that have no vector yet, in the newest index. */
  readonly vectorsLeft: number
  /** Why the last attempt failed; it is repeated. */
  readonly error: string | null
}

/** What is given must all be true of a result's document. */
export type PipelineFilter = {
  readonly documentIds?: readonly string[]
  /** The beginning of its source or title, upper and lower case included. */
  readonly sourcePrefix?: string
  readonly titlePrefix?: string
}

export type PipelineQuestion = { readonly query: string; readonly topK?: number; readonly filter?: PipelineFilter }

export type PipelineAnswer = {
  /** Best first. */
  readonly results: readonly PipelineResult[]
  readonly degraded?: Degraded
}

/**
 * Why only words were compared. `embeddings_unavailable`: the endpoint failed. `embeddings_pending`: some chunks have no
 * vector yet, so that only words find them.
 */
export type Degraded = "embeddings_unavailable" | "embeddings_pending"

export type PipelineResult = {
  readonly text: string
  /** Comparable within one answer only. */
  readonly score: number
  readonly documentId: string
  readonly title: string
  readonly source: string | null
  /** Which chunk of its document, from 0. */
  readonly position: number
}

export const topKDefault = 5
