// Answers a question from the documents of a pipeline: by words, by vectors if it has them, or both.
//
// The words always answer. Vectors need an endpoint that may be slow or down: then the answer by words is marked `degraded`.
import { ExecutorError } from "../core/errors.ts"
import type { Scope } from "../core/principal.ts"
import { topKDefault } from "../core/retrieval/pipeline.ts"
import type { Degraded, PipelineAnswer, PipelineFilter, PipelineQuestion, PipelineResult } from "../core/retrieval/pipeline.ts"
import type { PipelineIndexRow, PipelineRow, RankedChunk } from "../store/retrieval/retrieval-store.ts"
import { embedAll } from "./embedder.ts"
import { fuse } from "./fuse.ts"
import type { RetrievalParts } from "./parts.ts"
import { lookUpPipeline } from "./pipelines.ts"
import { embeddingOf } from "./recipe.ts"

/** Of each ranking, as many go into the joined one. */
const candidatesMin = 50
/** An index is replaced at most once while somebody asks. */
const attemptsMax = 3

/** Null when the scope has no such pipeline. Throws `invalid_request` for a question that cannot be asked. */
export async function queryPipeline(
  scope: Scope,
  ref: string,
  question: PipelineQuestion,
  signal: AbortSignal,
  parts: RetrievalParts,
): Promise<PipelineAnswer | null> {
  const topK = checkQuestion(question, parts)
  for (let attempt = 1; ; attempt += 1) {
    const pipeline = await lookUpPipeline(scope, ref, parts.store)
    if (pipeline === null) return null
    const index = await parts.store.pipelineIndexes.get(scope, pipeline.indexId)
    const documents = await allowedDocuments(scope, pipeline, question.filter, parts)
    const answer = index === null ? null : await ask(scope, pipeline, index, { ...question, topK, documents, signal }, parts)
    if (answer !== null) return answer
    if (attempt === attemptsMax) throw new ExecutorError("conflict", "The pipeline is being changed; ask again")
  }
}

function checkQuestion({ query, topK = topKDefault }: PipelineQuestion, { limits }: RetrievalParts): number {
  if (query.trim() === "") throw invalid("query must not be empty; say what to look for")
  if (query.length > limits.pipelineQueryCharsMax) throw invalid(`query must have at most ${limits.pipelineQueryCharsMax} characters`)
  if (!Number.isInteger(topK) || topK < 1 || topK > limits.pipelineTopKMax)
    throw invalid(`top_k must be a whole number from 1 to ${limits.pipelineTopKMax}`)
  return topK
}

/** Null: all. */
async function allowedDocuments(
  scope: Scope,
  { id }: PipelineRow,
  filter: PipelineFilter | undefined,
  { store, limits }: RetrievalParts,
): Promise<readonly string[] | null> {
  if (filter === undefined || Object.values(filter).every((value) => value === undefined)) return null
  const { documentIds, sourcePrefix, titlePrefix } = filter
  const max = limits.pipelineFilterDocumentsMax
  if (documentIds !== undefined && documentIds.length > max) throw invalid(`filter.documentIds has at most ${max} ids`)
  const match = {
    ...(documentIds === undefined ? {} : { ids: documentIds }),
    ...(sourcePrefix === undefined ? {} : { sourcePrefix }),
    ...(titlePrefix === undefined ? {} : { titlePrefix }),
  }
  const documents = await store.pipelineDocuments.match(scope, id, match, max + 1)
  if (documents.length > max) throw invalid(`The filter lets more than ${max} documents through; make it narrower, or leave it out`)
  return documents
}

type Asked = PipelineQuestion & {
  readonly topK: number
  readonly documents: readonly string[] | null
  readonly signal: AbortSignal
}

/** Null where the index is gone. */
async function ask(
  scope: Scope,
  pipeline: PipelineRow,
  index: PipelineIndexRow,
  { query, topK, documents, signal }: Asked,
  parts: RetrievalParts,
): Promise<PipelineAnswer | null> {
  const limit = Math.max(candidatesMin, 2 * topK)
  const [words, meaning] = await Promise.all([
    searchWords(scope, index, { text: query, documents, limit, signal }, parts),
    searchVectors(scope, index, { query, documents, limit, signal }, parts),
  ])
  if (words === null) return null
  const ranked = meaning.ranking === null ? words : fuse([words, meaning.ranking])
  const results = await readResults(scope, { id: index.id, pipelineId: pipeline.id }, ranked, topK, parts)
  // What was found is gone because the index is.
  if (results.length === 0 && ranked.length > 0 && (await parts.store.pipelineIndexes.get(scope, index.id))?.state !== "active") return null
  return { results, ...(meaning.degraded === null ? {} : { degraded: meaning.degraded }) }
}

async function searchWords(
  scope: Scope,
  index: PipelineIndexRow,
  query: Parameters<RetrievalParts["store"]["pipelineChunks"]["search"]>[2],
  { store }: RetrievalParts,
): Promise<RankedChunk[] | null> {
  try {
    return await store.pipelineChunks.search(scope, index, query)
  } catch (error) {
    query.signal.throwIfAborted()
    // Its table was dropped between two reads.
    if ((await store.pipelineIndexes.get(scope, index.id))?.state !== "active") return null
    throw error
  }
}

type Meaning = { readonly ranking: readonly RankedChunk[] | null; readonly degraded: Degraded | null }

async function searchVectors(
  scope: Scope,
  index: PipelineIndexRow,
  { query, documents, limit, signal }: Omit<Asked, "topK"> & { readonly limit: number },
  { embedders, vectors, limits, log }: RetrievalParts,
): Promise<Meaning> {
  const embedding = embeddingOf(index)
  if (embedding === null || documents?.length === 0) return { ranking: null, degraded: null }
  try {
    const embedder = await embedders.find(scope, embedding)
    if (embedder === null) throw new Error(`There is no model provider '${embedding.provider}' any more`)
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.pipelineEmbedMs)])
    const [vector] = await embedAll([query], embedding, embedder, inTime, "urgent")
    if (vector === undefined) throw new Error("The endpoint answered no vector")
    // Some of what is nearest may belong to chunks that are gone.
    const ranking = await vectors.search(scope, index, { vector, documents, limit: 2 * limit, signal })
    return { ranking, degraded: index.hasWork ? "embeddings_pending" : null }
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ pipelineId: index.pipelineId, error: String(error) }, "A query was answered by words alone")
    return { ranking: null, degraded: "embeddings_unavailable" }
  }
}

/** Chunks that are gone, or belong to another index by now, leave their places to the next ones. */
async function readResults(
  scope: Scope,
  index: { readonly id: string; readonly pipelineId: string },
  ranked: readonly RankedChunk[],
  topK: number,
  { store }: RetrievalParts,
): Promise<PipelineResult[]> {
  const results: PipelineResult[] = []
  for (let from = 0; from < ranked.length && results.length < topK; from += topK) {
    const some = ranked.slice(from, from + topK)
    const found = await store.pipelineChunks.get(
      scope,
      index,
      some.map(({ chunkNo }) => chunkNo),
    )
    const byNumber = new Map(found.map((chunk) => [chunk.chunkNo, chunk]))
    for (const { chunkNo, score } of some) {
      const chunk = byNumber.get(chunkNo)
      if (chunk === undefined || results.length === topK) continue
      const { body: text, documentId, title, source, position } = chunk
      results.push({ text, score, documentId, title, source, position })
    }
  }
  return results
}

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
