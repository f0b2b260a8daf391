// Tests what the pool can see of a thread from outside.
import { platform, tmpdir } from "node:os"
import { expect, test } from "vitest"
import { defaultLimits } from "../../../core/limits.ts"
import { createMemoryCells } from "../memory-ledger.ts"
import { createPoolWorker } from "./worker.ts"
import { cells, toWorker } from "../protocol.ts"
import { loadQuickJsModule } from "../vm/wasm-module.ts"

const options = {
  module: loadQuickJsModule(defaultLimits.executionMemoryBytes),
  prelude: {
    callsMax: 10,
    argsBytesMax: 1000,
    argsObjectKeysMax: 100,
    argsValuesMax: 100,
    logLinesMax: 10,
    logBytesMax: 1000,
    resultCharsMax: 1000,
  },
  instancesMax: 1,
  memoryBytes: defaultLimits.executionMemoryBytes,
  cpuMs: 60_000,
  callsInFlightMax: 1,
  emittedBytesMax: 1000,
  memory: createMemoryCells(1, 1),
  memoryRow: 0,
  memoryBudget: { residentPerPrincipal: 1000, resident: 1000, spilledPerPrincipal: 1000, spilled: 1000 },
  spillDir: tmpdir(),
}

test("a busy thread shows its run, its heartbeat and its processor time", async () => {
  const ready = Promise.withResolvers<void>()
  const worker = createPoolWorker(options, { exited: () => {}, ready: () => ready.resolve(), batch: () => {}, lost: () => {} })
  await ready.promise
  const before = worker.threadCpuMs()
  worker.push(toWorker.start, 42, "while (true) {}", 0, "", "\0".repeat(32), 0, 0, 1, [])
  worker.send()
  await expect.poll(() => Atomics.load(worker.cells, cells.run)).toBe(42)
  await expect.poll(() => Atomics.load(worker.cells, cells.heartbeat)).toBeGreaterThan(2)
  if (platform() === "linux") await expect.poll(() => (worker.threadCpuMs() ?? 0) - (before ?? 0)).toBeGreaterThanOrEqual(20)
  expect(worker.state).toBe("busy")
  await worker.terminate()
  expect(worker.threadCpuMs()).toBeNull()
})
