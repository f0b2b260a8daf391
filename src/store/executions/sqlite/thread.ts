// The journal's thread as the main thread sees it: groups of jobs go in, settlements come out, in order.
import type { Worker } from "node:worker_threads"
import { ExecutorError } from "../../../core/errors.ts"
import { startThread, threadFile } from "../../../io/thread.ts"
import type { Settlement } from "../group-commit.ts"
import type { FromThread, Job, JobAnswer, ToThread } from "./message.ts"
import { writeJobs } from "./message.ts"

export type Rows = readonly (readonly unknown[])[]

export interface JournalThread {
  /** The database must have its tables by now. */
  open(): Promise<void>
  commit(jobs: readonly Job[]): Promise<readonly Settlement<Rows>[]>
  /** Whatever was asked before is answered first. */
  close(): Promise<void>
}

export type ThreadOptions = { readonly path: string; readonly busyMsMax: number }

type Asked = { resolve(message: FromThread): void; reject(error: Error): void }
type State = { readonly kind: "alive" } | { readonly kind: "over"; readonly error: ExecutorError }

export function startJournalThread({ path, busyMsMax }: ThreadOptions): JournalThread {
  const worker = startThread(threadFile("worker", import.meta.url), { name: "journal" })
  let state: State = { kind: "alive" }
  let asked: Asked[] = []
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()))

  function end(reason: string): void {
    const error = new ExecutorError("internal", reason)
    if (state.kind === "alive") state = { kind: "over", error }
    for (const { reject } of asked) reject(error)
    asked = []
  }
  worker.on("error", (error) => end(`The journal's thread died, so nothing can be recorded until a restart: ${String(error)}`))
  worker.on("exit", () => end("The journal's thread ended, so nothing can be recorded until a restart"))
  worker.on("message", (message: FromThread) => {
    asked.shift()?.resolve(message)
    if (asked.length === 0) worker.unref()
  })
  worker.unref()

  function ask(message: ToThread): Promise<FromThread> {
    if (state.kind === "over") return Promise.reject(state.error)
    // The process stays until what it asked to be recorded is, and no longer.
    if (asked.length === 0) worker.ref()
    return new Promise((resolve, reject) => {
      asked.push({ resolve, reject })
      send(worker, message)
    })
  }

  return {
    async open() {
      const answer = await ask({ kind: "open", path, busyMsMax })
      if (answer.kind === "unusable") throw new ExecutorError("invalid_request", answer.message)
    },
    async commit(jobs) {
      const answer = await ask({ kind: "commit", values: writeJobs(jobs) })
      return answer.kind === "settled" ? answer.jobs.map(toSettlement) : []
    },
    async close() {
      if (state.kind === "over") return exited
      state = { kind: "over", error: new ExecutorError("internal", "The store is closed, so nothing can be recorded") }
      worker.ref()
      send(worker, { kind: "close" })
      return exited
    },
  }
}

const send = (worker: Worker, message: ToThread): void => worker.postMessage(message, [])

const toSettlement = (answer: JobAnswer): Settlement<Rows> =>
  answer.status === "committed"
    ? { status: "committed", result: answer.rows }
    : { status: "failed", error: new ExecutorError("internal", `Nothing was recorded. ${answer.message}`) }
