// Runs jobs on threads that are used again, each with a real end to its time: a thread that is late is ended.
//
// A job is a stranger's, or code that may loop. On a thread of its own it holds up nobody, and ending the thread ends it,
// whatever it does. Starting a thread takes longer than most jobs, so threads wait for a while for the next one.
import { availableParallelism } from "node:os"
import type { Worker } from "node:worker_threads"
import { startThread } from "./thread.ts"

export type ThreadOutcome<Answer> =
  | { readonly status: "done"; readonly answer: Answer }
  /** It took longer than it may, or no thread was free in that time. */
  | { readonly status: "late" }
  | { readonly status: "cancelled" }
  | { readonly status: "crashed"; readonly message: string }

export type ThreadJob<Job> = {
  readonly job: Job
  /** Whoever has many jobs waits for their own: threads rotate between these names. */
  readonly who: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type ThreadPool<Job, Answer> = {
  run(request: ThreadJob<Job>): Promise<ThreadOutcome<Answer>>
  close(): Promise<void>
}

export type ThreadPoolOptions = {
  readonly name: string
  /** A module that answers each message of its parent port with one message. */
  readonly file: URL
  readonly memoryMbMax: number
  readonly data?: unknown
  /** None unless given. */
  readonly env?: NodeJS.ProcessEnv
  readonly threadsMax?: number
}

const idleMs = 30_000
const stackMb = 8

type Waiting<Job, Answer> = ThreadJob<Job> & { start(worker: Worker): void; readonly end: (outcome: ThreadOutcome<Answer>) => void }

export function createThreadPool<Job, Answer>(options: ThreadPoolOptions): ThreadPool<Job, Answer> {
  const threadsMax = options.threadsMax ?? Math.max(2, availableParallelism())
  const threads = new Set<Worker>()
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = []
  const queues = new Map<string, Waiting<Job, Answer>[]>()
  let isClosed = false

  const startWorker = (): Worker => {
    const { name, file, memoryMbMax, data, env } = options
    const worker = startThread(
      file,
      { name, workerData: data, resourceLimits: { maxOldGenerationSizeMb: memoryMbMax, stackSizeMb: stackMb } },
      env,
    )
    threads.add(worker)
    // Whoever waits for a thread that dies is told by their own listeners.
    worker.on("error", () => {})
    worker.on("exit", () => {
      threads.delete(worker)
      forget(worker)
      serve()
    })
    return worker
  }
  const forget = (worker: Worker): void => {
    const at = idle.findIndex((one) => one.worker === worker)
    if (at >= 0) clearTimeout(idle.splice(at, 1)[0]?.timer)
  }
  const discard = (worker: Worker): void => void worker.terminate()
  const rest = (worker: Worker): void => {
    worker.unref()
    const timer = setTimeout(() => {
      forget(worker)
      discard(worker)
    }, idleMs).unref()
    idle.push({ worker, timer })
    serve()
  }

  /** Whoever had a turn goes to the end of the rotation. */
  const next = (): Waiting<Job, Answer> | undefined => {
    const [first] = queues
    if (first === undefined) return undefined
    const [who, jobs] = first
    const job = jobs.shift()
    queues.delete(who)
    if (jobs.length > 0) queues.set(who, jobs)
    return job
  }
  const serve = (): void => {
    while (queues.size > 0 && (idle.length > 0 || threads.size < threadsMax)) {
      const job = next()
      if (job === undefined) continue
      const ready = idle.pop()
      if (ready !== undefined) clearTimeout(ready.timer)
      const worker = ready?.worker ?? startWorker()
      worker.ref()
      job.start(worker)
    }
  }
  const withdraw = (job: Waiting<Job, Answer>): void => {
    const jobs = queues.get(job.who)?.filter((one) => one !== job) ?? []
    if (jobs.length === 0) queues.delete(job.who)
    else queues.set(job.who, jobs)
  }

  return {
    run(request) {
      if (isClosed || request.signal.aborted) return Promise.resolve({ status: "cancelled" })
      return new Promise((resolve) => {
        let worker: Worker | null = null
        const onMessage = (answer: Answer): void => finish({ status: "done", answer }, rest)
        const onError = (error: Error): void => finish({ status: "crashed", message: crashText(error) }, discard)
        const onExit = (): void => finish({ status: isClosed ? "cancelled" : "crashed", message: "its thread ended early" }, () => {})
        const onAbort = (): void => finish({ status: "cancelled" }, discard)
        const timer = setTimeout(() => finish({ status: "late" }, discard), request.timeoutMs)
        const finish = (outcome: ThreadOutcome<Answer>, release: (worker: Worker) => void): void => {
          clearTimeout(timer)
          request.signal.removeEventListener("abort", onAbort)
          if (worker === null) withdraw(waiting)
          else {
            worker.off("message", onMessage).off("error", onError).off("exit", onExit)
            release(worker)
          }
          resolve(outcome)
        }
        const waiting: Waiting<Job, Answer> = {
          ...request,
          end: (outcome) => finish(outcome, discard),
          start(given) {
            worker = given
            given.on("message", onMessage).on("error", onError).on("exit", onExit)
            given.postMessage(request.job, [])
          },
        }
        request.signal.addEventListener("abort", onAbort, { once: true })
        queues.set(request.who, [...(queues.get(request.who) ?? []), waiting])
        serve()
      })
    },
    async close() {
      isClosed = true
      for (const job of [...queues.values()].flat()) job.end({ status: "cancelled" })
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      await Promise.all([...threads].map((worker) => worker.terminate()))
    },
  }
}

const crashText = (error: Error): string =>
  "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "it needs more memory than is allowed" : error.message
