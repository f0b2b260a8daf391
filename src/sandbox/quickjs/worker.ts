// The thread that runs guests: takes a batch of messages, handles it to the end, and answers once with the acknowledgement.
import { parentPort, workerData } from "node:worker_threads"
import { readlinkSync } from "node:fs"
import { collectGarbage } from "../../io/garbage.ts"
import { loadSucrase } from "./code/typescript.ts"
import { deliverAnswer, deliverPending, deliverTick, startRun } from "./guest/advance.ts"
import { createGuestBridge } from "./guest/bridge.ts"
import type { GuestContext } from "./guest/end.ts"
import { createGuestEntry } from "./guest/entry.ts"
import { createGuestInstances } from "./guest/instances.ts"
import { keepBudget } from "./guest/spill.ts"
import { createGuestMemory } from "./guest/memory.ts"
import { openMemoryRow } from "./memory-ledger.ts"
import { createMemoryRelease } from "./guest/memory-release.ts"
import { createPageFile } from "./vm/page-file.ts"
import { noteRejection } from "./guest/notices.ts"
import type { GuestRun } from "./guest/run.ts"
import { createGuestRun } from "./guest/run.ts"
import type { Batch, Cursor, Field } from "./protocol.ts"
import { createCursor, lanes, toPool, toWorker } from "./protocol.ts"
import type { VmHooks } from "./vm/instance.ts"
import { createTemplate } from "./vm/template.ts"
import type { WorkerOptions } from "./worker-options.ts"

/** Loading it takes long enough to be felt, so it happens after the rush of a start, or when types are first seen. */
const sucraseAfterMs = 1000
/** Results of a long batch leave before it is over. */
const flushAfterMs = 1
/** The same for a guest that does not come out. */
const staleAfterMs = 50
/** After so long, what a batch has not started yet goes back: in the pool, principals take turns. */
const startsForMs = 20

const port = parentPort
if (port) serve(port, workerData as WorkerOptions) // the pool makes workers with these options only

function serve(pool: NonNullable<typeof parentPort>, options: WorkerOptions): void {
  let outbox: Batch = [0]
  let flushedAt = 0
  const post = (...fields: Field[]): void => void outbox.push(...fields)
  const flush = (acknowledges: 0 | 1): void => {
    if (acknowledges === 0 && outbox.length === 1) return
    outbox[0] = acknowledges
    pool.postMessage(outbox, [])
    outbox = [0]
    flushedAt = performance.now()
  }
  // Whoever ends a guest that computes for ever still has what it logged before.
  const flushStale = (): void => {
    if (outbox.length > 1 && performance.now() - flushedAt > staleAfterMs) flush(0)
  }
  const context = createContext(options, post, flushStale)
  pool.on("message", (batch: Batch) => {
    flushedAt = performance.now()
    context.memoryRelease.busy()
    const cursor = createCursor(batch, 0)
    const startsUntil = flushedAt + startsForMs
    while (!cursor.isDone()) {
      handle(cursor, startsUntil, context)
      context.memoryRelease.collectIfMuch()
      if (performance.now() - flushedAt > flushAfterMs) flush(0)
    }
    flush(1)
  })
  pool.postMessage(threadId(), [])
  setTimeout(loadSucrase, sucraseAfterMs)
}

function createContext(options: WorkerOptions, post: (...fields: Field[]) => void, flushStale: () => void): GuestContext {
  const entry = createGuestEntry(new Int32Array(options.cells), options.cpuMs, options.memoryBytes)
  const bridge = createGuestBridge(options, entry.current, post)
  const hooks: VmHooks = {
    clockMs: entry.clockMs,
    shouldInterrupt() {
      flushStale()
      return entry.shouldInterrupt()
    },
    outOfMemory: entry.outOfMemory,
    bridge,
    rejection: (promise, reason, isHandled, vm) => noteRejection(entry.current(), promise, reason, isHandled, vm),
  }
  const template = createTemplate(options.module, hooks, options.prelude, options.memoryBytes)
  const memoryRelease = createMemoryRelease(collectGarbage)
  const memory = createGuestMemory(openMemoryRow(options.memory, options.memoryRow), options.memoryBudget)
  const file = createPageFile(options.spillDir)
  const { module, instancesMax } = options
  const instances = createGuestInstances({ module, template, hooks, instancesMax, memoryRelease, memory, file })
  return { options, template, instances, memory, entry, memoryRelease, runs: new Map(), post }
}

function handle(cursor: Cursor, startsUntil: number, context: GuestContext): void {
  const operation = cursor.number()
  const no = cursor.number()
  if (operation === toWorker.start) return start(no, cursor, startsUntil, context)
  // Messages for a run that has ended in the meantime are read and dropped.
  const run = context.runs.get(no)
  if (operation === toWorker.answer) {
    const [seq, form, json, atMs] = [cursor.number(), cursor.number(), cursor.text(), cursor.number()]
    if (run) deliverAnswer(run, seq, form, json, atMs, context)
  } else if (operation === toWorker.tick) {
    const atMs = cursor.number()
    if (run) deliverTick(run, atMs, context)
  } else if (operation === toWorker.pending) {
    const seq = cursor.number()
    if (run) deliverPending(run, seq, context)
  } else if (run) {
    context.runs.delete(no)
    context.instances.release(run, "sound")
  }
  if (run) keepBudget(run, context)
}

function start(no: number, cursor: Cursor, startsUntil: number, context: GuestContext): void {
  const [code, mode, inputJson, seed, startedAtMs] = [cursor.text(), cursor.number(), cursor.text(), cursor.text(), cursor.number()]
  const [lane, column, replay] = [lanes[cursor.number()] ?? "fast", cursor.number(), cursor.list()]
  if (performance.now() > startsUntil) return context.post(toPool.unstarted, no)
  const instance = context.instances.takeFresh()
  const run: GuestRun = createGuestRun(no, { code, mode, inputJson, seed, startedAtMs, lane, column, replay }, instance)
  context.runs.set(no, run)
  context.instances.seat(run, instance)
  startRun(run, context)
  keepBudget(run, context)
}

/** The system's number of this thread, by which the pool can lower its priority; 0 where that is not known. */
function threadId(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1))
  } catch {
    return 0
  }
}
