// The template: the memory of a guest after the prelude, copied over an instance to start an execution.
//
// Layout of the memory: the C stack below the initial stack pointer, then static data and heap. Between two calls the
// stack is dead, so it is neither copied nor parked, only wiped. Behind the used part of the heap lies slack, freed
// before the template is taken: ordinary code lives in it without growing the memory. Growth could not be undone, as a
// restored allocator does not know the pages above the template and would leave them unused for ever.
import type { GuestEntry, PreludeLimits } from "../prelude/kit.ts"
import { bridgeNames, guestEntries } from "../prelude/kit.ts"
import { pageBytes } from "./page-store.ts"
import { preludeSource } from "../prelude/prelude.ts"
import type { VmHooks, VmInstance } from "./instance.ts"
import { bridgeName, instantiate } from "./instance.ts"
import type { Vm } from "./vm.ts"
import type { WasmModule } from "./wasm-module.ts"
import { wasmPageBytes } from "./wasm-module.ts"

const slackBytes = 256 * 1024
const gcThresholdBytes = 4 * 1024 * 1024
/** The most the shipped binary supports: half of its C stack. */
const stackBytesMax = 512 * 1024
/** How much of the stack ordinary code touches; below it a page is probed. */
const stackTopBytes = 64 * 1024
export const emptyPage = Buffer.alloc(pageBytes)

type Segment = { readonly start: number; readonly end: number }

export type Template = {
  /** The memory from `heapStart` on. */
  readonly image: Buffer
  /** Where in the image something is; the rest is empty. */
  readonly segments: readonly Segment[]
  readonly heapStart: number
  readonly memoryBytes: number
  readonly stackPointer: number
  readonly scratch: number
  readonly entries: Readonly<Record<GuestEntry, number>>
}

export function createTemplate(module: WasmModule, hooks: VmHooks, limits: PreludeLimits, memoryBytes: number): Template {
  const bytecode = compilePrelude(module, hooks, limits)
  const { vm, exports } = instantiate(module, hooks)
  const stackPointer = exports["__stack_pointer"].value
  const heapStart = vm.bytes.subarray(0, stackPointer).every((byte) => byte === 0) ? stackPointer : 0
  startEngine(vm)
  exports.qjs_set_interrupt_handler(1)
  exports.qjs_set_module_loader(1)
  exports.qjs_set_promise_rejection_handler(1)
  const entries = evaluatePrelude(vm, bytecode)
  exports.qjs_run_gc()
  exports.qjs_set_gc_threshold(gcThresholdBytes)
  exports.qjs_set_memory_limit(memoryBytes)
  exports.wasm_free(exports.wasm_malloc(slackBytes))
  const image = Buffer.from(vm.bytes.subarray(heapStart))
  return { image, segments: segmentsOf(image), heapStart, memoryBytes: vm.bytes.length, stackPointer, scratch: vm.scratch, entries }
}

function segmentsOf(image: Buffer): Segment[] {
  const segments: Segment[] = []
  for (let start = 0; start < image.length; start += pageBytes) {
    if (image.compare(emptyPage, 0, pageBytes, start, start + pageBytes) === 0) continue
    const last = segments.at(-1)
    if (last?.end === start) segments[segments.length - 1] = { start: last.start, end: start + pageBytes }
    else segments.push({ start, end: start + pageBytes })
  }
  return segments
}

function startEngine(vm: Vm): void {
  vm.exports["_initialize"]()
  if (vm.exports.qjs_init() !== 0) throw new Error("QuickJS did not start.")
  vm.exports.qjs_set_max_stack_size(stackBytesMax)
  vm.newScratch()
}

function evaluatePrelude(vm: Vm, bytecode: Uint8Array): Record<GuestEntry, number> {
  const { exports } = vm
  const bridge = exports.qjs_new_object()
  bridgeNames.forEach((field, index) => {
    const host = vm.withText(bridgeName(index), (pointer, length) => exports.qjs_new_host_function(pointer, length, 0))
    vm.withText(field, (pointer) => exports.qjs_set_prop_string(bridge, pointer, host))
    exports.qjs_free_value(host)
  })
  const create = vm.evaluateBytecode(bytecode)
  const kit = vm.call(create, bridge)
  if (vm.isException(create) || vm.isException(kit)) throw new Error(`The prelude failed: ${vm.readText(vm.takeException())}`)
  const entries = guestEntries.map((name) => [name, vm.withText(name, (pointer) => exports.qjs_get_prop_string(kit, pointer))])
  exports.qjs_free_value(create)
  exports.qjs_free_value(kit)
  return Object.fromEntries(entries) as Record<GuestEntry, number> // built from the list of entries itself
}

/** Compiled apart, so that the template holds neither the source nor the holes that compiling leaves; each reset would copy them. */
function compilePrelude(module: WasmModule, hooks: VmHooks, limits: PreludeLimits): Uint8Array {
  const { vm } = instantiate(module, hooks)
  startEngine(vm)
  return vm.compile(preludeSource(limits), "executor")
}

/** An instance whose memory is the template's. */
export function instantiateFrom(template: Template, module: WasmModule, hooks: VmHooks): VmInstance {
  const instance = instantiate(module, hooks)
  instance.vm.scratch = template.scratch
  growTo(instance, template.memoryBytes)
  resetInstance(instance, template)
  return instance
}

export function growTo(instance: VmInstance, memoryBytes: number): void {
  const missing = memoryBytes - instance.exports.memory.buffer.byteLength
  if (missing > 0) instance.exports.memory.grow(Math.ceil(missing / wasmPageBytes))
  instance.vm.refresh()
}

/** Nothing that an earlier execution left is readable afterwards: copied over, or wiped. */
export function resetInstance(instance: VmInstance, template: Template): void {
  const { bytes } = instance.vm
  const { image, heapStart } = template
  let emptyFrom = 0
  for (const { start, end } of template.segments) {
    if (start > emptyFrom) bytes.fill(0, heapStart + emptyFrom, heapStart + start)
    image.copy(bytes, heapStart + start, start, end)
    emptyFrom = end
  }
  const hasGrown = bytes.length > instance.cleanBytes
  bytes.fill(0, heapStart + emptyFrom, hasGrown ? bytes.length : template.memoryBytes)
  instance.cleanBytes = bytes.length
  wipeStack(bytes, template)
  instance.exports["__stack_pointer"].value = template.stackPointer
}

function wipeStack(bytes: Buffer, template: Template): void {
  if (template.heapStart === 0) return
  const top = template.stackPointer
  const probeStart = top - stackTopBytes - pageBytes
  const wentDeep = bytes.compare(emptyPage, 0, pageBytes, probeStart, probeStart + pageBytes) !== 0
  bytes.fill(0, wentDeep ? 0 : probeStart, top)
}
