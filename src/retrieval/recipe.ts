// How a pipeline's index is made: checks what somebody wrote about chunks and vectors.
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import type { Scope } from "../core/principal.ts"
import type { Chunking, Embedding } from "../core/retrieval/pipeline.ts"
import type { IndexRecipe } from "../store/retrieval/retrieval-store.ts"
import type { Embedders } from "./embedder.ts"

export const chunkingDefault: Chunking = { tokens: 400, overlap: 60 }
const tokensMin = 20

/** What is not given stays as it was; a default overlap shrinks with small chunks. */
export function checkChunking(given: Partial<Chunking>, before: Chunking, { pipelineChunkTokensMax }: Limits): Chunking {
  const tokens = given.tokens ?? before.tokens
  const overlap = given.overlap ?? Math.min(before.overlap, Math.floor(tokens / 4))
  if (!Number.isInteger(tokens) || tokens < tokensMin || tokens > pipelineChunkTokensMax)
    throw invalid(`chunking.tokens must be a whole number from ${tokensMin} to ${pipelineChunkTokensMax}`)
  if (!Number.isInteger(overlap) || overlap < 0 || overlap > tokens / 2)
    throw invalid(`chunking.overlap must be a whole number from 0 to ${Math.floor(tokens / 2)}, half of chunking.tokens`)
  return { tokens, overlap }
}

export async function checkEmbedding(
  scope: Scope,
  { provider, model, dimensions }: Embedding,
  { limits, embedders }: { readonly limits: Limits; readonly embedders: Embedders },
): Promise<Embedding> {
  for (const [name, value] of Object.entries({ provider, model }))
    if (value.trim() === "" || value.length > limits.nameCharsMax || /\p{Cc}/u.test(value))
      throw invalid(`embedding.${name} must have 1 to ${limits.nameCharsMax} characters on one line`)
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > limits.pipelineDimensionsMax)
    throw invalid(
      `embedding.dimensions must be a whole number from 1 to ${limits.pipelineDimensionsMax}, as the model's documentation says`,
    )
  const embedding = { provider, model, dimensions }
  if ((await embedders.find(scope, embedding)) === null)
    throw invalid(
      `embedding.provider: there is no model provider '${provider.slice(0, 80)}' that makes embeddings; GET /models/providers lists them, or leave embedding out to search by words alone`,
    )
  return embedding
}

export const toRecipe = (chunking: Chunking, embedding: Embedding | null): IndexRecipe => ({
  chunkTokens: chunking.tokens,
  chunkOverlap: chunking.overlap,
  embedding: embedding === null ? null : JSON.stringify(embedding),
})

export const chunkingOf = ({ chunkTokens, chunkOverlap }: IndexRecipe): Chunking => ({ tokens: chunkTokens, overlap: chunkOverlap })

export const embeddingOf = ({ embedding }: IndexRecipe): Embedding | null =>
  embedding === null ? null : (JSON.parse(embedding) as Embedding) // written above

export const isSameRecipe = (a: IndexRecipe, b: IndexRecipe): boolean =>
  a.chunkTokens === b.chunkTokens && a.chunkOverlap === b.chunkOverlap && a.embedding === b.embedding

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
