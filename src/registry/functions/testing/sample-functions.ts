// Functions for tests: synchronous, asynchronous, and such as misbehave.
import { isMainThread } from "node:worker_threads"
import { defineFunctions } from "../define.ts"

export const sampleFunctions = defineFunctions(import.meta.url, {
  double: {
    reads: true,
    description: "Doubles a number.",
    run: ({ value }: { value: number }) => ({ value: value * 2, inThread: !isMainThread }),
  },
  later: async ({ value }: { value: number }) => ({ value, inThread: !isMainThread }),
  promise: () => Promise.resolve({ inThread: !isMainThread }),
  loop: () => {
    for (;;);
  },
  never: async () => new Promise(() => {}),
  fails: () => {
    throw new Error("no such customer")
  },
  failsLater: async () => {
    throw new Error("no such order")
  },
  nothing: () => undefined,
  big: () => 10n,
  long: () => "x".repeat(2000),
})
