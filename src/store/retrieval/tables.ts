// The tables of retrieval.
import type { Generated } from "kysely"
import type { DocumentFormat } from "../../core/retrieval/document.ts"
import type { IndexState } from "./retrieval-store.ts"

export type RetrievalTables = {
  pipelines: PipelinesTable
  pipeline_indexes: PipelineIndexesTable
  pipeline_documents: PipelineDocumentsTable
  pipeline_indexed: { tenant_id: string; index_id: string; document_id: string; revision: string; chunk_count: number }
  pipeline_chunks: PipelineChunksTable
  pipeline_vectors: PipelineVectorsTable
  tool_embeddings: { tenant_id: string; embedding_id: string; embedding: string; created_by: string; created_at: string }
  tool_vectors: { tenant_id: string; embedding_id: string; hash: string; vector: Uint8Array; created_at: string }
}

export type PipelinesTable = {
  tenant_id: string
  pipeline_id: string
  slug: string
  name: string
  chunk_tokens: number
  chunk_overlap: number
  embedding: string | null
  index_id: string
  created_by: string
  created_at: string
  updated_at: string
}

export type PipelineIndexesTable = {
  tenant_id: string
  index_id: string
  pipeline_id: string
  chunk_tokens: number
  chunk_overlap: number
  embedding: string | null
  state: IndexState
  chunk_count: number
  vectors_removed: number
  has_work: number
  lease_owner: string | null
  lease_until: string | null
  retry_at: string | null
  error: string | null
  created_at: string
}

export type PipelineDocumentsTable = {
  tenant_id: string
  pipeline_id: string
  document_id: string
  source: string | null
  title: string
  format: DocumentFormat
  revision: string
  hash: string
  bytes: number
  content: Uint8Array
  created_at: string
  updated_at: string
}

/** PostgreSQL answers its large integers as text. */
type RowNumber = Generated<number | string>

export type PipelineChunksTable = {
  chunk_no: RowNumber
  tenant_id: string
  index_id: string
  document_id: string
  position: number
  heading: string
  body: string
}

export type PipelineVectorsTable = {
  vector_no: RowNumber
  tenant_id: string
  index_id: string
  document_id: string
  chunk_no: number | string
  vector: Uint8Array
}
