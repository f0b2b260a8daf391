// The pool: hands runs to worker threads that are free to take them, once per turn of the event loop.
//
// The order of events. A run enters the queue; once per turn the queue is emptied into the workers that have
// acknowledged their last batch, and each gets one message with all that waits for it. A worker that is stuck
// acknowledges nothing and is sent nothing, so it can delay only what it already holds, and the watchdog ends
// that. The server's own thread never waits for a guest.
import type { Clock } from "../../../io/clock.ts"
import type { Limits } from "../../../core/limits.ts"
import type { Log } from "../../../io/log.ts"
import type { SandboxHost, SandboxOutcome, SandboxRun } from "../../sandbox.ts"
import type { Admission } from "./admission.ts"
import { createAdmission } from "./admission.ts"
import type { CpuDebt } from "./cpu-debt.ts"
import { createCpuDebt } from "./cpu-debt.ts"
import type { MemoryLedger } from "../memory-ledger.ts"
import { createMemoryLedger } from "../memory-ledger.ts"
import { maySpillMore } from "./disk.ts"
import type { PoolRun } from "./run.ts"
import { createPoolRun } from "./run.ts"
import type { PoolWorker } from "./worker.ts"
import { toWorker } from "../protocol.ts"
import type { Seat } from "./slow-lane.ts"
import { isSeatKept, seatFor } from "./slow-lane.ts"
import { requestDrop } from "./watchdog.ts"
import type { WorkerOptions } from "../worker-options.ts"

/** Thousands of starts in one message would look like a stuck thread. */
const startsPerBatchMax = 32
const runNumberMax = 2 ** 31 - 1
/** Short runs share a batch up to this much computing. */
const batchCpuMs = 0.5
const startsTogetherMax = 8
const holdMs = 1
/** How often a slow run looks again for a thread that is kept for others. */
const keptHoldMs = 100
/** It never has anything to do; the longest interval there is. */
const aliveMs = 2 ** 31 - 1
/** How much the last run counts for what is usual. */
const lastRunWeight = 0.05

export type PoolOptions = {
  readonly workers: number
  readonly slowWorkers: number
  readonly worker: Omit<WorkerOptions, "cells" | "memory" | "memoryRow">
  readonly limits: Limits
  readonly clock: Clock
  readonly log: Log
}

export type Pool = {
  readonly options: PoolOptions
  readonly fast: PoolWorker[]
  /** Where runs that compute for long have a thread to themselves; made when first needed. */
  readonly slow: PoolWorker[]
  /** Warm, and takes the place of a worker that had to be ended. */
  spare: PoolWorker | null
  readonly queue: Admission<PoolRun>
  readonly slowQueue: Admission<PoolRun>
  readonly cpuDebt: CpuDebt
  readonly memory: MemoryLedger
  /** By number: all that were admitted and have not ended. */
  readonly runs: Map<number, PoolRun>
  readonly runningPerPrincipal: Map<string, number>
  running: number
  lastNo: number
  isFlushPlanned: boolean
  /** For how long runs wait for a thread that is about to be theirs. */
  readonly holding: Set<number>
  /** What runs have computed of late, in the mean. */
  usualCpuMs: number
  /** Keeps the process alive, and is only counted while there are runs: a program that is done may end without closing. */
  readonly alive: NodeJS.Timeout
  watch: NodeJS.Timeout | null
  /** Looks for threads of the slow lane that nobody needs any more. */
  retiring: NodeJS.Timeout | null
  state: "open" | "closed" | "broken"
  startFailures: number
  moved: number
  terminated: number
  /** Gives the slow lane one more worker, if it may have one. */
  addSlowWorker(): void
  startWatching(): void
}

