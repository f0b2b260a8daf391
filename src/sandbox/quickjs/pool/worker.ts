// One worker thread as the pool sees it: what waits to be sent, whether it has answered, and who lives in it.
import { readFileSync } from "node:fs"
import { setPriority } from "node:os"
import { startThread, threadFile } from "../../../io/thread.ts"
import type { PoolRun } from "./run.ts"
import type { Batch, Field } from "../protocol.ts"
import { cellCount } from "../protocol.ts"
import type { WorkerOptions } from "../worker-options.ts"

/** Deep recursion in a guest uses the thread's own stack: with this much, QuickJS always notices first. */
const stackMb = 16
const oldGenerationMb = 1024
/** Little lives long in a worker; a larger young generation would only hold more of the machine. */
const youngGenerationMb = 16
/** Long computing may use what others leave of the processors. */
const slowPriority = 5

export type PoolWorker = {
  readonly cells: Int32Array
  readonly runs: Set<PoolRun>
  /** Those of them for which something lies in the outbox. */
  readonly awaited: Set<PoolRun>
  state: "starting" | "idle" | "busy" | "dead"
  outbox: Batch
  starts: number
  sentAtMs: number
  messagesSent: number
  threadId: number
  /** What the watchdog saw last. */
  seen: { entry: number; since: number; heartbeat: number; heartbeatAt: number; entryCpuMs: number | null; silenceCpuMs: number | null }
  /** The processor time of the thread so far; null where the system does not tell. */
  threadCpuMs(): number | null
  push(...fields: Field[]): void
  /** Posts the outbox; the worker is busy until it acknowledges. */
  send(): void
  lowerPriority(): void
  terminate(): Promise<void>
}

export type PoolWorkerEvents = {
  ready(worker: PoolWorker): void
  batch(worker: PoolWorker, batch: Batch): void
  /** The thread is gone, whoever ended it. */
  exited(): void
  /** It ended although nobody ended it. */
  lost(worker: PoolWorker, error: Error | null): void
}

export function createPoolWorker(options: Omit<WorkerOptions, "cells">, events: PoolWorkerEvents): PoolWorker {
  const shared = new SharedArrayBuffer(cellCount * Int32Array.BYTES_PER_ELEMENT)
  const thread = startThread(threadFile("../worker", import.meta.url), {
    workerData: { ...options, cells: shared } satisfies WorkerOptions,
    resourceLimits: { stackSizeMb: stackMb, maxOldGenerationSizeMb: oldGenerationMb, maxYoungGenerationSizeMb: youngGenerationMb },
  })
  let failure: Error | null = null
  let pushed = 0
  const worker: PoolWorker = {
    cells: new Int32Array(shared),
    runs: new Set(),
    awaited: new Set(),
    state: "starting",
    outbox: [],
    starts: 0,
    sentAtMs: 0,
    messagesSent: 0,
    threadId: 0,
    seen: { entry: -1, since: 0, heartbeat: 0, heartbeatAt: 0, entryCpuMs: null, silenceCpuMs: null },
    threadCpuMs: () => threadCpuMs(worker.threadId),
    push(...fields) {
      pushed += 1
      worker.outbox.push(...fields)
    },
    send() {
      thread.postMessage(worker.outbox, [])
      worker.messagesSent = pushed
      pushed = 0
      worker.outbox = []
      worker.awaited.clear()
      worker.starts = 0
      worker.sentAtMs = performance.now()
      worker.state = "busy"
    },
    lowerPriority() {
      try {
        if (worker.threadId > 0) setPriority(worker.threadId, slowPriority)
      } catch {
        // The system may not allow it; the run is then only slower for the others.
      }
    },
    async terminate() {
      worker.state = "dead"
      // Whoever awaits the end may have nothing else that keeps the process alive.
      thread.ref()
      await thread.terminate()
    },
  }
  thread.on("message", (message: Batch | number) => {
    if (worker.state === "dead") return
    if (typeof message !== "number") return events.batch(worker, message)
    worker.threadId = message
    worker.state = "idle"
    return events.ready(worker)
  })
  thread.on("error", (error: Error) => {
    failure = error
  })
  thread.on("exit", () => {
    events.exited()
    if (worker.state === "dead") return
    worker.state = "dead"
    events.lost(worker, failure)
  })
  // After the listeners, which would hold it again. The pool keeps the process alive while something runs (`Pool.alive`).
  thread.unref()
  return worker
}

function threadCpuMs(threadId: number): number | null {
  if (threadId === 0) return null
  try {
    const nanoseconds = Number(readFileSync(`/proc/self/task/${threadId}/schedstat`, "utf8").split(" ")[0])
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null
  } catch {
    return null
  }
}
