// Makes, replaces and ends the worker threads of a pool, and saves the runs of those that are gone.
import type { Pool } from "./pool.ts"
import { gone, planFlush, startAgain } from "./pool.ts"
import { readBatch } from "./messages.ts"
import type { PoolRun } from "./run.ts"
import type { PoolWorker } from "./worker.ts"
import { createPoolWorker } from "./worker.ts"
import { cells, toWorker } from "../protocol.ts"
import { displaced } from "./slow-lane.ts"
import { judge, observe, pollMs, requestDrop, requestMove } from "./watchdog.ts"

/** A run that lost this many workers is given up. */
const restartsMax = 5
const startFailuresMax = 3
/** For so long an answer waits for another run of the slow lane before its own run starts again elsewhere. */
const shareMs = 100
/** A thread of the slow lane that had nothing to do for so long is ended: it holds some ten megabytes. */
const slowIdleMs = 5000

export function makeWorkers(pool: Pool): void {
  while (pool.fast.length < pool.options.workers) pool.fast.push(makeWorker(pool))
}

function makeWorker(pool: Pool): PoolWorker {
  const memoryRow = pool.memory.takeRow()
  const options = { ...pool.options.worker, memory: pool.memory.cells, memoryRow }
  return createPoolWorker(options, {
    exited: () => pool.memory.freeRow(memoryRow),
    ready(worker) {
      pool.startFailures = 0
      if (pool.slow.includes(worker)) worker.lowerPriority()
      // The spare comes last, so that it does not slow the start of the others.
      if (pool.state === "open" && pool.fast.every((fast) => fast.state !== "starting")) pool.spare ??= makeWorker(pool)
      planFlush(pool)
    },
    batch: (worker, batch) => readBatch(worker, batch, pool),
    lost: (worker, error) => lost(worker, error, pool),
  })
}

export function addSlowWorker(pool: Pool): void {
  if (pool.slow.length >= pool.options.slowWorkers || pool.slow.some((worker) => worker.state === "starting")) return
  const worker = takeSpare(pool)
  pool.slow.push(worker)
  pool.retiring ??= setInterval(() => retireIdle(pool), slowIdleMs / 2).unref()
  if (worker.state === "idle") {
    worker.lowerPriority()
    planFlush(pool)
  }
}

function retireIdle(pool: Pool): void {
  const sinceMs = performance.now() - slowIdleMs
  const isUnused = (worker: PoolWorker): boolean => worker.state === "idle" && worker.runs.size === 0 && worker.outbox.length === 0
  for (const worker of pool.slow.filter((one) => isUnused(one) && one.sentAtMs < sinceMs)) {
    pool.slow.splice(pool.slow.indexOf(worker), 1)
    void worker.terminate()
  }
  if (pool.slow.length === 0) stopRetiring(pool)
}

function stopRetiring(pool: Pool): void {
  if (pool.retiring) clearInterval(pool.retiring)
  pool.retiring = null
}

function takeSpare(pool: Pool): PoolWorker {
  const worker = pool.spare ?? makeWorker(pool)
  pool.spare = worker.state === "starting" ? null : makeWorker(pool)
  return worker
}

export function startWatching(pool: Pool): void {
  pool.watch ??= setInterval(() => watch(pool), pollMs)
}

export function stopWatching(pool: Pool): void {
  if (pool.watch) clearInterval(pool.watch)
  pool.watch = null
}

function watch(pool: Pool): void {
  const busy = [...pool.fast, ...pool.slow].filter((worker) => worker.state === "busy")
  if (busy.length === 0) return stopWatching(pool)
  const isQueueStuck = pool.queue.size > 0 && pool.fast.every((worker) => worker.state !== "idle")
  for (const worker of busy) watchWorker(worker, isQueueStuck, pool)
}

