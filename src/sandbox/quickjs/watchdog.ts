// Watches the workers from the server's thread: who computes for long, who no longer answers.
//
// The order of events. A worker writes the number of its run into a shared cell before it enters the guest. A guest that
// computes for longer than a slice while others wait for that worker is asked to leave; the interrupt handler of
// QuickJS sees the request, and the run starts again in the slow lane. Inside a built-in nothing polls, the
// heartbeat stands still, and the thread is ended: the culprit goes to the slow lane, the innocent start again
// elsewhere from what is recorded. In the slow lane nobody waits, and only the CPU limit counts.
import type { PoolRun } from "./pool-run.ts"
import type { PoolWorker } from "./pool-worker.ts"
import { cells } from "./protocol.ts"

export const pollMs = 10
const sliceMs = 20
/** Without a heartbeat for this long, a thread is inside a built-in. */
const stallMs = 120
/** From here on silence is measured in the thread's own time: a machine under load is no reason to end a thread. */
const exactAfterMs = 50
/** Inside a built-in only wall time can be seen from here; on a loaded machine that is a multiple of the CPU time. */
const wallPerCpu = 2
const graceMs = 500

export type Verdict = "fine" | "ask_to_move" | "ask_to_drop" | "terminate_and_move" | "terminate_and_stop" | "terminate"

export type WatchedWorker = {
  /** The run inside the guest; null when it has ended for the pool. */
  readonly run: Pick<PoolRun, "lane"> | null
  readonly insideMs: number
  readonly silentMs: number
  readonly someoneWaits: boolean
}

export function judge(watched: WatchedWorker, cpuMs: number): Verdict {
  const { run, insideMs, silentMs, someoneWaits } = watched
  if (run === null) return silentMs > stallMs ? "terminate" : "ask_to_drop"
  if (insideMs > cpuMs * wallPerCpu + graceMs && silentMs > stallMs) return "terminate_and_stop"
  if (run.lane === "slow" || !someoneWaits || insideMs <= sliceMs) return "fine"
  return insideMs > stallMs && silentMs > stallMs ? "terminate_and_move" : "ask_to_move"
}

/** Notes what the cells show; null when the worker is outside of every guest, or entered one just now. */
export function observe(
  worker: PoolWorker,
  nowMs: number,
): { readonly no: number; readonly insideMs: number; readonly silentMs: number } | null {
  const { seen } = worker
  const no = Atomics.load(worker.cells, cells.run)
  const entry = Atomics.load(worker.cells, cells.entry)
  const heartbeat = Atomics.load(worker.cells, cells.heartbeat)
  if (no === 0 || entry !== seen.entry) {
    worker.seen = { entry, since: nowMs, heartbeat, heartbeatAt: nowMs, cpuMs: null }
    return null
  }
  if (heartbeat !== seen.heartbeat) {
    seen.heartbeat = heartbeat
    seen.heartbeatAt = nowMs
    seen.cpuMs = null
  }
  return { no, insideMs: nowMs - seen.since, silentMs: silence(worker, nowMs - seen.heartbeatAt) }
}

function silence(worker: PoolWorker, wallMs: number): number {
  if (wallMs < exactAfterMs) return wallMs
  const cpuMs = worker.threadCpuMs()
  if (cpuMs === null) return wallMs
  worker.seen.cpuMs ??= cpuMs
  return Math.min(wallMs, exactAfterMs + cpuMs - worker.seen.cpuMs)
}

export const requestMove = (worker: PoolWorker, no: number): void => void Atomics.store(worker.cells, cells.request, no)
export const requestDrop = (worker: PoolWorker, no: number): void => void Atomics.store(worker.cells, cells.request, -no)
