// Works on indexes in the background: builds new ones, makes vectors, and removes what is retired.
//
// What is left to do is in the rows, so that it goes on after a crash, on any node. A node claims an index with a lease
// before it works on it, and renews it between two steps: two nodes never work on one, and a node that dies is replaced.
// Tenants do not wait for one another: whose endpoint takes its time keeps nobody else waiting.
import type { Scope } from "../core/principal.ts"
import type { Lease } from "../store/execution-store.ts"
import type { ClaimedIndex, PipelineIndexRow } from "../store/retrieval/retrieval-store.ts"
import { buildIndex, embedMissing, endWork, swapIndex } from "./index-work.ts"
import type { IndexerParts } from "./index-work.ts"

export type Indexer = {
  /** There may be something to do. */
  wake(): void
  stop(): Promise<void>
}

const tenantsAtOnceMax = 8

export function startIndexer(parts: IndexerParts): Indexer {
  const ending = new AbortController()
  /** By tenant: one index after the other. */
  const working = new Map<string, Promise<void>>()
  let claiming: Promise<void> | null = null
  let isAwake = false

  async function claimAll(): Promise<void> {
    while (isAwake) {
      isAwake = false
      while (working.size < tenantsAtOnceMax && !ending.signal.aborted) {
        const now = parts.clock.now().toISOString()
        const claimed = await parts.store.pipelineIndexes.claim(newLease(parts), now, [...working.keys()])
        if (claimed === null) break
        const { tenant } = claimed.scope
        const work = workOn(claimed, ending.signal, parts)
          .catch(report)
          .finally(() => {
            working.delete(tenant)
            wake()
          })
        working.set(tenant, work)
      }
    }
  }
  const report = (error: unknown): void => {
    if (!ending.signal.aborted) parts.log.error({ error: String(error) }, "Indexing failed; it will be retried")
  }
  const wake = (): void => {
    isAwake = true
    if (claiming !== null || ending.signal.aborted) return
    claiming = claimAll()
      .catch(report)
      .finally(() => {
        claiming = null
        // Somebody called just after the last look.
        if (isAwake) wake()
      })
  }
  // Another node may have died, or an endpoint be back.
  const timer = setInterval(wake, parts.leaseMs / 3)
  timer.unref()
  wake()
  return {
    wake,
    async stop() {
      clearInterval(timer)
      ending.abort(new Error("The server stops"))
      await claiming
      await Promise.all(working.values())
      await parts.store.pipelineIndexes.releaseAll(parts.node)
    },
  }
}

async function workOn({ scope, index }: ClaimedIndex, ending: AbortSignal, parts: IndexerParts): Promise<void> {
  const lost = new AbortController()
  const signal = AbortSignal.any([ending, lost.signal])
  const renewal = setInterval(() => {
    parts.store.pipelineIndexes
      .renew(scope, index.id, newLease(parts))
      .then((isOurs) => isOurs || lost.abort(new Error("Another node has taken the index")))
      .catch(() => {})
  }, parts.leaseMs / 3)
  renewal.unref()
  try {
    await doWork(scope, index, signal, parts)
  } catch (error) {
    if (signal.aborted) return
    const message = error instanceof Error ? error.message : String(error)
    parts.log.warn(
      { pipelineId: index.pipelineId, indexId: index.id, error: message },
      "An index could not be completed; it will be retried",
    )
    const retryAt = new Date(parts.clock.now().getTime() + parts.limits.pipelineRetryMs).toISOString()
    await parts.store.pipelineIndexes.release(scope, index.id, parts.node, { hasWork: true, retryAt, error: message.slice(0, 1000) })
  } finally {
    clearInterval(renewal)
  }
}

async function doWork(scope: Scope, index: PipelineIndexRow, signal: AbortSignal, parts: IndexerParts): Promise<void> {
  switch (index.state) {
    case "retired":
      while (!signal.aborted && (await parts.store.pipelineIndexes.erase(scope, index.id)));
      return
    case "building":
      for (let isDone = false; !isDone; isDone = await swapIndex(scope, index, parts)) {
        signal.throwIfAborted()
        await buildIndex(scope, index, signal, parts)
        await embedMissing(scope, index, signal, parts)
      }
      return
    case "active":
      for (let isDone = false; !isDone; isDone = await endWork(scope, index, parts)) {
        signal.throwIfAborted()
        await embedMissing(scope, index, signal, parts)
      }
  }
}

const newLease = ({ node, clock, leaseMs }: IndexerParts): Lease => ({
  owner: node,
  until: new Date(clock.now().getTime() + leaseMs).toISOString(),
})
