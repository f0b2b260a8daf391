// The executions that currently run on this node: how they are stopped, awaited and followed.
import type { ExecutionEvent, LogLine } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import type { CallRow, ExecutionRow } from "../../store/execution-store.ts"

export type ActiveRun = {
  readonly tenant: string
  readonly user: string
  readonly id: string
  /** The execution that runs it as a part of its own; null for one with a lease of its own. */
  readonly rootId: string | null
  /** In whose name it acts; null for the local human. */
  readonly tokenId: string | null
  readonly abort: AbortController
  /** Which run of it is here: a later one is somebody else's. */
  run: number
  /** The row as it is when the run ended or paused. */
  readonly ended: Promise<ExecutionRow>
  /** Whether the row is in the store already, so that its lease must be kept. */
  isStored: boolean
  isVisibleTo(principal: Principal): boolean
  /** Until when nobody else may take it, as the store knows it. */
  leaseUntilMs: number
  /** What its code has logged so far; bounded by the sandbox. */
  readonly logs: LogLine[]
  /** What an agent's model has said of the answer that it is giving, for whoever begins to follow in the middle of it. */
  words: string
  /** How much of its time it has used. */
  time(): { readonly usedMs: number; readonly wallMs: number }
  /** What it has called so far. */
  calls(): Iterable<CallRow>
}

/** Why a run is ended whose execution is somebody else's by now, or may be: it must write nothing more. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost"
}

/** Who ended an execution: somebody who wanted so, or the revocation of the token in whose name it acted. */
export type CancelledBy = Pick<Principal, "kind"> | "revocation"

/** Ends an execution before its time; the message says why. */
export class Cancellation extends Error {
  override readonly name = "Cancellation"
  constructor(by: CancelledBy) {
    super(
      by === "revocation"
        ? "The execution was cancelled because its token was revoked"
        : `The execution was cancelled by ${by.kind === "agent" ? "an agent" : "a human"}`,
    )
  }
}

/** Ends a run in order to begin it again from its journal: a human has answered while its code went on. */
export class AnswerArrived extends Error {
  override readonly name = "AnswerArrived"
}

/** A run that may be waiting for humans while its code goes on. */
export type Asking = {
  /** The approvals that it waits for, by id. */
  pending(): readonly string[]
  restart(): void
}

export type RunRegistry = {
  add(live: ActiveRun): void
  /** Not the one that took its place: a pause may be answered before whoever ran it has left. */
  remove(live: ActiveRun): void
  get(id: string): ActiveRun | undefined
  /** Those with a lease of their own. */
  all(): readonly ActiveRun[]
  /** Those that run as parts of this one. */
  below(rootId: string): readonly ActiveRun[]
  /** Answers how to stop listening. */
  onAnswer(id: string, asking: Asking): () => void
  awaitingAnswer(id: string): Asking | undefined
  /** A call that some code here has made, until it is answered. */
  trackCall(call: Promise<unknown>): void
  openCalls(): readonly Promise<unknown>[]
  /** The event is made only when somebody follows. */
  publish(id: string, event: () => ExecutionEvent): void
  /** Answers how to stop following. */
  follow(id: string, listener: (event: ExecutionEvent) => void): () => void
}

export function createRunRegistry(): RunRegistry {
  const running = new Map<string, ActiveRun>()
  const asking = new Map<string, Asking>()
  const calls = new Set<Promise<unknown>>()
  const listeners = new Map<string, Set<(event: ExecutionEvent) => void>>()
  return {
    add: (live) => void running.set(live.id, live),
    remove(live) {
      if (running.get(live.id) === live) running.delete(live.id)
    },
    get: (id) => running.get(id),
    all: () => [...running.values()].filter(({ rootId }) => rootId === null),
    below: (id) => [...running.values()].filter(({ rootId }) => rootId === id),
    onAnswer(id, one) {
      asking.set(id, one)
      return () => void (asking.get(id) === one && asking.delete(id))
    },
    awaitingAnswer: (id) => asking.get(id),
    trackCall(call) {
      calls.add(call)
      const forget = (): void => void calls.delete(call)
      call.then(forget, forget)
    },
    openCalls: () => [...calls],
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
