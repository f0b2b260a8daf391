// What a worker is given when it is made.
import type { MemoryBudget } from "./guest/memory.ts"
import type { MemoryCells } from "./memory-ledger.ts"
import type { PreludeLimits } from "./prelude/kit.ts"
import type { WasmModule } from "./vm/wasm-module.ts"

export type WorkerOptions = {
  readonly module: WasmModule
  readonly cells: SharedArrayBuffer
  readonly prelude: PreludeLimits
  readonly instancesMax: number
  readonly memoryBytes: number
  readonly cpuMs: number
  readonly callsInFlightMax: number
  readonly emittedBytesMax: number
  readonly memory: MemoryCells
  /** Of the ledger: this thread's own. */
  readonly memoryRow: number
  readonly memoryBudget: MemoryBudget
  /** Where memory goes that is over the budget. */
  readonly spillDir: string
}

/** Calls that wait for a free place hold their arguments outside the guest's memory, so they have a bound of their own. */
export const queuedArgsBytesMax = 16 * 1024 * 1024
/** An instance that grew further is not worth keeping: it cannot shrink. */
export const growthBytesMax = 8 * 1024 * 1024
/** What all idle instances of a worker may have grown by: it stays taken. */
export const growthKeptBytesMax = 64 * 1024 * 1024

/** Each emitted value costs the server something, however small it is. */
const emittedBytesEach = 256
export const emittedMax = (options: WorkerOptions): number => Math.ceil(options.emittedBytesMax / emittedBytesEach)
