// A thin host over the WASM exports of one QuickJS instance: strings, calls and jobs, and nothing kept between them.
//
// Values cross as pointers to boxed JSValues. A box lives in the linear memory, so pointers taken from the template stay
// valid in every instance that was reset from it, and a parked execution takes its own along.

import type { WasmGlobal, WasmMemory } from "./wasm-module.ts"

export type VmExports = {
  readonly memory: WasmMemory
  readonly __stack_pointer: WasmGlobal
  _initialize(): void
  qjs_init(): number
  qjs_set_interrupt_handler(enable: number): void
  qjs_set_module_loader(enable: number): void
  qjs_set_promise_rejection_handler(enable: number): void
  qjs_set_memory_limit(bytes: number): void
  qjs_set_max_stack_size(bytes: number): void
  qjs_set_gc_threshold(bytes: number): void
  qjs_run_gc(): void
  qjs_get_context_ptr(): number
  qjs_compile(code: number, length: number, filename: number, evalFlags: number, writeFlags: number, lengthOut: number): number
  qjs_eval_bytecode(code: number, length: number): number
  qjs_new_string(text: number, length: number): number
  qjs_new_number(value: number): number
  qjs_new_uint8_array(bytes: number, length: number): number
  qjs_new_host_function(name: number, length: number, argCount: number): number
  qjs_new_object(): number
  qjs_get_undefined(): number
  qjs_get_float64(value: number): number
  qjs_get_value_ptr(value: number): number
  qjs_get_string_len(value: number, lengthOut: number): number
  qjs_free_cstring(text: number): void
  qjs_get_typed_array_buffer(value: number, offsetOut: number, lengthOut: number, elementOut: number): number
  qjs_get_array_buffer(value: number, lengthOut: number): number
  qjs_is_exception(value: number): number
  qjs_is_string(value: number): number
  qjs_is_number(value: number): number
  qjs_get_prop_string(object: number, name: number): number
  qjs_set_prop_string(object: number, name: number, value: number): number
  qjs_call(callee: number, self: number, argCount: number, args: number): number
  qjs_free_value(value: number): void
  qjs_promise_state(promise: number): number
  qjs_promise_result(promise: number): number
  qjs_is_job_pending(): number
  qjs_execute_pending_job(): number
  qjs_get_exception(): number
  qjs_throw(value: number): number
  qjs_new_error(): number
  JS_Eval2(context: number, code: number, length: number, options: number): bigint
  JS_ParseJSON(context: number, text: number, length: number, filename: number): bigint
  wasm_malloc(bytes: number): number
  wasm_free(pointer: number): void
}

/** The guest has no memory left for what the host must place there. */
export class VmMemoryError extends Error {
  override readonly name = "VmMemoryError"
}

/** Thrown through the guest's frames when a run is over: the instance is given up with it. */
export class VmStop extends Error {
  override readonly name = "VmStop"
}

const boxBytes = 8
const evalOptionsBytes = 16
const evalOptionsVersion = 1
const scratchBytes = 64
const stripSource = 1 << 4
const compileOnly = 1 << 5

export type Vm = ReturnType<typeof createVm>

