// The embedded store: one SQLite file, in which any number of processes may work at once.
//
// Three connections: `reader` runs single reads, `pages` runs reads that must see one state, `writer` runs
// transactions, one after the other. So a read never waits for an import and never sees half of one, and what
// a transaction has committed is seen by the next read.
import { setImmediate } from "node:timers/promises"
import { sqliteExecutions } from "./executions/sqlite/executions.ts"
import { startJournalThread } from "./executions/sqlite/thread.ts"
import type { Migration } from "./migration.ts"
import { migrate } from "./migration.ts"
import { migrations } from "./migrations/all.ts"
import { createSearchThread } from "./retrieval/search-thread.ts"
import type { Database, Stores } from "./rows.ts"
import { createStore, joinStores } from "./rows.ts"
import type { Session, Transaction } from "./session.ts"
import type { SqliteConnection } from "./sqlite-connection.ts"
import { busyMsMax, createFile, openConnection, unusable, whenFree } from "./sqlite-connection.ts"
import type { Statement } from "./statement.ts"
import type { Store } from "./store.ts"
import type { TransactionHost } from "./transaction.ts"
import { createTransactions } from "./transaction.ts"
import { createMutex } from "../io/mutex.ts"

export type SqliteOptions = {
  readonly path: string
  /** For tests of the migrations themselves. */
  readonly migrations?: readonly Migration[]
  /** How long the journal waits while another process holds the file. */
  readonly busyMsMax?: number
}

export const openSqliteStore = async (options: SqliteOptions): Promise<Store> => createStore(await openDatabase(options, "at commit"))

/** With executions, for whose journal a thread runs until the store is closed. */
export async function openSqliteStores(options: SqliteOptions): Promise<Stores> {
  // The thread starts while the tables are made.
  const thread = startJournalThread({ path: options.path, busyMsMax: options.busyMsMax ?? busyMsMax })
  try {
    const database = await openDatabase(options, "elsewhere")
    await thread.open().catch(async (error: unknown) => {
      await database.close()
      throw error
    })
    return joinStores(database, sqliteExecutions(database.session, thread))
  } catch (error) {
    await thread.close()
    throw error
  }
}

/**
 * Where the log is copied into the database once it has grown. At a commit of this thread, that would hold the server up
 * for as long as a large import has pages; the journal's thread does it with its next commit, which every change brings.
 */
type Checkpoints = "at commit" | "elsewhere"

/** Should nothing be recorded for long, the log ends here: 256 MB. */
const pagesElsewhereMax = 65_536

async function openDatabase(options: SqliteOptions, checkpoints: Checkpoints): Promise<Database> {
  const { path } = options
  const connections: SqliteConnection[] = []
  const connect = async (): Promise<SqliteConnection> => {
    const connection = await openConnection(path)
    connections.push(connection)
    return connection
  }
  const closeAll = (): void => connections.forEach((connection) => connection.close())
  try {
    createFile(path)
    const reader = await connect()
    const revision = createRevision(reader)
    const writing = await connect()
    if (checkpoints === "elsewhere") writing.all(checkpointAt(pagesElsewhereMax))
    const writer = createWriter(writing, path, revision.forget)
    await writer.atomic((transaction) =>
      migrate(transaction, options.migrations ?? migrations, { dialect: "sqlite", name: `The database ${path}` }),
    )
    const session = createSession({ reader, pages: await connect(), writer, path })
    const searchThread = createSearchThread(path)
    const close = async (): Promise<void> => {
      await searchThread.close()
      await writer.afterAll(async () => closeAll())
    }
    return { dialect: "sqlite", session, searcher: (signal) => searchThread.reader(signal), revision: revision.read, close }
  } catch (error) {
    closeAll()
    throw unusable(path, error)
  }
}

type Writer = {
  atomic<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  afterAll(work: () => Promise<void>): Promise<void>
}

function createWriter(connection: SqliteConnection, path: string, onCommit: () => void): Writer {
  const mutex = createMutex()
  const transactions = createTransactions()
  return {
    async atomic(work) {
      transactions.refuseInside()
      return mutex.take(async () => {
        // The write lock is taken first: a transaction that asks for it half-way can be refused it for good.
        await whenFree(path, () => connection.change(begin))
        return transactions.run(hostOver(connection, onCommit), work)
      })
    },
    afterAll: (work) => mutex.take(work),
  }
}

const hostOver = (connection: SqliteConnection, onCommit: () => void): TransactionHost => ({
  all: async (statement) => connection.all(statement),
  change: async (statement) => connection.change(statement),
  // There is one writer at a time already.
  lockTenant: async () => {},
  async commit(bumpsRevision) {
    if (bumpsRevision) connection.change(bumpRevision)
    connection.change(commit)
    onCommit()
  },
  async rollback() {
    // Some errors, such as a full disk, have rolled back already.
    if (connection.isInTransaction()) connection.change(rollback)
  },
})

type Parts = { readonly reader: SqliteConnection; readonly pages: SqliteConnection; readonly writer: Writer; readonly path: string }

function createSession({ reader, pages, writer, path }: Parts): Session {
  const pageMutex = createMutex()
  return {
    all: (statement) => whenFree(path, () => reader.all(statement)),
    change: (statement) => writer.atomic((transaction) => transaction.change(statement)),
    atomic: (work) => writer.atomic(work),
    lockTenant: async () => {},
    snapshot: (work) =>
      pageMutex.take(async () => {
        pages.change(beginRead)
        try {
          return await work({
            async all(statement) {
              // A long list is many statements, and each of them stops the process while it runs.
              await setImmediate()
              return whenFree(path, () => pages.all(statement))
            },
          })
        } finally {
          pages.change(commit)
        }
      }),
  }
}

type Revision = {
  read(): string
  /** This process has committed something itself. */
  forget(): void
}

/** Asking the file costs more than all else that a request looks up; another process's change is seen this much later. */
const revisionFreshMs = 1

/** The number of changes, read again only when any other connection has committed something: the journal's writes are no change of the catalog. */
function createRevision(reader: SqliteConnection): Revision {
  let seen: { readonly dataVersion: number; readonly revision: string } | null = null
  let freshUntilMs = 0
  let failures = 0
  return {
    forget() {
      freshUntilMs = 0
    },
    read() {
      const nowMs = performance.now()
      if (seen !== null && nowMs < freshUntilMs) return seen.revision
      try {
        const dataVersion = reader.all(dataVersionOf)[0]?.data_version ?? 0
        // The order matters: a commit in between is then seen twice rather than never.
        if (seen?.dataVersion !== dataVersion) seen = { dataVersion, revision: String(reader.all(revisionOf)[0]?.value ?? 0) }
        freshUntilMs = nowMs + revisionFreshMs
        return seen.revision
      } catch {
        // Another process holds the file for a moment, and what changed is not known: no cache may rely on it.
        failures += 1
        return `unknown ${failures}`
      }
    },
  }
}

const reused = <Row>(sql: string): Statement<Row> => ({ sql, parameters: [], use: "reused" })
const begin = reused("begin immediate")
const beginRead = reused("begin deferred")
const commit = reused("commit")
const rollback = reused("rollback")
const bumpRevision = reused("update revision set value = value + 1")
const revisionOf = reused<{ value: number }>("select value from revision")
const checkpointAt = (pages: number): Statement<unknown> => ({ sql: `pragma wal_autocheckpoint = ${pages}`, parameters: [], use: "once" })
const dataVersionOf = reused<{ data_version: number }>("pragma data_version")
