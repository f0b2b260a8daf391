// The executions that run on this node now: how they are stopped, waited for and followed.
import type { ExecutionEvent } from "../core/execution.ts"
import type { Principal } from "../core/principal.ts"
import type { ExecutionRow } from "../store/execution-store.ts"

export type LiveExecution = {
  readonly tenant: string
  readonly id: string
  readonly abort: AbortController
  /** The row as it is when the run ended or paused. */
  readonly ended: Promise<ExecutionRow>
  /** Whether the row is in the store already, so that its lease must be kept. */
  isStored: boolean
  isVisibleTo(principal: Principal): boolean
}

export type LiveExecutions = {
  add(live: LiveExecution): void
  remove(id: string): void
  get(id: string): LiveExecution | undefined
  all(): readonly LiveExecution[]
  publish(id: string, event: ExecutionEvent): void
  /** Answers how to stop following. */
  follow(id: string, listener: (event: ExecutionEvent) => void): () => void
}

export function createLiveExecutions(): LiveExecutions {
  const running = new Map<string, LiveExecution>()
  const listeners = new Map<string, Set<(event: ExecutionEvent) => void>>()
  return {
    add: (live) => void running.set(live.id, live),
    remove: (id) => void running.delete(id),
    get: (id) => running.get(id),
    all: () => [...running.values()],
    publish: (id, event) => listeners.get(id)?.forEach((listener) => listener(event)),
    follow(id, listener) {
      const followers = listeners.get(id) ?? new Set()
      listeners.set(id, followers.add(listener))
      return () => {
        followers.delete(listener)
        if (followers.size === 0) listeners.delete(id)
      }
    },
  }
}