/** `scratch` is a block inside the memory that the host uses for out-parameters and argument lists. */
export function createVm(exports: VmExports) {
  let bytes = Buffer.from(exports.memory.buffer)
  let view = new DataView(exports.memory.buffer)
  let scratch = 0

  /** A grown memory detaches the views. */
  function refresh(): void {
    if (bytes.length !== 0) return
    bytes = Buffer.from(exports.memory.buffer)
    view = new DataView(exports.memory.buffer)
  }

  function allocate(size: number): number {
    const pointer = exports.wasm_malloc(size)
    if (pointer === 0) throw new VmMemoryError("The sandbox has no memory left.")
    refresh()
    return pointer
  }

  function writeText(text: string): { readonly pointer: number; readonly length: number } {
    const length = Buffer.byteLength(text)
    const pointer = allocate(length + 1)
    bytes.write(text, pointer, length, "utf8")
    bytes[pointer + length] = 0
    return { pointer, length }
  }

  function withText<T>(text: string, work: (pointer: number, length: number) => T): T {
    const { pointer, length } = writeText(text)
    try {
      return work(pointer, length)
    } finally {
      exports.wasm_free(pointer)
    }
  }

  function box(value: bigint): number {
    const pointer = allocate(boxBytes)
    view.setBigUint64(pointer, BigInt.asUintN(64, value), true)
    return pointer
  }

  function newScratch(): void {
    scratch = allocate(scratchBytes)
  }

  function readText(value: number): string | null {
    const pointer = exports.qjs_get_string_len(value, scratch)
    refresh()
    if (pointer === 0) return null
    const text = bytes.toString("utf8", pointer, pointer + view.getUint32(scratch, true))
    exports.qjs_free_cstring(pointer)
    return text
  }

  /** The bytes of a Uint8Array, as a view that is valid until the guest runs again. */
  function readBytes(value: number): Buffer {
    const buffer = exports.qjs_get_typed_array_buffer(value, scratch, scratch + 4, scratch + 8)
    refresh()
    const offset = view.getUint32(scratch, true)
    const length = view.getUint32(scratch + 4, true)
    const isTypedArray = exports.qjs_is_exception(buffer) === 0
    const start = isTypedArray ? exports.qjs_get_array_buffer(buffer, scratch) : 0
    exports.qjs_free_value(buffer)
    refresh()
    if (start !== 0) return bytes.subarray(start + offset, start + offset + length)
    if (!isTypedArray) exports.qjs_free_value(exports.qjs_get_exception())
    return bytes.subarray(0, 0)
  }

  function newBytes(content: Uint8Array): number {
    const pointer = allocate(Math.max(content.length, 1))
    bytes.set(content, pointer)
    const value = exports.qjs_new_uint8_array(pointer, content.length)
    exports.wasm_free(pointer)
    refresh()
    return value
  }

  const newText = (text: string): number => withText(text, (pointer, length) => exports.qjs_new_string(pointer, length))

  /** `firstLine` may be negative: the wrapper's own lines then come before line 1. `parse` runs nothing. */
  function evaluate(code: string, filename: string, firstLine: number, mode: "run" | "parse" = "run"): number {
    return withText(code, (codePointer, length) =>
      withText(filename, (filenamePointer) => {
        const options = allocate(evalOptionsBytes)
        view.setInt32(options, evalOptionsVersion, true)
        view.setInt32(options + 4, mode === "run" ? 0 : compileOnly, true)
        view.setUint32(options + 8, filenamePointer, true)
        view.setInt32(options + 12, firstLine, true)
        const value = exports.JS_Eval2(exports.qjs_get_context_ptr(), codePointer, length, options)
        refresh()
        exports.wasm_free(options)
        return box(value)
      }),
    )
  }

  /** Bytecode without the source it came from. */
  const compile = (code: string, filename: string): Uint8Array =>
    withText(code, (pointer, length) =>
      withText(filename, (filenamePointer) => {
        const bytecode = exports.qjs_compile(pointer, length, filenamePointer, 0, stripSource, scratch)
        refresh()
        if (bytecode === 0) throw new Error(`Does not compile: ${readText(exports.qjs_get_exception())}`)
        return Uint8Array.from(bytes.subarray(bytecode, bytecode + view.getUint32(scratch, true)))
      }),
    )

  function evaluateBytecode(bytecode: Uint8Array): number {
    const pointer = allocate(bytecode.length)
    bytes.set(bytecode, pointer)
    const value = exports.qjs_eval_bytecode(pointer, bytecode.length)
    exports.wasm_free(pointer)
    refresh()
    return value
  }

  const parseJson = (text: string): number =>
    withText(text, (pointer, length) => {
      // The terminating zero of the text itself is an empty file name.
      const value = exports.JS_ParseJSON(exports.qjs_get_context_ptr(), pointer, length, pointer + length)
      refresh()
      return box(value)
    })

  /** Calls a function of the template; the arguments are freed, the result is the caller's. */
  function call(callee: number, ...args: number[]): number {
    const list = scratch + 16
    // The guest may have grown its memory since, in a job of its own.
    refresh()
    args.forEach((arg, index) => view.setUint32(list + index * 4, arg, true))
    const self = exports.qjs_get_undefined()
    const result = exports.qjs_call(callee, self, args.length, list)
    exports.qjs_free_value(self)
    for (const arg of args) exports.qjs_free_value(arg)
    refresh()
    return result
  }

  /** Takes the pending exception of the context. */
  const takeException = (): number => exports.qjs_get_exception()

  const isException = (value: number): boolean => exports.qjs_is_exception(value) !== 0

  /** Raises an Error inside the guest; a host function then returns 0. */
  function raise(name: string, message: string): 0 {
    const error = exports.qjs_new_error()
    for (const [field, text] of [
      ["name", name],
      ["message", message],
    ] as const) {
      const value = newText(text)
      withText(field, (pointer) => exports.qjs_set_prop_string(error, pointer, value))
      exports.qjs_free_value(value)
    }
    exports.qjs_free_value(exports.qjs_throw(error))
    exports.qjs_free_value(error)
    return 0
  }

  return {
    exports,
    get bytes(): Buffer {
      refresh()
      return bytes
    },
    get scratch(): number {
      return scratch
    },
    set scratch(pointer: number) {
      scratch = pointer
    },
    newScratch,
    pointerAt(address: number): number {
      refresh()
      return view.getUint32(address, true)
    },
    writeUint64(address: number, value: bigint): void {
      refresh()
      view.setBigUint64(address, value, true)
    },
    refresh,
    writeText,
    withText,
    readText,
    readBytes,
    newText,
    newBytes,
    evaluate,
    compile,
    evaluateBytecode,
    parseJson,
    call,
    takeException,
    isException,
    raise,
  }
}
