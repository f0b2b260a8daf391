// Tests that WASM in a thread never shares compiled wrappers with other threads.
import { once } from "node:events"
import { setFlagsFromString } from "node:v8"
import { expect, test } from "vitest"
import { startThread } from "./thread.ts"

/** (import "m" "f" (func)) (func (export "g") call 0) */
const module = "0061736d01000000010401600000020701016d0166000003020100070501016700010a0601040010000b"

test("what WASM calls in JavaScript is not compiled into code that threads share", async () => {
  setFlagsFromString("--allow-natives-syntax")
  const code = `
    import { parentPort } from "node:worker_threads"
    const module = new WebAssembly.Module(Buffer.from("${module}", "hex"))
    const instance = new WebAssembly.Instance(module, { m: { f() {} } })
    for (let calls = 0; calls < 5000; calls++) instance.exports.g()
    parentPort.postMessage(%CountUnoptimizedWasmToJSWrapper(instance))`
  const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { name: "wasm" })
  try {
    expect(await once(thread, "message")).toEqual([1])
  } finally {
    await thread.terminate()
  }
})
