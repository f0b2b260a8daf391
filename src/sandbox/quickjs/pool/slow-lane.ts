// Seats runs that compute for long: in threads of their own, of which no principal has more than half.
//
// A run stays in its thread while it waits for an answer, and the answer waits for whoever computes there. So the runs of
// a principal are seated with each other, and beside those of others only when no thread is left and the others have
// been waiting for a while. A run whose answer has come, while another principal computes in its thread, starts again
// elsewhere. The system shares the processors between the threads.
import type { Pool } from "./pool.ts"
import type { PoolRun } from "./run.ts"
import type { PoolWorker } from "./worker.ts"
import { cells } from "../protocol.ts"

/** Most calls are answered by then: for this long a thread is kept for the runs that wait in it. */
const keptMs = 1000
/** So often a run goes elsewhere, then it stays where it is. */
const leavesMax = 3

export type Seat =
  | { readonly in: "thread"; readonly worker: PoolWorker }
  /** One more thread is to be made. */
  | { readonly in: "new" }
  | { readonly in: "none" }

const none: Seat = { in: "none" }
const at = (worker: PoolWorker): Seat => ({ in: "thread", worker })

/** Where the next slow run of the principal may compute now. */
export function seatFor(principal: string, nowMs: number, pool: Pool): Seat {
  const { slow, options } = pool
  const idle = slow.filter((worker) => worker.state === "idle" && worker.outbox.length === 0)
  const held = slow.filter((worker) => isHeldBy(principal, worker, pool)).length
  const mayHoldMore = held < Math.max(1, Math.floor(options.slowWorkers / 2))
  const empty = mayHoldMore ? idle.find((worker) => worker.runs.size === 0) : undefined
  if (empty) return at(empty)
  const own = idle.find((worker) => worker.runs.size > 0 && [...worker.runs].every((run) => run.run.principal === principal))
  if (own) return at(own)
  if (mayHoldMore && slow.length < options.slowWorkers) return { in: "new" }
  // A thread that is about to be ready is better than one in which others wait.
  if (slow.some((worker) => worker.state === "starting")) return none
  const shared = idle
    .filter((worker) => worker.sentAtMs + keptMs <= nowMs && (mayHoldMore || livesIn(principal, worker)))
    .toSorted((one, other) => one.runs.size - other.runs.size)[0]
  return shared ? at(shared) : none
}

/** Whether a thread that cannot be shared yet will be before long. */
export const isSeatKept = (nowMs: number, pool: Pool): boolean =>
  pool.slow.some((worker) => worker.state === "idle" && worker.runs.size > 0 && worker.sentAtMs + keptMs > nowMs)

const livesIn = (principal: string, worker: PoolWorker): boolean => [...worker.runs].some((run) => run.run.principal === principal)

/** Not while somebody else computes there: who waits for that must be free to go elsewhere. */
function isHeldBy(principal: string, worker: PoolWorker, pool: Pool): boolean {
  if (!livesIn(principal, worker)) return false
  const inside = worker.state === "busy" ? pool.runs.get(Atomics.load(worker.cells, cells.run)) : undefined
  return inside === undefined || inside.run.principal === principal
}

/** The runs of a thread that have something to do, must wait for another principal, and would have a seat elsewhere. */
export function displaced(worker: PoolWorker, inside: PoolRun, nowMs: number, pool: Pool): PoolRun[] {
  return [...worker.awaited].filter(
    ({ run, restarts }) =>
      run.principal !== inside.run.principal && restarts < leavesMax && seatFor(run.principal, nowMs, pool).in !== "none",
  )
}
