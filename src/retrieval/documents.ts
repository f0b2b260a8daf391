// The documents of a pipeline: added, replaced by their source, and removed; they are found as soon as they are stored.
import { readPage, viewPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Page } from "../core/page.ts"
import { requireRight } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { DocumentAdd, DocumentAdded, DocumentsRequest, DocumentView } from "../core/retrieval/document.ts"
import { newId, sha256Of } from "../io/ids.ts"
import { inSlices } from "../io/time-slices.ts"
import { requireEditor } from "../registry/tool.ts"
import type { ChunkWrite, IndexRecipe, PipelineDocumentRow, PipelineIndexRow, PipelineRow } from "../store/retrieval/retrieval-store.ts"
import type { Store } from "../store/store.ts"
import { chunksOf } from "./chunking/chunk.ts"
import { packText, readDocument } from "./document-read.ts"
import type { ReadDocument } from "./document-read.ts"
import type { RetrievalParts } from "./parts.ts"
import { findPipeline } from "./pipelines.ts"
import { chunkingOf, embeddingOf } from "./recipe.ts"

const sourceCharsMax = 2000

export async function listDocuments(
  principal: Principal,
  ref: string,
  { query, ...request }: DocumentsRequest,
  parts: RetrievalParts,
): Promise<Page<DocumentView>> {
  requireEditor(principal, "list the documents of a pipeline")
  const { id } = await findPipeline(principal, ref, parts.store)
  const page = await readPage(
    request,
    parts.limits,
    (next) => parts.store.pipelineDocuments.list(principal, id, query === undefined ? next : { ...next, query }),
    (row) => row.id,
  )
  return viewPage(page, viewDocument)
}

export async function addDocument(principal: Principal, ref: string, input: DocumentAdd, parts: RetrievalParts): Promise<DocumentAdded> {
  requireRight(principal, "registry.write", "add documents to a pipeline")
  const { store } = parts
  const source = checkSource(input.source)
  const { id: pipelineId } = await findPipeline(principal, ref, store)
  const document = await readDocument(principal, input, parts)
  const hash = await sha256Of([document.title, "\0", document.format, "\0", document.text])
  const known = source === null ? null : await store.pipelineDocuments.findBySource(principal, pipelineId, source)
  const content = known?.hash === hash ? null : await packText(document.text)
  const prepared: Prepared = { document, hash, source, content: content ?? new Uint8Array() }
  for (;;) {
    const { indexId } = await findPipeline(principal, pipelineId, store)
    const index = await store.pipelineIndexes.get(principal, indexId)
    if (index === null) continue
    const chunks = content === null ? [] : await cut(document, index)
    const added = await store.transaction((inside) => put(principal, pipelineId, prepared, { index, chunks }, inside, parts))
    // Another index has taken its place in the meantime.
    if (added === null) continue
    parts.wake()
    return added
  }
}

type Prepared = {
  readonly document: ReadDocument
  readonly hash: string
  readonly source: string | null
  readonly content: Uint8Array
}

/** In turns, because a document may have thousands of them. */
export const cut = ({ text, format }: Pick<ReadDocument, "text" | "format">, recipe: IndexRecipe): Promise<ChunkWrite[]> =>
  inSlices(collect(chunksOf(text, format, chunkingOf(recipe))))

function* collect(chunks: Generator<ChunkWrite | null>): Generator<void, ChunkWrite[]> {
  const all: ChunkWrite[] = []
  for (const chunk of chunks) {
    if (chunk !== null) all.push(chunk)
    yield
  }
  return all
}

