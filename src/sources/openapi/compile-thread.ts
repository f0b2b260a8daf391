// Runs the compiler in a thread of its own, with an end to its time and memory.
//
// A document is a stranger's: it may be built to loop, to nest or to fill memory. In a thread it costs its own import
// and never holds up the server; and the memory of a large import goes back to the system with the thread. What a thread
// does not give is safety from running out of memory: V8 then ends the whole process, unless it happens to be in a place
// where it can stop. So sizes are bounded before anything is made of them, and the heap limit here is the second line.
import { Worker } from "node:worker_threads"
import { ExecutorError } from "../../core/errors.ts"
import type { CompileAnswer, CompileJob, FileAnswer, FromThread, ToThread } from "./compile-message.ts"

export type CompileThreadParts = {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Answers what the thread asks for; it never rejects. */
  fetchFiles(urls: readonly string[]): Promise<readonly FileAnswer[]>
}

/** Several times what the worst document within the limits needs. */
const memoryMbMax = 3072
/** YAML is parsed recursively. */
const stackMb = 16
/** Each import may take hundreds of megabytes for a moment. */
const threadsMax = 2

let threadsRunning = 0
const waiting: (() => void)[] = []

export async function compileInThread(job: CompileJob, parts: CompileThreadParts): Promise<CompileAnswer> {
  if (threadsRunning < threadsMax) threadsRunning += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    parts.signal.throwIfAborted()
    return await runThread(job, parts)
  } finally {
    // The next one in line takes the place over, so that nobody can slip in between.
    const next = waiting.shift()
    if (next) next()
    else threadsRunning -= 1
  }
}

async function runThread(job: CompileJob, parts: CompileThreadParts): Promise<CompileAnswer> {
  // Source and build differ in the extension only.
  const file = new URL(import.meta.url.endsWith(".ts") ? "./compile-worker.ts" : "./compile-worker.js", import.meta.url)
  const worker = new Worker(file, {
    name: "openapi-compile",
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMbMax, stackSizeMb: stackMb },
  })
  try {
    return await converse(worker, job, parts)
  } finally {
    await worker.terminate()
  }
}

function converse(worker: Worker, job: CompileJob, parts: CompileThreadParts): Promise<CompileAnswer> {
  return new Promise((resolve, reject) => {
    const tooSlow = (): void =>
      end(() => reject(refused(`The document takes longer than ${parts.timeoutMs} ms to read; it is not imported`)))
    let timer = setTimeout(tooSlow, parts.timeoutMs)
    const onAbort = (): void => end(() => reject(parts.signal.reason as Error)) // an AbortSignal's reason is thrown by convention
    let isOver = false
    const end = (settle: () => void): void => {
      isOver = true
      clearTimeout(timer)
      parts.signal.removeEventListener("abort", onAbort)
      settle()
    }
    const answerNeed = async (urls: readonly string[]): Promise<void> => {
      const files = await parts.fetchFiles(urls)
      if (isOver) return
      timer = setTimeout(tooSlow, parts.timeoutMs)
      send(worker, { kind: "files", files })
    }
    parts.signal.addEventListener("abort", onAbort, { once: true })
    worker.on("message", (message: FromThread) => {
      switch (message.kind) {
        case "need":
          // Waiting for the network is not the document's time.
          clearTimeout(timer)
          void answerNeed(message.urls)
          return
        case "done":
          return end(() => resolve(message))
        case "refused":
          return end(() => reject(new ExecutorError(message.code, message.message)))
      }
    })
    worker.on("error", (error) => end(() => reject(threadFailure(error))))
    worker.on("exit", () => end(() => reject(refused("The document could not be read: its thread ended early"))))
    send(worker, { kind: "compile", ...job }, job.bytes.buffer)
  })
}

const send = (worker: Worker, message: ToThread, ...transfer: readonly ArrayBuffer[]): void => worker.postMessage(message, transfer)

function threadFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(`The compiling thread failed: ${String(error)}`)
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return refused("The document needs more memory to read than is allowed")
  if (error instanceof RangeError) return refused("The document is too large, or nested too deeply, to be read")
  return error
}

const refused = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
