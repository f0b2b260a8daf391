// Reads of an SQLite file beside the server's thread, for searches that take long; one that nobody waits for is ended.
import { createThreadPool } from "../../io/thread-pool.ts"
import type { ThreadPool } from "../../io/thread-pool.ts"
import { threadFile } from "../../io/thread.ts"
import type { Reader } from "../session.ts"

export type SearchRead = { readonly sql: string; readonly parameters: readonly unknown[] }
export type SearchRows = { readonly ok: true; readonly rows: readonly unknown[] } | { readonly ok: false; readonly message: string }

export type SearchThread = { reader(signal: AbortSignal): Reader; close(): Promise<void> }

const searchMsMax = 60_000
const memoryMbMax = 256

export function createSearchThread(path: string): SearchThread {
  let pool: ThreadPool<SearchRead, SearchRows> | null = null
  const opened = (): ThreadPool<SearchRead, SearchRows> =>
    (pool ??= createThreadPool({ name: "retrieval-search", file: threadFile("search-worker", import.meta.url), memoryMbMax, data: path }))
  return {
    reader: (signal) => ({
      async all<Row>({ sql, parameters }: SearchRead): Promise<Row[]> {
        const outcome = await opened().run({ job: { sql, parameters }, who: "", timeoutMs: searchMsMax, signal })
        signal.throwIfAborted()
        if (outcome.status !== "done")
          throw new Error(`A search ${outcome.status === "crashed" ? outcome.message : `is ${outcome.status}`}`)
        if (!outcome.answer.ok) throw new Error(outcome.answer.message)
        return outcome.answer.rows as Row[] // the columns that the statement names
      },
    }),
    close: () => pool?.close() ?? Promise.resolve(),
  }
}