export function createPoolState(options: PoolOptions, methods: (pool: Pool) => Pick<Pool, "addSlowWorker" | "startWatching">): Pool {
  const { limits } = options
  const pool: Pool = {
    options,
    fast: [],
    slow: [],
    spare: null,
    queue: createAdmission(limits.executionsQueuedMax, Math.ceil(limits.executionsQueuedMax / 2)),
    // Whoever comes here was admitted before, so there is room for all.
    slowQueue: createAdmission(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    cpuDebt: createCpuDebt(),
    memory: createMemoryLedger(options.workers + options.slowWorkers + 1, limits.executionsRunningMax),
    runs: new Map(),
    runningPerPrincipal: new Map(),
    running: 0,
    lastNo: 0,
    isFlushPlanned: false,
    holding: new Set(),
    usualCpuMs: 1,
    alive: setInterval(() => {}, aliveMs).unref(),
    watch: null,
    retiring: null,
    state: "open",
    startFailures: 0,
    moved: 0,
    terminated: 0,
    addSlowWorker: () => methodsOfPool.addSlowWorker(),
    startWatching: () => methodsOfPool.startWatching(),
  }
  const methodsOfPool = methods(pool)
  return pool
}

/** Admits a run, or says why not; the outcome comes through `resolve`. */
export function admit(run: SandboxRun, host: SandboxHost, resolve: (outcome: SandboxOutcome) => void, pool: Pool): void {
  pool.lastNo = (pool.lastNo % runNumberMax) + 1
  const poolRun = createPoolRun(pool.lastNo, run, host, resolve, {
    clock: pool.options.clock,
    log: pool.options.log,
    limits: pool.options.limits,
    flush: () => planFlush(pool),
    ended: (ended) => forget(ended, pool),
  })
  if (pool.runs.size === 0) pool.alive.ref()
  pool.runs.set(poolRun.no, poolRun)
  if (pool.state !== "open") return poolRun.end(gone(pool))
  if (run.signal.aborted) return poolRun.end({ status: "stopped", reason: "cancelled", message: "The execution was cancelled." })
  if (Buffer.byteLength(run.code) > pool.options.limits.codeBytesMax) return poolRun.end(tooLong(pool))
  pool.cpuDebt.arrived(run.principal, performance.now())
  if (run.program !== undefined) pool.queue.addFirst(poolRun)
  else if (!pool.queue.add(poolRun, run.principal)) {
    return poolRun.end({ status: "refused", message: "Too many executions are waiting; try again later." })
  }
  return planFlush(pool)
}

export const gone = (pool: Pool) =>
  pool.state === "broken"
    ? ({ status: "killed", reason: "crashed", message: "The sandbox cannot start." } as const)
    : ({ status: "killed", reason: "closed", message: "The sandbox was closed." } as const)

const tooLong = (pool: Pool) =>
  ({
    status: "threw",
    error: { code: "syntax", name: "SyntaxError", message: `Code is limited to ${pool.options.limits.codeBytesMax} bytes.` },
  }) as const

/** Everything of one turn of the event loop goes out together. */
export function planFlush(pool: Pool): void {
  if (pool.isFlushPlanned) return
  pool.isFlushPlanned = true
  setImmediate(() => {
    pool.isFlushPlanned = false
    flush(pool)
  })
}

function flush(pool: Pool): void {
  if (pool.state !== "open") return
  startQueued(pool)
  startSlow(pool)
  let isBusy = false
  for (const worker of [...pool.fast, ...pool.slow]) {
    if (worker.state === "idle" && worker.outbox.length > 0) worker.send()
    if (worker.state === "busy") isBusy = true
  }
  if (isBusy) pool.startWatching()
}

function startQueued(pool: Pool): void {
  const { executionsRunningMax, executionsRunningPerPrincipalMax } = pool.options.limits
  const mayStart = (principal: string): boolean =>
    (pool.runningPerPrincipal.get(principal) ?? 0) < executionsRunningPerPrincipalMax && maySpillMore(principal, pool)
  while (pool.queue.size > 0 && pool.running < executionsRunningMax) {
    const worker = workerForNext(pool)
    if (!worker) return
    const run = pool.queue.next(mayStart)
    if (!run) return
    if (run.isDone) continue
    if (pool.cpuDebt.isOverdrawn(run.run.principal, performance.now())) startInSlowLane(run, pool)
    else place(run, worker, pool)
  }
}

function startInSlowLane(run: PoolRun, pool: Pool): void {
  countOnce(run, pool)
  run.lane = "slow"
  pool.slowQueue.add(run, run.run.principal)
}

/** A run of the slow lane has its worker for itself while it computes. */
function startSlow(pool: Pool): void {
  const nowMs = performance.now()
  while (pool.slowQueue.size > 0) {
    const seats: Seat[] = []
    const run = pool.slowQueue.next((principal) => {
      const seat = seatFor(principal, nowMs, pool)
      seats.push(seat)
      return seat.in === "thread"
    })
    const seat = seats.at(-1)
    if (!run || seat?.in !== "thread") {
      if (seats.some((found) => found.in === "new")) pool.addSlowWorker()
      if (isSeatKept(nowMs, pool)) hold(pool, keptHoldMs)
      return
    }
    if (!run.isDone) place(run, seat.worker, pool)
  }
}

/** How many runs are together worth waking a thread for, by what they cost of late. */
const worthWaking = (pool: Pool): number => Math.max(1, Math.min(startsTogetherMax, Math.floor(batchCpuMs / pool.usualCpuMs)))

/**
 * The first thread with room in its batch: waking a second one costs more than a short run. For the same reason few
 * runs wait for a thread that will be done at once. Long runs are spread over all that are free.
 */
function workerForNext(pool: Pool): PoolWorker | null {
  const together = worthWaking(pool)
  const sinceMs = performance.now() - holdMs
  let best: PoolWorker | null = null
  for (const worker of pool.fast) {
    if (worker.state === "busy" && pool.queue.size < together && worker.sentAtMs > sinceMs) return hold(pool, holdMs)
    if (worker.state !== "idle" || worker.starts >= startsPerBatchMax) continue
    if (worker.starts > 0 && worker.starts < together) return worker
    if (best === null || worker.starts < best.starts || (worker.starts === best.starts && worker.runs.size < best.runs.size)) best = worker
  }
  return best
}

function hold(pool: Pool, ms: number): null {
  if (pool.holding.has(ms)) return null
  pool.holding.add(ms)
  setTimeout(() => {
    pool.holding.delete(ms)
    planFlush(pool)
  }, ms)
  return null
}

function place(run: PoolRun, worker: PoolWorker, pool: Pool): void {
  countOnce(run, pool)
  if (run.lane === "fast") run.countedMs += pool.cpuDebt.started(run.run.principal, performance.now())
  worker.starts += 1
  run.startIn(worker, pool.memory.columnOf(run.run.principal))
}

function countOnce(run: PoolRun, pool: Pool): void {
  if (!run.isCounted) count(run, 1, pool)
  run.isCounted = true
}

function count(run: PoolRun, change: 1 | -1, pool: Pool): void {
  const { principal } = run.run
  const running = (pool.runningPerPrincipal.get(principal) ?? 0) + change
  pool.running += change
  if (running > 0) pool.runningPerPrincipal.set(principal, running)
  else {
    pool.runningPerPrincipal.delete(principal)
    pool.memory.forget(principal)
  }
}

/** Called by a run that has ended. One that still has a worker ended before the worker knew. */
function forget(run: PoolRun, pool: Pool): void {
  pool.runs.delete(run.no)
  if (pool.runs.size === 0) pool.alive.unref()
  if (run.lane === "fast") pool.cpuDebt.charge(run.run.principal, run.cpuMs, run.countedMs, performance.now())
  pool.usualCpuMs += (run.cpuMs - pool.usualCpuMs) * lastRunWeight
  const { worker } = run
  if (worker && worker.state !== "dead") {
    requestDrop(worker, run.no)
    worker.push(toWorker.drop, run.no)
  }
  if (run.isCounted) count(run, -1, pool)
  run.leaveWorker()
  planFlush(pool)
}

/** Puts a run that was sent to a thread and not started there back where it stood: its principal's next turn is its own. */
export function putBack(run: PoolRun, pool: Pool): void {
  run.leaveWorker()
  count(run, -1, pool)
  run.isCounted = false
  pool.queue.putBack(run, run.run.principal)
  planFlush(pool)
}

/** Puts a run that lost its place back in front; in the slow lane, if it computes for long. */
export function startAgain(run: PoolRun, pool: Pool): void {
  run.leaveWorker()
  run.restarts += 1
  if (run.lane === "slow") pool.slowQueue.add(run, run.run.principal)
  else pool.queue.addFirst(run)
  planFlush(pool)
}
