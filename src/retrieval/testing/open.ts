// Retrieval for unit tests: the product's store and threads, with vectors that can be told from a text.
import { withLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import { systemClock } from "../../io/clock.ts"
import { newId, sha256 } from "../../io/ids.ts"
import { silentLog } from "../../io/log.ts"
import { createWebPages } from "../../registry/builtins/web-fetch/pages.ts"
import { openTestStore } from "../../store/testing/open.ts"
import type { Embedders } from "../embedder.ts"
import { startIndexer } from "../indexer.ts"
import type { IndexerParts } from "../index-work.ts"
import type { RetrievalParts } from "../parts.ts"
import { createVectorSearch } from "../vectors/vector-search.ts"

export type TestRetrieval = {
  readonly parts: RetrievalParts
  /** What the endpoint was asked to make vectors of. */
  readonly embedded: string[][]
  /** From now on the endpoint answers so; null: as it should. */
  failWith(message: string | null): void
  /** Waits until nothing is left to index. */
  settled(principal: Principal): Promise<void>
  admin(): Promise<Principal>
  indexerOf(node: string): IndexerParts
  close(): Promise<void>
}

export const dimensions = 64
export const embedding = { provider: "local", model: "words", dimensions }

/** Texts with the same words are near each other. Words that mean the same count as one. */
export function vectorOf(text: string, size = dimensions): Float32Array {
  const vector = new Float32Array(size)
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const place = Number.parseInt(sha256(synonyms[word] ?? word).slice(0, 8), 16) % size
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

const synonyms: Readonly<Record<string, string>> = { vacation: "holiday", car: "automobile" }

export async function openTestRetrieval(limits: Partial<Limits> = {}): Promise<TestRetrieval> {
  const { store, close } = await openTestStore()
  const embedded: string[][] = []
  let failure: string | null = null
  const embedders: Embedders = {
    async find(_scope, { provider, dimensions: size }) {
      if (provider !== "local") return null
      return {
        async embed(texts) {
          if (failure !== null) throw new Error(failure)
          embedded.push([...texts])
          return texts.map((text) => vectorOf(text, size))
        },
      }
    },
  }
  const base = { store, limits: withLimits(limits), clock: systemClock, log: silentLog, embedders, leaseMs: 60_000 }
  const indexer = startIndexer({ ...base, node: "node_main" })
  const vectors = createVectorSearch(base)
  const pages = createWebPages()
  const parts: RetrievalParts = { ...base, vectors, pages, wake: () => indexer.wake() }
  return {
    parts,
    embedded,
    failWith: (message) => (failure = message),
    async settled(principal) {
      for (;;) {
        const rows = await store.pipelines.list(principal, { after: null, limit: 100 })
        const indexes = (await Promise.all(rows.map(({ id }) => store.pipelineIndexes.ofPipeline(principal, id)))).flat()
        if (indexes.every(({ hasWork, state }) => !hasWork && state === "active")) return
        indexer.wake()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    async admin() {
      const tenant = newId("tenant")
      await store.tenants.ensure({ tenant, id: "alice", name: "Alice", roles: ["admin"] })
      return { tenant, user: "alice", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null }
    },
    indexerOf: (node) => ({ ...base, node }),
    async close() {
      await indexer.stop()
      await vectors.close()
      await pages.close()
      await close()
    },
  }
}
