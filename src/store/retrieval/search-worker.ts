// The thread that searches in an SQLite file, with a connection of its own.
import { DatabaseSync } from "node:sqlite"
import type { SQLInputValue } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import { busyMsMax } from "../sqlite-connection.ts"
import type { SearchRead, SearchRows } from "./search-thread.ts"

let database: DatabaseSync | null = null

parentPort?.on("message", (read: SearchRead) => parentPort?.postMessage(answer(read), []))

function answer({ sql, parameters }: SearchRead): SearchRows {
  try {
    // It waits for locks here: nothing else happens on this thread.
    database ??= new DatabaseSync(String(workerData), { readOnly: true, timeout: busyMsMax })
    return { ok: true, rows: database.prepare(sql).all(...(parameters as SQLInputValue[])) } // as the queries made them
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
