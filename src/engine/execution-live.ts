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
  /** Until when nobody else may take it, as the store knows it. */
  leaseUntilMs: number
}

/** Why a run is ended whose execution is somebody else's by now, or may be: it must write nothing more. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost"
}

export type LiveExecutions = {
  add(live: LiveExecution): void
  /** Not the one that took its place: a pause may be answered before whoever ran it has left. */
  remove(live: LiveExecution): void
  get(id: string): LiveExecution | undefined
  all(): readonly LiveExecution[]
  /** The event is made only when somebody follows. */
  publish(id: string, event: () => ExecutionEvent): void
  /** Answers how to stop following. */
  follow(id: string, listener: (event: ExecutionEvent) => void): () => void
}

export function createLiveExecutions(): LiveExecutions {
  const running = new Map<string, LiveExecution>()
  const listeners = new Map<string, Set<(event: ExecutionEvent) => void>>()
  return {
    add: (live) => void running.set(live.id, live),
    remove(live) {
      if (running.get(live.id) === live) running.delete(live.id)
    },
    get: (id) => running.get(id),
    all: () => [...running.values()],
    publish(id, makeEvent) {
      const followers = listeners.get(id)
      if (followers === undefined) return
      const event = makeEvent()
      followers.forEach((listener) => listener(event))
    },
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
