// The thread that holds vectors in memory and compares them.
import { parentPort } from "node:worker_threads"
import type { VectorAnswer, VectorRequest } from "./message.ts"
import { scalesOf } from "./bytes.ts"
import { nearest } from "./nearest.ts"
import type { VectorBlock } from "./nearest.ts"

type Held = { readonly blocks: VectorBlock[]; readonly documents: Map<string, number> }
const indexes = new Map<string, Held>()

parentPort?.on("message", (request: VectorRequest) => {
  switch (request.kind) {
    case "add":
      return add(request)
    case "drop":
      return void indexes.delete(request.index)
    case "search":
      return parentPort?.postMessage(search(request), [])
  }
})

function add({ index, dimensions, vectors, chunkNumbers, documents }: VectorRequest & { kind: "add" }): void {
  const held = indexes.get(index) ?? { blocks: [], documents: new Map<string, number>() }
  indexes.set(index, held)
  const numberOf = (id: string): number => {
    const known = held.documents.get(id) ?? held.documents.size
    held.documents.set(id, known)
    return known
  }
  const numbers = documents === null ? Uint32Array.from(chunkNumbers) : Uint32Array.from(documents, numberOf)
  const scales = vectors instanceof Int8Array ? scalesOf(vectors, dimensions) : null
  held.blocks.push({ dimensions, vectors, scales, chunkNumbers, documents: numbers })
}

function search({ id, index, vector, documents, limit }: VectorRequest & { kind: "search" }): VectorAnswer {
  const held = indexes.get(index) ?? { blocks: [], documents: new Map<string, number>() }
  return { id, ...nearest(held.blocks, vector, wantedOf(documents, held), limit) }
}

function wantedOf(documents: (VectorRequest & { kind: "search" })["documents"], held: Held): ReadonlySet<number> | null {
  if (documents === null) return null
  return documents instanceof Uint32Array ? new Set(documents) : new Set(documents.flatMap((one) => held.documents.get(one) ?? []))
}