function watchWorker(worker: PoolWorker, isQueueStuck: boolean, pool: Pool): void {
  const observed = observe(worker, performance.now())
  if (!observed) return undefined
  const run = pool.runs.get(observed.no) ?? null
  const someoneWaits = isQueueStuck || worker.outbox.length > 0 || worker.messagesSent > 1
  switch (judge({ ...observed, run, someoneWaits }, pool.options.worker.cpuMs)) {
    case "fine":
      return run?.lane === "slow" && observed.insideMs > shareMs ? moveDisplaced(worker, run, pool) : undefined
    case "ask_to_move":
      return requestMove(worker, observed.no)
    case "ask_to_drop":
      return requestDrop(worker, observed.no)
    case "terminate":
      return end(worker, null, pool)
    case "terminate_and_move":
      if (run) run.lane = "slow"
      pool.moved += 1
      return end(worker, null, pool)
    case "terminate_and_stop":
      if (run) run.cpuMs += observed.computedMs ?? observed.insideMs
      end(worker, run, pool)
      return run?.end({
        status: "stopped",
        reason: "cpu_limit",
        message: `The code used more than ${pool.options.worker.cpuMs / 1000} s of CPU time.`,
      })
  }
}

/** The thread forgets them before it would read what has come for them. */
function moveDisplaced(worker: PoolWorker, inside: PoolRun, pool: Pool): void {
  for (const run of displaced(worker, inside, performance.now(), pool)) {
    worker.outbox.unshift(toWorker.drop, run.no)
    startAgain(run, pool)
  }
}

function end(worker: PoolWorker, culprit: PoolRun | null, pool: Pool): void {
  pool.terminated += 1
  void worker.terminate()
  replace(worker, pool)
  saveRuns(worker, culprit, pool)
}

const isOutOfMemory = (error: Error | null): boolean => error !== null && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
const outOfMemory = { status: "stopped", reason: "memory_limit", message: "The code used all memory of its thread." } as const

/** A thread that died by itself, most likely under the run that was inside. */
function lost(worker: PoolWorker, error: Error | null, pool: Pool): void {
  if (pool.state !== "open") return undefined
  pool.terminated += 1
  pool.options.log.error({ error }, "A sandbox worker died.")
  if (worker.threadId === 0 && ++pool.startFailures >= startFailuresMax) return breakDown(pool)
  replace(worker, pool)
  const culprit = pool.runs.get(Atomics.load(worker.cells, cells.run)) ?? null
  saveRuns(worker, culprit, pool)
  return culprit?.end(
    isOutOfMemory(error) ? outOfMemory : { status: "killed", reason: "crashed", message: "The sandbox crashed while it ran the code." },
  )
}

/** The lane that lost a worker gets another one, and whoever waits for it a new chance. */
function replace(worker: PoolWorker, pool: Pool): void {
  if (pool.spare === worker) pool.spare = null
  const slowAt = pool.slow.indexOf(worker)
  if (slowAt >= 0) pool.slow.splice(slowAt, 1)
  const fastAt = pool.fast.indexOf(worker)
  if (fastAt >= 0) pool.fast[fastAt] = takeSpare(pool)
  planFlush(pool)
}

function saveRuns(worker: PoolWorker, culprit: PoolRun | null, pool: Pool): void {
  for (const run of worker.runs) {
    if (run === culprit) continue
    if (run.restarts < restartsMax) startAgain(run, pool)
    else run.end({ status: "killed", reason: "crashed", message: "The sandbox lost the execution too often." })
  }
}

function breakDown(pool: Pool): void {
  pool.state = "broken"
  for (const run of pool.runs.values()) run.end(gone(pool))
}

export async function closePool(pool: Pool): Promise<void> {
  if (pool.state === "open") pool.state = "closed"
  clearInterval(pool.alive)
  stopWatching(pool)
  stopRetiring(pool)
  for (const run of pool.runs.values()) run.end(gone(pool))
  const workers = [...pool.fast, ...pool.slow, ...(pool.spare ? [pool.spare] : [])]
  await Promise.all(workers.map((worker) => worker.terminate()))
}
