// Loads the QuickJS binary and gives its memory the maximum that no guest can pass.
//
// The package ships a module whose own memory has no maximum. A ceiling inside QuickJS counts only what QuickJS
// allocates, so the real one is written into the module's memory section before it is compiled.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const wasmPageBytes = 65_536

/** The part of the WebAssembly API that is used; the types of Node.js leave it out. */
export type WasmModule = { readonly [Symbol.toStringTag]: string }
export type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number }
export type WasmGlobal = { value: number }
type WasmApi = {
  readonly Module: new (binary: Uint8Array<ArrayBuffer>) => WasmModule
  readonly Instance: new (module: WasmModule, imports: Record<string, Record<string, unknown>>) => { readonly exports: object }
}
export const wasm = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly // every Node.js has it

const memorySectionId = 5
const hasMaximumFlag = 1

export function loadQuickJsModule(memoryBytesMax: number): WasmModule {
  const path = fileURLToPath(import.meta.resolve("quickjs-wasi/quickjs.wasm"))
  return new wasm.Module(withMemoryMaximum(readFileSync(path), Math.ceil(memoryBytesMax / wasmPageBytes)))
}

/** Rewrites the memory section: one memory, the same minimum, the given maximum. */
export function withMemoryMaximum(binary: Uint8Array, maximumPages: number): Uint8Array<ArrayBuffer> {
  const section = findSection(binary, memorySectionId)
  const count = readLeb(binary, section.bodyStart)
  const flags = readLeb(binary, count.end)
  const minimum = readLeb(binary, flags.end)
  if (count.value !== 1) throw new Error("The QuickJS binary must define exactly one memory.")
  const body = [1, hasMaximumFlag, ...leb(minimum.value), ...leb(Math.max(maximumPages, minimum.value))]
  const replacement = [memorySectionId, ...leb(body.length), ...body]
  const patched = new Uint8Array(section.start + replacement.length + (binary.length - section.end))
  patched.set(binary.subarray(0, section.start), 0)
  patched.set(replacement, section.start)
  patched.set(binary.subarray(section.end), section.start + replacement.length)
  return patched
}

type Section = { readonly start: number; readonly bodyStart: number; readonly end: number }

function findSection(binary: Uint8Array, id: number): Section {
  const headerBytes = 8
  let start = headerBytes
  while (start < binary.length) {
    const size = readLeb(binary, start + 1)
    const end = size.end + size.value
    if (binary[start] === id) return { start, bodyStart: size.end, end }
    start = end
  }
  throw new Error("The QuickJS binary has no memory section.")
}

function readLeb(binary: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0
  let offset = start
  for (let shift = 0; ; shift += 7) {
    const byte = binary[offset++] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end: offset }
  }
}

function leb(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}
