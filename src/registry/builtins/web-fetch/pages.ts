// Reads web pages in threads, with an end to their time.
import { createThreadPool } from "../../../io/thread-pool.ts"
import type { ThreadJob, ThreadOutcome, ThreadPool } from "../../../io/thread-pool.ts"
import { threadFile } from "../../../io/thread.ts"
import type { PageAnswer, PageJob } from "./page-message.ts"

export type WebPages = {
  read(request: ThreadJob<PageJob>): Promise<ThreadOutcome<PageAnswer>>
  close(): Promise<void>
}

/** Several times what the DOM of the largest page needs. */
const memoryMbMax = 1024

export function createWebPages(): WebPages {
  let pool: ThreadPool<PageJob, PageAnswer> | null = null
  return {
    read: (request) =>
      (pool ??= createThreadPool({ name: "web-pages", file: threadFile("worker", import.meta.url), memoryMbMax })).run(request),
    close: () => pool?.close() ?? Promise.resolve(),
  }
}
