// The messages between the pool and its workers: flat arrays of numbers and text, read in turn.
//
// Cloning a flat array whose payload is JSON text already is several times cheaper than cloning objects. A batch is many
// messages in a row; each begins with its operation and the number of its run, and has a fixed number of fields.
import type { AnswerForm, CallKind, LogLevel } from "../sandbox.ts"

export type Field = string | number | readonly (string | number)[]
export type Batch = Field[]

/** From the pool to a worker, with the fields that follow the run's number. */
export const toWorker = {
  /** code, mode (see `modes`), input as JSON ("": none), seed as latin1, startedAtMs, lane, column of the memory ledger, replay (flat) */
  start: 1,
  /** seq, form, json, atMs */
  answer: 2,
  /** atMs */
  tick: 3,
  /** seq */
  pending: 4,
  drop: 5,
} as const

/** How code runs, as bits. */
export const modes = { raw: 1, withoutTools: 2, onlyParsed: 4 } as const

/** From a worker to the pool. The first element of a batch is 1 when it acknowledges the last one. */
export const toPool = {
  /** seq, key, kind, path, argsJson, line */
  call: 1,
  /** dueMs (-1: no timer) */
  wake: 2,
  /** level, text */
  log: 3,
  /** json */
  emit: 4,
  /** status, first, second, third, line, column, cpuMs, logsDropped */
  end: 5,
  /** text: what the sandbox itself has to say */
  notice: 6,
  /** text: what the operator must know; it concerns no single run */
  fault: 7,
  /** The run was not started, since those before it took long: others may be first. */
  unstarted: 8,
} as const

/** How a run ended in a worker. `moved`: it computed for too long among others, and must start again elsewhere. */
export const endStatuses = ["returned", "nothing", "thrown", "syntax", "stopped", "waiting", "moved", "crashed"] as const
export type EndStatus = (typeof endStatuses)[number]

export const lanes = ["fast", "slow"] as const
export type Lane = (typeof lanes)[number]

export const answerForms: readonly AnswerForm[] = ["envelope", "value", "reject"]
export const callKinds: readonly CallKind[] = ["tool", "store", "load"]
export const logLevels: readonly LogLevel[] = ["debug", "info", "log", "warn", "error"]

/** Recorded events inside `start`: form (-1 for a tick), atMs, key, json. */
export const replayFields = 4
export const tickForm = -1

/** What a worker shows of itself while it is inside a guest. */
export const cells = {
  /** The number of the run inside the guest, 0 outside. */
  run: 0,
  /** Counts the entries into guests. */
  entry: 1,
  /** Set by the pool: the run to move (its number) or to drop (its negative). */
  request: 2,
  /** Counts the interrupt polls: it stands still while a guest is inside a built-in. */
  heartbeat: 3,
} as const
export const cellCount = 4

/** Reads a batch field by field. The other side is our own code, so a wrong type is a bug, not input. */
export function createCursor(batch: Batch, start: number) {
  let at = start
  return {
    isDone: (): boolean => at >= batch.length,
    number: (): number => batch[at++] as number, // the field list of the operation says so
    text: (): string => batch[at++] as string, // as above
    list: (): readonly (string | number)[] => batch[at++] as readonly (string | number)[], // as above
  }
}
export type Cursor = ReturnType<typeof createCursor>
