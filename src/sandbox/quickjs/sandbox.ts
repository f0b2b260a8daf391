// The sandbox of the product: QuickJS guests in a pool of worker threads.
import { availableParallelism, totalmem } from "node:os"
import type { Clock } from "../../io/clock.ts"
import type { Limits } from "../../core/limits.ts"
import type { Log } from "../../io/log.ts"
import type { Sandbox, SandboxOutcome } from "../sandbox.ts"
import { admit, createPoolState } from "./pool/pool.ts"
import { addSlowWorker, closePool, makeWorkers, startWatching } from "./pool/workers.ts"
import { removeLeftPages } from "./vm/page-file.ts"
import { pageBytes } from "./vm/page-store.ts"
import { loadQuickJsModule } from "./vm/wasm-module.ts"
import { growthBytesMax } from "./worker-options.ts"

/** Measured: with fewer, 64 executions at once park all the time; each costs 1.6 MB once it is made. */
const instancesPerWorker = 32
/** Of the machine, or of what this process may have of it. */
const memoryShare = 1 / 4
/** What lies in a guest's memory beside its own allocations: the C stack, the template, and texts on their way in or out. */
const memoryOverheadBytes = 24 * 1024 * 1024

export type QuickJsSandboxParts = {
  readonly limits: Limits
  readonly clock: Clock
  readonly log: Log
  /** Where the memory of waiting executions goes when there is too much of it. */
  readonly spillDir: string
}

export type QuickJsSandboxOptions = { readonly workers?: number; readonly instancesPerWorker?: number }

export function createQuickJsSandbox(parts: QuickJsSandboxParts, options: QuickJsSandboxOptions = {}): Sandbox {
  const { limits } = parts
  removeLeftPages(parts.spillDir)
  const cores = availableParallelism()
  const pool = createPoolState(
    {
      ...parts,
      // Two at least: while one is stuck, the other works.
      workers: options.workers ?? Math.max(2, cores),
      // No principal may have more than half of them, so that is two or more for each.
      slowWorkers: Math.max(4, cores),
      worker: {
        module: loadQuickJsModule(limits.executionMemoryBytes + growthBytesMax + memoryOverheadBytes),
        prelude: {
          callsMax: limits.executionCallsMax,
          argsBytesMax: limits.argsBytesMax,
          argsObjectKeysMax: limits.argsObjectKeysMax,
          argsValuesMax: limits.argsValuesMax,
          logLinesMax: limits.logLinesMax,
          logBytesMax: limits.logBytesMax,
          resultCharsMax: limits.executionResultBytesMax,
        },
        instancesMax: options.instancesPerWorker ?? instancesPerWorker,
        memoryBytes: limits.executionMemoryBytes,
        cpuMs: limits.executionCpuMs,
        callsInFlightMax: limits.executionCallsInFlightMax,
        emittedBytesMax: limits.executionEmittedBytesMax,
        memoryBudget: {
          residentPerPrincipal: limits.executionsMemoryBytesPerPrincipalMax / pageBytes,
          resident: (limits.executionsMemoryBytesMax || machineBytes() * memoryShare) / pageBytes,
          spilledPerPrincipal: limits.executionsDiskBytesPerPrincipalMax / pageBytes,
          spilled: limits.executionsDiskBytesMax / pageBytes,
        },
        spillDir: parts.spillDir,
      },
    },
    (state) => ({ addSlowWorker: () => addSlowWorker(state), startWatching: () => startWatching(state) }),
  )
  makeWorkers(pool)
  return {
    run: (run, host) => new Promise<SandboxOutcome>((resolve) => admit(run, host, resolve, pool)),
    stats: () => ({
      workers: pool.fast.length + pool.slow.length,
      queued: pool.queue.size + pool.slowQueue.size,
      running: pool.running,
      moved: pool.moved,
      terminated: pool.terminated,
      residentBytes: pool.memory.pagesOf(null, "resident") * pageBytes,
      spilledBytes: pool.memory.pagesOf(null, "spilled") * pageBytes,
    }),
    close: () => closePool(pool),
  }
}

/** A container may have less than its machine. */
function machineBytes(): number {
  const allowed = process.constrainedMemory()
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem()
}
