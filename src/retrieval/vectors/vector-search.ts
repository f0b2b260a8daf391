// Finds the chunks whose vectors are nearest to a question's, in memory beside the server's thread.
//
// The thread holds the vectors of the indexes that were asked last. Before each search it gets what was added since; vectors
// of chunks that are gone stay until they are many, because whoever asks reads the chunks and finds them missing.
import type { Limits } from "../../core/limits.ts"
import type { Scope } from "../../core/principal.ts"
import { createMutex } from "../../io/mutex.ts"
import type { PipelineIndexRow, RankedChunk, StoredVector } from "../../store/retrieval/retrieval-store.ts"
import type { Store } from "../../store/store.ts"
import { createVectorThread } from "./vector-thread.ts"

export type VectorSearch = {
  search(scope: Scope, index: PipelineIndexRow, question: VectorQuestion): Promise<RankedChunk[]>
  close(): Promise<void>
}

export type VectorQuestion = {
  readonly vector: Float32Array
  readonly documents: readonly string[] | null
  readonly limit: number
  readonly signal: AbortSignal
}

type Held = { generation: number; lastNo: number; count: number; removedBefore: number; bytes: number }

const rowsPerRead = 500
/** More of those that are gone are read anew. */
const staleShareMax = 0.2

export function createVectorSearch({ store, limits }: { readonly store: Store; readonly limits: Limits }): VectorSearch {
  const thread = createVectorThread()
  /** Those that were asked longest ago come first. */
  const held = new Map<string, Held>()
  const mutex = createMutex()

  const forget = (key: string): void => {
    held.delete(key)
    thread.send({ kind: "drop", index: key }, [])
  }
  const current = (key: string, { vectorsRemoved }: PipelineIndexRow): Held => {
    const known = held.get(key)
    const isUsable =
      known !== undefined && known.generation === thread.generation() && vectorsRemoved - known.removedBefore <= known.count * staleShareMax
    if (isUsable) held.delete(key)
    else forget(key)
    const entry = isUsable ? known : { generation: thread.generation(), lastNo: 0, count: 0, removedBefore: vectorsRemoved, bytes: 0 }
    held.set(key, entry)
    return entry
  }
  const makeRoom = (keep: string): void => {
    let total = [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    for (const [key, { bytes }] of held) {
      if (total <= limits.pipelineVectorBytesMax || key === keep) continue
      forget(key)
      total -= bytes
    }
  }
  /** Sends what was added since the last time. */
  async function load(scope: Scope, index: PipelineIndexRow, key: string, signal: AbortSignal): Promise<void> {
    const known = current(key, index)
    for (;;) {
      signal.throwIfAborted()
      const rows = await store.pipelineChunks.vectors(scope, index.id, { after: known.lastNo, limit: rowsPerRead })
      const last = rows.at(-1)
      if (last === undefined) return
      const vectors = joined(rows)
      const chunkNumbers = Float64Array.from(rows, ({ chunkNo }) => chunkNo)
      const documents = rows.map(({ documentId }) => documentId)
      known.lastNo = last.vectorNo
      known.count += rows.length
      known.bytes += vectors.byteLength
      const dimensions = vectors.length / rows.length
      thread.send({ kind: "add", index: key, dimensions, vectors, chunkNumbers, documents }, [vectors.buffer, chunkNumbers.buffer])
      makeRoom(key)
      if (rows.length < rowsPerRead) return
    }
  }

  return {
    async search(scope, index, { vector, documents, limit, signal }) {
      const key = JSON.stringify([scope.tenant, index.id])
      // One after the other: two that load the same index would send it twice, and one may push out what another has loaded.
      const { chunkNumbers, scores } = await mutex.take(async () => {
        await load(scope, index, key, signal)
        return thread.search({ index: key, vector, documents, limit })
      })
      return Array.from(chunkNumbers, (chunkNo, at) => ({ chunkNo, score: scores[at] ?? 0 }))
    },
    close: () => thread.close(),
  }
}

/** All of one index have the same length. */
function joined(rows: readonly StoredVector[]): Float32Array<ArrayBuffer> {
  const bytes = rows[0]?.vector.byteLength ?? 0
  const all = new Uint8Array(bytes * rows.length)
  for (const [at, { vector }] of rows.entries()) all.set(vector.subarray(0, bytes), at * bytes)
  return new Float32Array(all.buffer)
}
