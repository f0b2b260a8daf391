// Watches the workers from the server's thread: who computes for long, who no longer answers.
//
// The order of events. A worker writes the number of its run into a shared cell before it enters the guest. A guest that
// computes for longer than a slice while others wait for that worker is asked to leave; the interrupt handler of
// QuickJS sees the request, and the run starts again in the slow lane. Inside a built-in nothing polls, the
// heartbeat stands still, and the thread is ended: the culprit goes to the slow lane, the innocent start again
// elsewhere from what is recorded. In the slow lane nobody waits, and only the CPU limit counts.
import type { PoolRun } from "./run.ts"
import type { PoolWorker } from "./worker.ts"
import { cells } from "../protocol.ts"

export const pollMs = 10
const sliceMs = 20
/** Without a heartbeat for this long, a thread is inside a built-in. */
const stallMs = 120
/** From here on silence is measured in the thread's own time: a machine under load is no reason to end a thread. */
const exactAfterMs = 50
/** Where the system does not tell the thread's own time, wall time stands for it; on a loaded machine that is a multiple. */
const wallPerCpu = 2
const graceMs = 500

export type Verdict = "fine" | "ask_to_move" | "ask_to_drop" | "terminate_and_move" | "terminate_and_stop" | "terminate"

export type WatchedWorker = {
  /** The run inside the guest; null when it has ended for the pool. */
  readonly run: Pick<PoolRun, "lane"> | null
  readonly insideMs: number
  /** The thread's own time of that; null where it is not known. */
  readonly computedMs: number | null
  readonly silentMs: number
  readonly someoneWaits: boolean
}

export function judge(watched: WatchedWorker, cpuMs: number): Verdict {
  const { run, insideMs, computedMs, silentMs, someoneWaits } = watched
  if (run === null) return silentMs > stallMs ? "terminate" : "ask_to_drop"
  const isOver = computedMs === null ? insideMs > cpuMs * wallPerCpu + graceMs : computedMs > cpuMs + graceMs
  if (isOver && silentMs > stallMs) return "terminate_and_stop"
  if (run.lane === "slow" || !someoneWaits || insideMs <= sliceMs) return "fine"
  return insideMs > stallMs && silentMs > stallMs ? "terminate_and_move" : "ask_to_move"
}

type Observed = Pick<WatchedWorker, "insideMs" | "computedMs" | "silentMs"> & { readonly no: number }

/** Notes what the cells show; null when the worker is outside of every guest, or entered one just now. */
export function observe(worker: PoolWorker, nowMs: number): Observed | null {
  const { seen } = worker
  const no = Atomics.load(worker.cells, cells.run)
  const entry = Atomics.load(worker.cells, cells.entry)
  const heartbeat = Atomics.load(worker.cells, cells.heartbeat)
  if (no === 0 || entry !== seen.entry) {
    worker.seen = { entry, since: nowMs, heartbeat, heartbeatAt: nowMs, entryCpuMs: null, silenceCpuMs: null }
    return null
  }
  if (heartbeat !== seen.heartbeat) {
    seen.heartbeat = heartbeat
    seen.heartbeatAt = nowMs
    seen.silenceCpuMs = null
  }
  const insideMs = nowMs - seen.since
  if (seen.entryCpuMs === null && insideMs >= exactAfterMs) seen.entryCpuMs = worker.threadCpuMs()
  return { no, insideMs, ...silence(worker, insideMs, nowMs - seen.heartbeatAt) }
}

/** Reading the thread's time costs something, so that it is read of threads alone that do not answer. */
function silence(worker: PoolWorker, insideMs: number, wallMs: number): Pick<WatchedWorker, "computedMs" | "silentMs"> {
  const { seen } = worker
  const cpuMs = wallMs < exactAfterMs ? null : worker.threadCpuMs()
  if (cpuMs === null) return { computedMs: null, silentMs: wallMs }
  seen.silenceCpuMs ??= cpuMs
  return {
    computedMs: seen.entryCpuMs === null ? null : Math.min(insideMs, exactAfterMs + cpuMs - seen.entryCpuMs),
    silentMs: Math.min(wallMs, exactAfterMs + cpuMs - seen.silenceCpuMs),
  }
}

export const requestMove = (worker: PoolWorker, no: number): void => void Atomics.store(worker.cells, cells.request, no)
export const requestDrop = (worker: PoolWorker, no: number): void => void Atomics.store(worker.cells, cells.request, -no)
