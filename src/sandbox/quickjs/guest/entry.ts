// The entry into a guest: which run is inside, how long it computes, and when it must stop.
import type { GuestRun } from "./run.ts"
import { stopRun } from "./run.ts"
import { cells } from "../protocol.ts"
import { VmMemoryError, VmStop } from "../vm/vm.ts"

/** Below this, wall time stands for CPU time: reading the thread's own costs more than it tells. */
const exactAfterMs = 2
/** How old a reading of the thread's time may be when a guest is entered. */
const sampleMs = 1
/** A run is not moved for time in which the machine gave it no processor. */
const movedAfterCpuMs = 10

export type GuestEntryPoint = {
  readonly clockMs: () => number
  readonly shouldInterrupt: () => boolean
  readonly outOfMemory: () => void
  readonly current: () => GuestRun | null
  /** With what it has used since it entered. */
  cpuMsOf(run: GuestRun): number
  /** Runs the work inside the guest. What breaks in there ends the run, never the worker. */
  enter(run: GuestRun, work: () => void): { readonly isBroken: boolean }
}

export function createGuestEntry(shared: Int32Array, cpuMsMax: number, memoryBytes: number): GuestEntryPoint {
  let current: GuestRun | null = null
  let enteredAt = 0
  let sampledAt = Number.NEGATIVE_INFINITY
  let sampledCpuMs = 0

  const threadCpuMs = (): number => {
    const usage = process.threadCpuUsage()
    return (usage.user + usage.system) / 1000
  }

  function cpuOfEntry(): number {
    const elapsed = performance.now() - enteredAt
    return elapsed < exactAfterMs ? elapsed : Math.min(elapsed, threadCpuMs() - sampledCpuMs)
  }

  function startClock(): void {
    enteredAt = performance.now()
    if (enteredAt - sampledAt < sampleMs) return
    sampledAt = enteredAt
    sampledCpuMs = threadCpuMs()
  }

  function shouldInterrupt(): boolean {
    Atomics.add(shared, cells.heartbeat, 1)
    if (current === null) return false
    const request = Atomics.load(shared, cells.request)
    if (request === -current.no) stopRun(current, "dropped", "")
    const cpuMs = cpuOfEntry()
    if (request === current.no && cpuMs >= movedAfterCpuMs) stopRun(current, "moved", "")
    if (current.cpuMs + cpuMs > cpuMsMax) stopRun(current, "cpu_limit", `The code used more than ${cpuMsMax / 1000} s of CPU time.`)
    return current.stop !== null
  }

  function outOfMemory(): void {
    if (current) stopRun(current, "memory_limit", memoryMessage)
  }

  /** A trap leaves the engine halfway through something, so the instance is not used again. */
  function broken(run: GuestRun, error: unknown): void {
    if (error instanceof VmStop) return undefined
    if (error instanceof VmMemoryError) return outOfMemory()
    if (error instanceof RangeError) return stopRun(run, "stack", "Maximum call stack size exceeded")
    // An engine that trips over a failed allocation has met the memory limit as well.
    if (run.place.at === "instance" && run.place.instance.vm.bytes.length >= memoryBytes) return outOfMemory()
    return stopRun(run, "crashed", "The sandbox crashed while it ran the code.")
  }

  return {
    clockMs: () => current?.clockMs ?? 0,
    shouldInterrupt,
    outOfMemory,
    current: () => current,
    cpuMsOf: (run) => run.cpuMs + (current === run ? cpuOfEntry() : 0),
    enter(run, work) {
      current = run
      startClock()
      Atomics.store(shared, cells.run, run.no)
      Atomics.add(shared, cells.entry, 1)
      run.usedAt = Atomics.load(shared, cells.entry)
      try {
        work()
        return { isBroken: false }
      } catch (error) {
        broken(run, error)
        return { isBroken: true }
      } finally {
        run.cpuMs += cpuOfEntry()
        Atomics.store(shared, cells.run, 0)
        current = null
      }
    },
  }
}

export const memoryMessage = "The code used all of its memory."
