// One connection to an SQLite file: its settings, its statements, and what its errors mean for a person.
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { SQLInputValue, StatementSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { ExecutorError } from "../core/errors.ts"
import { LruMap } from "../core/lru-map.ts"
import type { Statement } from "./statement.ts"

export interface SqliteConnection {
  all<Row>(statement: Statement<Row>): Row[]
  change(statement: Statement<unknown>): number
  isInTransaction(): boolean
  close(): void
}

/** How long another process may hold the database before we give up. */
export const busyMsMax = 30_000

/** The file belongs to its user alone from its first moment: it holds what every token and connection is. */
export function createFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Only a new file is opened: closing any handle of the file would drop the locks of this process's other connections.
    closeSync(openSync(path, "wx", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error // the file system throws nothing else
  }
  const stats = statSync(path)
  if (stats.isFile() && (stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}

/** `busyMsMax`: how long SQLite itself waits for a lock. That stops the thread, so it is for threads that do nothing else. */
export async function openConnection(path: string, options: { busyMsMax: number } = { busyMsMax: 0 }): Promise<SqliteConnection> {
  const connection = connect(path, options.busyMsMax)
  try {
    // The change to WAL needs the file alone, so that two first starts collide here.
    const [mode] = await whenFree(path, () => connection.all<{ journal_mode: string }>(pragma("journal_mode = wal")))
    if (mode?.journal_mode !== "wal") throw new Error("the file system cannot share memory between processes; use a local disk")
    for (const setting of settings) await whenFree(path, () => connection.all(pragma(setting)))
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const settings = [
  // An answer that was given survives the loss of power.
  "synchronous = full",
  "foreign_keys = on",
  "cache_size = -8000",
  "temp_store = memory",
  // A large import leaves a large log, which is cut back to this when it has been written into the database.
  "journal_size_limit = 16777216",
]

/** What is asked once is often asked again soon, and reading its text takes longer than answering it. */
const recentMax = 64

const pragma = (text: string): Statement<never> => ({ sql: `pragma ${text}`, parameters: [], use: "once" })

export function connect(path: string, timeout: number): SqliteConnection {
  // On the main thread waiting is done by `whenFree`: SQLite's own wait would stop all of it, and with it a holder of the lock.
  const database = new DatabaseSync(path, { timeout, enableForeignKeyConstraints: true })
  const reused = new Map<string, StatementSync>()
  const recent = new LruMap<string, StatementSync>(recentMax)

  function prepared({ sql, use }: Statement<unknown>): StatementSync {
    const kept = use === "reused" ? reused : recent
    const known = kept.get(sql)
    if (known) return known
    const fresh = database.prepare(sql)
    kept.set(sql, fresh)
    return fresh
  }

  return {
    // Rows have the columns that the compiled query names, and parameters are the text, numbers, bytes and nulls of the table types.
    all: <Row>(statement: Statement<Row>) => prepared(statement).all(...(statement.parameters as SQLInputValue[])) as Row[],
    change: (statement) => Number(prepared(statement).run(...(statement.parameters as SQLInputValue[])).changes), // as above
    isInTransaction: () => database.isTransaction,
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

/** Tries again while another connection holds what `work` needs. */
export async function whenFree<T>(path: string, work: () => T): Promise<T> {
  let waitedMs = 0
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 50)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (waitedMs > busyMsMax) throw unusable(path, error)
    }
    waitedMs += waitMs
    // Two that wait for the same lock must not always ask at the same moment.
    await setTimeout(waitMs * (0.5 + Math.random()))
  }
}

const resultCode = { busy: 5, locked: 6, readOnly: 8, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 }

/** SQLite's primary result code; the higher bits say more than anybody here needs. */
function sqliteCode(error: unknown): number | null {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : null
}

const isBusy = (error: unknown): boolean => sqliteCode(error) === resultCode.busy || sqliteCode(error) === resultCode.locked

/** The database cannot be used: what is the matter, and what to do about it. */
export function unusable(path: string, error: unknown): ExecutorError {
  if (error instanceof ExecutorError) return error
  return new ExecutorError("invalid_request", `The database ${path} cannot be used: ${reason(error)}`)
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  switch (sqliteCode(error)) {
    case resultCode.busy:
    case resultCode.locked:
      return `another process has held it for ${busyMsMax / 1000} s. End that process, or wait until it is done.`
    case resultCode.readOnly:
      return "it is read-only. Give its file and folder to the user that runs this program, or use another data directory."
    case resultCode.corrupt:
    case resultCode.notADatabase:
      return `it is damaged or not a database (${message}). Restore it from a backup, or move it away to start with an empty one.`
    case resultCode.full:
      return "the disk is full."
    case resultCode.cannotOpen:
      return "it cannot be opened. Check that the path is a file, and that its folder may be written to."
    default:
      return message
  }
}
