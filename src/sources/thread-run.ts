// Runs a compiler in a thread of its own, with an end to its time and memory.
//
// A document is a stranger's: it may be built to loop, to nest or to fill memory. In a thread it costs its own import
// and never holds up the server; and the memory of a large import goes back to the system with the thread. What a thread
// does not give is safety from running out of memory: V8 then ends the whole process, unless it happens to be in a place
// where it can stop. So sizes are bounded before anything is made of them, and the heap limit here is the second line.
import type { Worker } from "node:worker_threads"
import { ExecutorError } from "../core/errors.ts"
import { startThread } from "../io/thread.ts"
import type { FromThread, ToThread } from "./thread-message.ts"

export type ThreadParts<Asked, Reply> = {
  readonly name: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Handed over instead of copied. */
  readonly transfer: readonly ArrayBuffer[]
  /** Answers what the thread asks for; it never rejects. */
  reply(asked: Asked): Promise<Reply>
}

/** Several times what the worst document within the limits needs. */
const memoryMbMax = 3072
/** YAML and types are read recursively. */
const stackMb = 16
/** Each import may take hundreds of megabytes for a moment. */
const threadsMax = 2

let threadsRunning = 0
const waiting: (() => void)[] = []

/** The module at `file` answers one job with one message of kind `done` or `refused`. */
export async function runInThread<Answer, Asked = never, Reply = never>(
  file: URL,
  job: unknown,
  parts: ThreadParts<Asked, Reply>,
): Promise<Answer> {
  if (threadsRunning < threadsMax) threadsRunning += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    parts.signal.throwIfAborted()
    return await runThread<Answer, Asked, Reply>(file, job, parts)
  } finally {
    // The next one in line takes the place over, so that nobody can slip in between.
    const next = waiting.shift()
    if (next) next()
    else threadsRunning -= 1
  }
}

async function runThread<Answer, Asked, Reply>(file: URL, job: unknown, parts: ThreadParts<Asked, Reply>): Promise<Answer> {
  const worker = startThread(file, {
    name: parts.name,
    resourceLimits: { maxOldGenerationSizeMb: memoryMbMax, stackSizeMb: stackMb },
  })
  try {
    return await converse<Answer, Asked, Reply>(worker, job, parts)
  } finally {
    await worker.terminate()
  }
}

function converse<Answer, Asked, Reply>(worker: Worker, job: unknown, parts: ThreadParts<Asked, Reply>): Promise<Answer> {
  const send = (message: ToThread<unknown, Reply>, transfer: readonly ArrayBuffer[] = []): void => worker.postMessage(message, transfer)
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
    const replyTo = async (asked: Asked): Promise<void> => {
      const reply = await parts.reply(asked)
      if (isOver) return
      timer = setTimeout(tooSlow, parts.timeoutMs)
      send({ kind: "reply", reply })
    }
    parts.signal.addEventListener("abort", onAbort, { once: true })
    worker.on("message", (message: FromThread<Answer, Asked>) => {
      switch (message.kind) {
        case "ask":
          // Waiting for the network is not the document's time.
          clearTimeout(timer)
          void replyTo(message.asked)
          return
        case "done":
          return end(() => resolve(message.answer))
        case "refused":
          return end(() => reject(new ExecutorError(message.code, message.message)))
      }
    })
    worker.on("error", (error) => end(() => reject(threadFailure(error))))
    worker.on("exit", () => end(() => reject(refused("The document could not be read: its thread ended early"))))
    send({ kind: "job", job }, parts.transfer)
  })
}

function threadFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(`The compiling thread failed: ${String(error)}`)
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return refused("The document needs more memory to read than is allowed")
  if (error instanceof RangeError) return refused("The document is too large, or nested too deeply, to be read")
  return error
}

const refused = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