/** Null where the chunks are not for the index that answers now, or the document that was known is another one now. */
async function put(
  principal: Principal,
  pipelineId: string,
  { document, hash, source, content }: Prepared,
  made: { readonly index: PipelineIndexRow; readonly chunks: readonly ChunkWrite[] },
  store: Store,
  { clock, limits }: RetrievalParts,
): Promise<DocumentAdded | null> {
  const pipeline = await findPipeline(principal, pipelineId, store)
  if (pipeline.indexId !== made.index.id) return null
  const known = source === null ? null : await store.pipelineDocuments.findBySource(principal, pipelineId, source)
  const now = clock.now()
  const at = now.toISOString()
  if (known?.hash === hash) return { ...viewDocument(known), outcome: "unchanged", chunks: 0 }
  if (content.length === 0) throw new ExecutorError("conflict", "The document was changed or removed in the meantime; add it again")
  const row: PipelineDocumentRow = {
    id: known?.id ?? newId("doc", now),
    source,
    title: document.title,
    format: document.format,
    revision: newId("rev", now),
    hash,
    bytes: Buffer.byteLength(document.text),
    createdAt: known?.createdAt ?? at,
    updatedAt: at,
  }
  if (known === null && (await store.pipelineDocuments.count(principal, pipelineId)) >= limits.pipelineDocumentsMax)
    throw new ExecutorError("conflict", `A pipeline has at most ${limits.pipelineDocumentsMax} documents; make another pipeline`)
  await store.pipelineDocuments.put(principal, pipelineId, row, content)
  await store.pipelineChunks.replace(principal, pipeline.indexId, {
    id: row.id,
    revision: row.revision,
    title: row.title,
    chunks: made.chunks,
  })
  await checkRoom(principal, pipeline, store, limits)
  await announce(principal, pipeline, store)
  return { ...viewDocument(row), outcome: known === null ? "created" : "updated", chunks: made.chunks.length }
}

/** After the chunks are in; what is thrown here takes them out again. */
async function checkRoom(
  scope: Scope,
  pipeline: PipelineRow,
  store: Store,
  limits: Pick<RetrievalParts["limits"], "pipelineChunksMax" | "pipelineVectorBytesMax">,
): Promise<void> {
  const index = await store.pipelineIndexes.get(scope, pipeline.indexId)
  if (index !== null) checkSize(index, limits)
}

export function checkSize(
  index: PipelineIndexRow,
  { pipelineChunksMax, pipelineVectorBytesMax }: Pick<RetrievalParts["limits"], "pipelineChunksMax" | "pipelineVectorBytesMax">,
): void {
  if (index.chunkCount > pipelineChunksMax)
    throw new ExecutorError("conflict", `A pipeline has at most ${pipelineChunksMax} chunks; use larger ones, or make another pipeline`)
  const vectorBytes = index.chunkCount * (embeddingOf(index)?.dimensions ?? 0) * 4
  if (vectorBytes > pipelineVectorBytesMax)
    throw new ExecutorError(
      "conflict",
      `The vectors of a pipeline have at most ${pipelineVectorBytesMax} bytes; use fewer dimensions, larger chunks, or another pipeline`,
    )
}

/** Indexes that have something to do now. */
async function announce(scope: Scope, { id, indexId }: PipelineRow, store: Store): Promise<void> {
  for (const index of await store.pipelineIndexes.ofPipeline(scope, id))
    if (index.state === "building" || (index.id === indexId && index.embedding !== null))
      await store.pipelineIndexes.setState(scope, index.id, index.state)
}

export async function removeDocument(principal: Principal, ref: string, documentId: string, parts: RetrievalParts): Promise<DocumentView> {
  requireRight(principal, "registry.write", "remove documents of a pipeline")
  return parts.store.transaction(async (store) => {
    const { id } = await findPipeline(principal, ref, store)
    const row = await store.pipelineDocuments.get(principal, id, documentId)
    if (row === null)
      throw new ExecutorError("not_found", `There is no document '${documentId.slice(0, 80)}'; GET /pipelines/${id}/documents lists them`)
    await store.pipelineDocuments.remove(principal, id, documentId)
    for (const index of await store.pipelineIndexes.ofPipeline(principal, id))
      if (index.state !== "retired") await store.pipelineChunks.remove(principal, index.id, documentId)
    return viewDocument(row)
  })
}

function checkSource(source: string | undefined): string | null {
  if (source === undefined) return null
  if (source.trim() === "" || source.length > sourceCharsMax || /\p{Cc}/u.test(source))
    throw new ExecutorError("invalid_request", `source must have 1 to ${sourceCharsMax} characters on one line, such as a path or a URL`)
  return source.toWellFormed()
}

const viewDocument = ({ id, title, source, format, bytes, createdAt, updatedAt }: PipelineDocumentRow): DocumentView => ({
  id,
  title,
  source,
  format,
  bytes,
  createdAt,
  updatedAt,
})
