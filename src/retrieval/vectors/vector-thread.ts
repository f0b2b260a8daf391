// A thread that compares vectors, started when it is first needed.
import type { Worker } from "node:worker_threads"
import { startThread, threadFile } from "../../io/thread.ts"
import type { VectorAnswer, VectorRequest } from "./message.ts"
import type { Nearest } from "./nearest.ts"

export type VectorThread = {
  /** Changes when what was sent before is lost. */
  generation(): number
  send(request: Exclude<VectorRequest, { kind: "search" }>, transfer: readonly ArrayBuffer[]): void
  search(request: Omit<VectorRequest & { kind: "search" }, "id" | "kind">): Promise<Nearest>
  close(): Promise<void>
}

type Waiting = { resolve(nearest: Nearest): void; reject(error: Error): void }

export function createVectorThread(): VectorThread {
  let worker: Worker | null = null
  let generation = 0
  let lastId = 0
  const waiting = new Map<number, Waiting>()

  const lose = (reason: string): void => {
    worker = null
    generation += 1
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }
  const opened = (): Worker => {
    if (worker !== null) return worker
    const started = startThread(threadFile("worker", import.meta.url), { name: "retrieval-vectors" })
    started.on("message", ({ id, ...found }: VectorAnswer) => {
      waiting.get(id)?.resolve(found)
      waiting.delete(id)
      if (waiting.size === 0) started.unref()
    })
    started.on("error", (error) => lose(error.message))
    started.on("exit", () => {
      if (worker === started) lose("The thread that compares vectors has ended")
    })
    started.unref()
    return (worker = started)
  }
  return {
    generation: () => generation,
    send: (request, transfer) => opened().postMessage(request, [...transfer]),
    search(request) {
      const id = (lastId += 1)
      const thread = opened()
      thread.ref()
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        thread.postMessage({ ...request, kind: "search", id } satisfies VectorRequest, [])
      })
    },
    async close() {
      await worker?.terminate()
    },
  }
}
