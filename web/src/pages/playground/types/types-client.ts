// The page's side of the types: starts the worker, asks it, and never makes anybody wait for it.
import type { Answers, Request, Response, Verb } from "./protocol.ts"

export type TypesClient = {
  /** Null: the worker is not there, or has no answer. */
  ask<V extends Verb>(verb: V, asked: Answers[V]["asked"]): Promise<Answers[V]["answer"] | null>
  close(): void
}

export function openTypes(failed: () => void): TypesClient {
  const worker = new Worker(new URL("./types-worker.ts", import.meta.url), { type: "module", name: "types" })
  const waiting = new Map<number, (answer: unknown) => void>()
  let count = 0
  const settle = (id: number, answer: unknown): void => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  }
  const end = (): void => {
    for (const id of waiting.keys()) settle(id, null)
  }
  worker.addEventListener("message", ({ data }: MessageEvent<Response>) => settle(data.id, "answer" in data ? data.answer : null))
  worker.addEventListener("error", () => {
    end()
    failed()
  })
  return {
    ask(verb, asked) {
      const id = (count += 1)
      const answered = new Promise<never>((resolve) => waiting.set(id, resolve as (answer: unknown) => void)) // what the verb promises
      const request = { id, verb, asked } as Request // of one verb
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin of its own
      worker.postMessage(request)
      return answered
    },
    close() {
      worker.terminate()
      end()
    },
  }
}
