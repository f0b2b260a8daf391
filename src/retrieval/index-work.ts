// The steps of indexing: each is one transaction at most, and finds in the rows what is left to do.
import type { Scope } from "../core/principal.ts"
import type { ChunkText, PipelineIndexRow } from "../store/retrieval/retrieval-store.ts"
import type { Store } from "../store/store.ts"
import { checkSize, cut } from "./documents.ts"
import { unpackText } from "./document-read.ts"
import { embedAll } from "./embedder.ts"
import type { RetrievalParts } from "./parts.ts"
import { embeddingOf } from "./recipe.ts"

export type IndexerParts = Pick<RetrievalParts, "store" | "limits" | "clock" | "log" | "embedders"> & {
  /** Who claims. */
  readonly node: string
  readonly leaseMs: number
}

const documentsPerRead = 20
/** Endpoints take at least as many. */
const textsPerRequest = 64

/** Puts all documents into an index that is built. */
export async function buildIndex(scope: Scope, index: PipelineIndexRow, signal: AbortSignal, parts: IndexerParts): Promise<void> {
  const { store } = parts
  for (;;) {
    const { ids } = await store.pipelineIndexes.unindexed(scope, index, documentsPerRead)
    // It may be retired by now: then nothing goes in any more.
    if (ids.length === 0 || (await store.pipelineIndexes.get(scope, index.id))?.state !== "building") return
    for (const id of ids) {
      signal.throwIfAborted()
      await indexDocument(scope, index, id, parts)
    }
  }
}

async function indexDocument(scope: Scope, index: PipelineIndexRow, id: string, { store, limits }: IndexerParts): Promise<void> {
  const row = await store.pipelineDocuments.get(scope, index.pipelineId, id)
  const content = await store.pipelineDocuments.content(scope, index.pipelineId, id)
  if (row === null || content === null) return
  const chunks = await cut({ text: await unpackText(content), format: row.format }, index)
  await store.transaction(async (inside) => {
    const now = await inside.pipelineDocuments.get(scope, index.pipelineId, id)
    const current = await inside.pipelineIndexes.get(scope, index.id)
    // Whoever changed it has left it to be indexed again, and a retired index needs nothing any more.
    if (now?.revision !== row.revision || current?.state !== "building") return
    await inside.pipelineChunks.replace(scope, index.id, { id, revision: row.revision, title: row.title, chunks })
    checkSize((await inside.pipelineIndexes.get(scope, index.id)) ?? current, limits)
  })
}

/** Makes the vectors that chunks of the index do not have yet. */
export async function embedMissing(scope: Scope, index: PipelineIndexRow, signal: AbortSignal, parts: IndexerParts): Promise<void> {
  const embedding = embeddingOf(index)
  if (embedding === null) return
  const { store, limits } = parts
  for (let after: number | null = null; ;) {
    const chunks: ChunkText[] = await store.pipelineChunks.withoutVector(scope, index.id, { after, limit: textsPerRequest })
    const last = chunks.at(-1)
    if (last === undefined) return
    const embedder = await parts.embedders.find(scope, embedding)
    if (embedder === null)
      throw new Error(`There is no model provider '${embedding.provider}' any more; add it again, or change the pipeline's embedding`)
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.pipelineEmbedBatchMs)])
    const vectors = await embedAll(chunks.map(textOf), embedding, embedder, inTime, "patient")
    signal.throwIfAborted()
    await store.pipelineChunks.putVectors(
      scope,
      index.id,
      chunks.flatMap(({ chunkNo }, at) => {
        const vector = vectors[at]
        return vector === undefined ? [] : [{ chunkNo, vector: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength) }]
      }),
    )
    after = last.chunkNo
  }
}

/** What a chunk is about is in its title and headings, too. */
const textOf = ({ title, heading, body }: ChunkText): string =>
  [...new Set([title, heading])].filter((part) => part !== "").join(" › ") + `\n\n${body}`

const isComplete = async (scope: Scope, index: PipelineIndexRow, store: Store): Promise<boolean> =>
  (index.embedding === null || (await store.pipelineChunks.countWithoutVector(scope, index.id)) === 0) &&
  (await store.pipelineIndexes.unindexed(scope, index, 1)).count === 0

const nothingLeft = { hasWork: false, retryAt: null, error: null }

/** Lets the index answer instead of the one before, which is retired. False: more documents came in the meantime. */
export async function swapIndex(scope: Scope, index: PipelineIndexRow, { store, node, clock }: IndexerParts): Promise<boolean> {
  return store.transaction(async (inside) => {
    const pipeline = await inside.pipelines.get(scope, index.pipelineId)
    const current = await inside.pipelineIndexes.get(scope, index.id)
    // Removed, or changed once more: whoever did so has retired it.
    if (pipeline === null || current?.state !== "building") {
      await inside.pipelineIndexes.release(scope, index.id, node, { hasWork: true, retryAt: null, error: null })
      return true
    }
    if (!(await isComplete(scope, index, inside))) return false
    await inside.pipelines.put(scope, { ...pipeline, indexId: index.id, updatedAt: clock.now().toISOString() })
    await inside.pipelineIndexes.setState(scope, pipeline.indexId, "retired")
    await inside.pipelineIndexes.setState(scope, index.id, "active")
    await inside.pipelineIndexes.release(scope, index.id, node, nothingLeft)
    return true
  })
}

/** False: more came in the meantime. */
export async function endWork(scope: Scope, index: PipelineIndexRow, { store, node }: IndexerParts): Promise<boolean> {
  return store.transaction(async (inside) => {
    const current = await inside.pipelineIndexes.get(scope, index.id)
    if (current?.state === "retired") {
      await inside.pipelineIndexes.release(scope, index.id, node, { hasWork: true, retryAt: null, error: null })
      return true
    }
    if (index.embedding !== null && (await inside.pipelineChunks.countWithoutVector(scope, index.id)) > 0) return false
    await inside.pipelineIndexes.release(scope, index.id, node, nothingLeft)
    return true
  })
}
