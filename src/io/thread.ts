// Starts worker threads in a way that V8 survives.
//
// V8 compiles the code through which WASM calls JavaScript once a function was called a thousand times, and shares it
// between all threads. The V8 of Node.js 24 can free that code twice when one thread gives it up while another takes it,
// and then the whole process dies (docs/decisions/0018-wasm-in-threads.md). So it never gets compiled: threads stay with
// the generic code, which costs some 20 ns more for each call from WASM to JavaScript.
import { setFlagsFromString } from "node:v8"
import { Worker } from "node:worker_threads"
import type { WorkerOptions } from "node:worker_threads"

const keepGenericWrappers = "--wasm-wrapper-tiering-budget=2000000000"

/** Threads inherit no flags, and no environment unless it is given. */
export function startThread(file: URL, options: Omit<WorkerOptions, "execArgv" | "env">, env: NodeJS.ProcessEnv = {}): Worker {
  setFlagsFromString(keepGenericWrappers)
  return new Worker(file, { ...options, execArgv: [], env })
}

/** The module `name` beside the one at `url`: source and build differ in the extension only. */
export const threadFile = (name: string, url: string): URL => new URL(`./${name}${url.endsWith(".ts") ? ".ts" : ".js"}`, url)
