// The port of embeddings: what makes vectors of texts.
import type { Scope } from "../core/principal.ts"
import type { Embedding } from "../core/retrieval/pipeline.ts"

export interface Embedder {
  /** One vector for each text. Throws where the endpoint does not answer so. */
  embed(texts: readonly string[], signal: AbortSignal, urgency: Urgency): Promise<readonly Float32Array[]>
}

/** `urgent`: a question waits for them, which words can answer too. */
export type Urgency = "urgent" | "patient"

export interface Embedders {
  /** Null when the tenant has no such provider. */
  find(scope: Scope, embedding: Embedding): Promise<Embedder | null>
}

export const noEmbedders: Embedders = { find: async () => null }

/** Vectors of length 1, so that the product of two is their likeness; checked to be what the pipeline says. */
export async function embedAll(
  texts: readonly string[],
  { provider, model, dimensions }: Embedding,
  embedder: Embedder,
  signal: AbortSignal,
  urgency: Urgency,
): Promise<Float32Array[]> {
  const vectors = await embedder.embed(texts, signal, urgency)
  if (vectors.length !== texts.length)
    throw new Error(`The model '${model}' of '${provider}' answered ${vectors.length} vectors for ${texts.length} texts`)
  return vectors.map((vector) => {
    if (vector.length !== dimensions)
      throw new Error(
        `The model '${model}' of '${provider}' has ${vector.length} dimensions, and the pipeline says ${dimensions}; change one of them`,
      )
    return unit(vector)
  })
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length)) throw new Error("A vector of the model has values that are no numbers")
  return length === 0 ? vector : vector.map((value) => value / length)
}
