// The vectors of one tenant's tools in the thread that compares them, each once, by the content of its text.
import { ExecutorError } from "../../core/errors.ts"
import { raiseLimit } from "../../core/limits.ts"
import type { Scope } from "../../core/principal.ts"
import type { Embedding } from "../../core/retrieval/pipeline.ts"
import type { ToolEmbeddingRow, ToolVector } from "../../store/retrieval/retrieval-store.ts"
import { embedAll } from "../embedder.ts"
import type { Urgency } from "../embedder.ts"
import type { Nearest } from "../vectors/nearest.ts"
import { toBytes } from "../vectors/bytes.ts"
import type { ToolMeaningParts } from "./parts.ts"

/** A text, and its hash. */
export type HashedText = { readonly hash: string; readonly text: string }

export type VectorSpace = {
  /** The number of the vector; undefined where it is not there. */
  numberOf(hash: string): number | undefined
  /** Reads what the table has of them. */
  load(hashes: readonly string[]): Promise<void>
  /** Makes those that the table does not have, and keeps them there. */
  make(texts: readonly HashedText[], signal: AbortSignal): Promise<void>
  /** Lets the oldest vectors of the table go where there are many more than tools. */
  trim(): Promise<void>
  question(text: string, signal: AbortSignal): Promise<Float32Array>
  nearest(vector: Float32Array, among: Uint32Array, limit: number): Promise<Nearest>
  bytes(): number
  /** There were more than fit. */
  isFull(): boolean
  drop(): void
}

export function createVectorSpace(scope: Scope, row: ToolEmbeddingRow, parts: ToolMeaningParts): VectorSpace {
  const { store, limits, thread, clock } = parts
  const embedding = JSON.parse(row.embedding) as Embedding // written by `settings.ts`
  const { dimensions } = embedding
  const index = JSON.stringify([scope.tenant, row.id])
  const numbers = new Map<string, number>()
  let isFull = false
  const mostVectors = Math.min(limits.toolVectorsMax, Math.floor(limits.toolVectorBytesMax / dimensions))

  function add(found: readonly ToolVector[]): void {
    const added = found.filter(({ hash, vector }) => !numbers.has(hash) && vector.byteLength === dimensions)
    if (added.length === 0) return
    if (numbers.size + added.length > mostVectors) {
      isFull = true
      const most = `The catalog has more than ${mostVectors} tools, as many as may have vectors of ${dimensions} dimensions`
      throw new Error(`${most}; searches compare words alone. ${raiseLimit("toolVectorsMax", "toolVectorBytesMax")}`)
    }
    const vectors = new Int8Array(added.length * dimensions)
    const chunkNumbers = new Float64Array(added.length)
    for (const [at, { hash, vector }] of added.entries()) {
      vectors.set(new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength), at * dimensions)
      chunkNumbers[at] = numbers.size
      numbers.set(hash, numbers.size)
    }
    thread.send({ kind: "add", index, dimensions, vectors, chunkNumbers, documents: null }, [vectors.buffer, chunkNumbers.buffer])
  }
  const embed = async (texts: readonly string[], signal: AbortSignal, urgency: Urgency): Promise<Float32Array[]> => {
    const embedder = await parts.embedders.find(scope, embedding)
    if (embedder === null)
      throw new ExecutorError(
        "conflict",
        `There is no model provider '${embedding.provider}' any more; add it again, or choose another one`,
      )
    return embedAll(texts, embedding, embedder, signal, urgency)
  }
  const load = async (hashes: readonly string[]): Promise<void> => {
    const missing = hashes.filter((hash) => !numbers.has(hash))
    if (missing.length > 0) add(await store.toolVectors.get(scope, row.id, missing))
  }

  return {
    numberOf: (hash) => numbers.get(hash),
    load,
    async make(texts, signal) {
      // Another node may have made them.
      await load(texts.map(({ hash }) => hash))
      const missing = texts.filter(({ hash }) => !numbers.has(hash))
      if (missing.length === 0) return
      const vectors = await embed(
        missing.map(({ text }) => text),
        AbortSignal.any([signal, AbortSignal.timeout(limits.pipelineEmbedBatchMs)]),
        "patient",
      )
      const made = missing.flatMap(({ hash }, at) => {
        const vector = vectors[at]
        return vector === undefined ? [] : [{ hash, vector: new Uint8Array(toBytes(vector).buffer) }]
      })
      signal.throwIfAborted()
      await store.toolVectors.put(scope, row.id, made, clock.now().toISOString())
      add(made)
    },
    trim: () => store.toolVectors.trim(scope, 2 * limits.toolVectorsMax),
    async question(text, signal) {
      const [vector] = await embed([text], signal, "urgent")
      if (vector === undefined) throw new Error("The endpoint answered no vector")
      return vector
    },
    nearest: (vector, among, limit) => thread.search({ index, vector, documents: among, limit }),
    bytes: () => numbers.size * dimensions,
    isFull: () => isFull,
    drop() {
      isFull = false
      numbers.clear()
      thread.send({ kind: "drop", index }, [])
    },
  }
}
