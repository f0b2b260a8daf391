// What one principal can do with retrieval pipelines: a part of the surface that the SDK, the HTTP API and the client share.
import type { Page, PageRequest } from "../page.ts"
import type { DocumentAdd, DocumentAdded, DocumentsRequest, DocumentView } from "./document.ts"
import type { PipelineAnswer, PipelineCreate, PipelineQuestion, PipelineUpdate, PipelineView } from "./pipeline.ts"

/** `id`: the id or the slug of a pipeline. */
export interface PipelinesApi {
  list(page?: PageRequest): Promise<Page<PipelineView>>
  get(id: string): Promise<PipelineView>
  create(input: PipelineCreate): Promise<PipelineView>
  /** Another chunking or embedding makes another index, which answers once it is complete. */
  update(id: string, change: PipelineUpdate): Promise<PipelineView>
  /** With its documents. */
  remove(id: string): Promise<void>
  /** A call of `builtin.retrieval_pipeline`: roles and policies decide. */
  query(id: string, question: PipelineQuestion, options?: { readonly signal?: AbortSignal }): Promise<PipelineAnswer>
  readonly documents: {
    list(id: string, page?: DocumentsRequest): Promise<Page<DocumentView>>
    /** It is found from then on. */
    add(id: string, document: DocumentAdd): Promise<DocumentAdded>
    remove(id: string, documentId: string): Promise<void>
  }
}
