// Makes one WASM instance with imports of our own: no clock, no randomness and no output of the host reach a guest.
import type { Vm, VmExports } from "./vm.ts"
import { VmMemoryError, VmStop, createVm } from "./vm.ts"
import type { WasmModule } from "./wasm-module.ts"
import { wasm } from "./wasm-module.ts"

export type VmHooks = {
  /** The journal's clock of the execution that is running. */
  clockMs(): number
  shouldInterrupt(): boolean
  /** Answers a bridge function; the result is a fresh box, or 0 after `raise`. */
  bridge(index: number, args: readonly number[], vm: Vm): number
  /** A promise was rejected and has no handler, or got one later; both boxes go to the hook. */
  rejection(promise: number, reason: number, isHandled: boolean, vm: Vm): void
  /** The host could not place a value in the guest's memory. */
  outOfMemory(): void
}

export type VmInstance = {
  readonly vm: Vm
  readonly exports: VmExports
  /** Up to where memory above the template is known to be empty. */
  cleanBytes: number
}

const wasiSuccess = 0
const wasiBadFile = 8
/** Bridge functions are named `a`, `b`, …: one byte tells which. */
const firstName = 97

export const importMessage = "import() is not available in the sandbox: there are no modules; call a tool instead."

export const bridgeName = (index: number): string => String.fromCharCode(firstName + index)

export function instantiate(module: WasmModule, hooks: VmHooks): VmInstance {
  const imports = {
    env: {
      host_call: (name: number, _nameLength: number, _self: number, count: number, list: number): number => bridged(name, count, list),
      host_interrupt: (): number => (hooks.shouldInterrupt() ? 1 : 0),
      host_promise_rejection: (promise: number, reason: number, isHandled: number): void =>
        hooks.rejection(promise, reason, isHandled !== 0, vm),
      host_module_normalize: (): number => vm.raise("Error", importMessage),
      host_module_load: (): number => 0,
      host_get_timezone_offset: (): number => 0,
    },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock: number, _precision: bigint, result: number): number => {
        vm.writeUint64(result, BigInt(Math.floor(hooks.clockMs())) * 1_000_000n)
        return wasiSuccess
      },
      random_get: (pointer: number, length: number): number => {
        vm.bytes.fill(0, pointer, pointer + length)
        return wasiSuccess
      },
      fd_close: () => wasiBadFile,
      fd_fdstat_get: () => wasiBadFile,
      fd_seek: () => wasiBadFile,
      fd_write: () => wasiBadFile,
    },
  }
  const instance = new wasm.Instance(module, imports)
  const exports = instance.exports as unknown as VmExports // the module is the one the package ships
  const vm = createVm(exports)

  /** No exception of the host may unwind the guest's frames, or the engine stays halfway through a call; a stop gives it up. */
  function bridged(name: number, count: number, list: number): number {
    try {
      const args = Array.from({ length: count }, (_, index) => vm.pointerAt(list + index * 4))
      return hooks.bridge((vm.bytes[name] ?? 0) - firstName, args, vm)
    } catch (error) {
      if (error instanceof VmStop) throw error
      if (error instanceof VmMemoryError) hooks.outOfMemory()
      return raisedSafely()
    }
  }

  function raisedSafely(): number {
    try {
      return vm.raise("Error", "The sandbox could not answer.")
    } catch {
      return 0
    }
  }

  return { vm, exports, cleanBytes: 0 }
}
