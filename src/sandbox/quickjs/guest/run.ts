// The state of one execution inside a worker, and what it asked for.
import { createCallCounter } from "./call-key.ts"
import type { CallCounter } from "./call-key.ts"
import type { CompiledCode } from "../code/compile.ts"
import type { StopReason } from "../../sandbox.ts"
import type { ParkedMemory } from "../vm/parking.ts"
import type { RandomStream } from "./random-stream.ts"
import type { MissingReads } from "../code/envelope.ts"
import { createRandomStream } from "./random-stream.ts"
import type { VmInstance } from "../vm/instance.ts"
import type { Lane } from "../protocol.ts"
import { replayFields } from "../protocol.ts"

export type AskedCall = {
  readonly seq: number
  readonly key: string
  readonly kind: number
  readonly path: string
  readonly argsJson: string
  /** What the guest says: any number. */
  readonly line: number
}

export type RunStop = { readonly reason: StopReason | "moved" | "dropped" | "stack" | "crashed"; readonly message: string }

/** Boxes that live in the guest's memory. */
export type Rejection = { readonly promise: number; readonly reason: number }

export type RecordedEvent = { readonly form: number; readonly atMs: number; readonly key: string; readonly json: string }

export type GuestRun = {
  readonly no: number
  readonly code: string
  /** See `modes`. */
  readonly mode: number
  readonly inputJson: string
  readonly random: RandomStream
  readonly replay: readonly (string | number)[]
  readonly counter: CallCounter
  /** The lane of the pool in which it was started. */
  readonly lane: Lane
  /** Where its principal's memory is counted. */
  readonly column: number
  /** What is counted there of it. */
  residentPages: number
  spilledPages: number
  place:
    | { readonly at: "instance"; readonly instance: VmInstance }
    /** In memory, and on disk. */
    | { readonly at: "parked" | "spilled"; readonly memory: ParkedMemory }
  compiled: CompiledCode | null
  /** The box of the promise that the code's function returned. */
  promise: number
  clockMs: number
  cpuMs: number
  replayAt: number
  callsAsked: number
  /** Calls of the replay by key, until their answer is reached; then live. */
  readonly asked: Map<string, AskedCall>
  /** Asked and not sent, because the replay is not over or all places are taken. */
  readonly queued: AskedCall[]
  /** Of `store` and `load`: not sent, because an earlier one of the same key is under way. */
  readonly held: AskedCall[]
  queuedArgsBytes: number
  readonly inFlight: Set<number>
  /** The `store` or `load` that is under way, by key. */
  readonly valuesInFlight: Map<string, number>
  /** Every `store` and `load` that has no answer yet. */
  readonly openValues: Set<number>
  /** How the code ended, while calls that it did not wait for are still to be made. */
  codeEnd: "none" | "returned" | "threw"
  /** The calls that are waited for although the code has ended. */
  readonly leftBehind: Set<number>
  /** The calls of tools that had not left when the code ended: made nevertheless if it returned, and not if it threw. */
  readonly callsLeftBehind: AskedCall[]
  /** In a replay: calls before this one were sent by the run that was recorded. */
  sentBefore: number
  answersReplayed: number
  readonly keys: Map<number, string>
  /** Calls that wait for a human. */
  readonly pending: Set<number>
  timersDueMs: number
  timeouts: number
  wakeSentMs: number
  logLines: number
  logBytes: number
  logsDropped: number
  emittedBytes: number
  emitted: number
  emitsDropped: number
  /** Rejected promises that nobody has handled so far, by address. */
  readonly rejections: Map<number, Rejection>
  /** What was read of envelopes that they do not have. */
  readonly missingReads: MissingReads
  stop: RunStop | null
  /** When it was last inside the guest, as a count of entries. */
  usedAt: number
}

export const isReplaying = (run: GuestRun): boolean => run.replayAt < run.replay.length

export function createGuestRun(
  no: number,
  start: {
    code: string
    mode: number
    inputJson: string
    seed: string
    startedAtMs: number
    lane: Lane
    column: number
    replay: readonly (string | number)[]
  },
  instance: VmInstance,
): GuestRun {
  return {
    no,
    code: start.code,
    mode: start.mode,
    inputJson: start.inputJson,
    random: createRandomStream(start.seed),
    replay: start.replay,
    counter: createCallCounter(),
    lane: start.lane,
    column: start.column,
    residentPages: 0,
    spilledPages: 0,
    place: { at: "instance", instance },
    compiled: null,
    promise: 0,
    clockMs: start.startedAtMs,
    cpuMs: 0,
    replayAt: 0,
    callsAsked: 0,
    asked: new Map(),
    queued: [],
    held: [],
    queuedArgsBytes: 0,
    inFlight: new Set(),
    valuesInFlight: new Map(),
    openValues: new Set(),
    codeEnd: "none",
    leftBehind: new Set(),
    callsLeftBehind: [],
    sentBefore: 0,
    answersReplayed: 0,
    keys: new Map(),
    pending: new Set(),
    timersDueMs: -1,
    timeouts: 0,
    wakeSentMs: -1,
    logLines: 0,
    logBytes: 0,
    logsDropped: 0,
    emittedBytes: 0,
    emitted: 0,
    emitsDropped: 0,
    rejections: new Map(),
    missingReads: { messages: new Map(), notices: [], destructured: "" },
    stop: null,
    usedAt: 0,
  }
}

export function recordedAt(run: GuestRun, index: number): RecordedEvent {
  const [form, atMs, key, json] = run.replay.slice(index, index + replayFields)
  return { form: form as number, atMs: atMs as number, key: key as string, json: json as string } // the pool writes these four fields
}

/** The first stop counts: what follows is its consequence. */
export function stopRun(run: GuestRun, reason: RunStop["reason"], message: string): void {
  run.stop ??= { reason, message }
}
