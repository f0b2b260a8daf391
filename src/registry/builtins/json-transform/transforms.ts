// Transforms JSON in threads, with an end to their time.
import { createThreadPool } from "../../../io/thread-pool.ts"
import type { ThreadJob, ThreadOutcome, ThreadPool } from "../../../io/thread-pool.ts"
import { threadFile } from "../../../io/thread.ts"
import type { TransformAnswer, TransformJob } from "./transform-message.ts"

export type Transforms = {
  run(request: ThreadJob<TransformJob>): Promise<ThreadOutcome<TransformAnswer>>
  close(): Promise<void>
}

const memoryMbMax = 512

export function createTransforms(): Transforms {
  let pool: ThreadPool<TransformJob, TransformAnswer> | null = null
  return {
    run: (request) =>
      (pool ??= createThreadPool({ name: "transforms", file: threadFile("worker", import.meta.url), memoryMbMax })).run(request),
    close: () => pool?.close() ?? Promise.resolve(),
  }
}
