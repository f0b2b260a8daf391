// Tests that the module's memory gets a maximum, and keeps everything else.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { wasm, withMemoryMaximum } from "./wasm-module.ts"

const binary = readFileSync(fileURLToPath(import.meta.resolve("quickjs-wasi/quickjs.wasm")))

describe("the memory of the module", () => {
  test("has a maximum that growth cannot pass", () => {
    const module = new wasm.Module(withMemoryMaximum(binary, 100))
    const nothing = (): number => 0
    const imports = {
      env: Object.fromEntries(
        [
          "host_call",
          "host_interrupt",
          "host_promise_rejection",
          "host_module_normalize",
          "host_module_load",
          "host_get_timezone_offset",
        ].map((name) => [name, nothing]),
      ),
      wasi_snapshot_preview1: Object.fromEntries(
        ["clock_time_get", "fd_close", "fd_fdstat_get", "fd_seek", "fd_write", "random_get"].map((name) => [name, nothing]),
      ),
    }
    const { memory } = new wasm.Instance(module, imports).exports as { memory: { buffer: ArrayBuffer; grow(pages: number): number } } // the export of every such module
    const pages = memory.buffer.byteLength / 65_536
    expect(memory.grow(100 - pages)).toBe(pages)
    expect(() => memory.grow(1)).toThrow(RangeError)
  })

  test("never is below what the module starts with", () => {
    expect(() => new wasm.Module(withMemoryMaximum(binary, 1))).not.toThrow()
  })

  test("a binary without memory is refused", () => {
    expect(() => withMemoryMaximum(binary.subarray(0, 8), 100)).toThrow("no memory section")
  })
})
