// The store for many nodes: one PostgreSQL database.
//
// Reads and transactions have pools of their own, so that imports which wait for each other never keep a read waiting.
import type { PoolClient, QueryConfig, QueryResult } from "pg"
import { Pool } from "pg"
import { ExecutorError } from "../core/errors.ts"
import { sha256 } from "../io/ids.ts"
import { laneCount, postgresExecutions } from "./executions/postgres/executions.ts"
import type { Migration } from "./migration.ts"
import { migrate } from "./migration.ts"
import { migrations } from "./migrations/all.ts"
import type { PostgresNotifications } from "./postgres-notifications.ts"
import { openPostgresNotifications } from "./postgres-notifications.ts"
import type { Database, Stores } from "./rows.ts"
import { createStore, joinStores } from "./rows.ts"
import type { Session, Transaction } from "./session.ts"
import type { Statement } from "./statement.ts"
import type { Store } from "./store.ts"
import type { TransactionHost, Transactions } from "./transaction.ts"
import { createTransactions } from "./transaction.ts"
import { createMutex } from "../io/mutex.ts"

export type PostgresOptions = {
  readonly url: string
  /** For tests of the migrations themselves. */
  readonly migrations?: readonly Migration[]
}

const connectionsMax = { readers: 8, writers: 6 }
const connectMsMax = 10_000
/** The first half of the two numbers that name an advisory lock; the second says which one of its kind. */
const lockSpace = { migration: 0x65786d69, tenant: 0x65787465 }
/** A node that hangs inside a transaction, and one that waits for it, give up instead of stopping the others. */
const beginText = "begin; set local lock_timeout = '30s'; set local idle_in_transaction_session_timeout = '60s'"

export const openPostgresStore = async (options: PostgresOptions): Promise<Store> => createStore((await openDatabase(options)).database)

/** With executions, whose journal has connections of its own. */
export async function openPostgresStores(options: PostgresOptions): Promise<Stores> {
  const { database, writers, notifications } = await openDatabase(options)
  const lanes = createPool(options.url, laneCount)
  const changeIn = (pool: Pool) => async (statement: Statement<unknown>) => rowsOf(await pool.query(queryOf(statement)))
  const executions = postgresExecutions({
    session: database.session,
    change: changeIn(writers),
    lanes: { change: changeIn(lanes), close: () => lanes.end() },
    signals: {
      notify: async (id) => void (await writers.query(queryOf({ ...notifications.signalOf(id), use: "reused" }))),
      listen: (listener) => notifications.listen(listener),
    },
    broadcasts: {
      send: async (text) => void (await writers.query(queryOf({ ...notifications.broadcastOf(text), use: "reused" }))),
      listen: async (listener) => notifications.hear(listener),
    },
  })
  return joinStores(database, executions)
}

type Opened = { readonly database: Database; readonly writers: Pool; readonly notifications: PostgresNotifications }

async function openDatabase(options: PostgresOptions): Promise<Opened> {
  const { url } = options
  const readers = createPool(url, connectionsMax.readers)
  const writers = createPool(url, connectionsMax.writers)
  const transactions = createTransactions()
  const endAll = async (notifications: PostgresNotifications | null): Promise<void> => {
    await Promise.all([readers.end(), writers.end(), notifications?.close()])
  }
  try {
    await inTransaction(writers, transactions, null, async (transaction) => {
      await transaction.all(advisoryLock(lockSpace.migration, 0))
      await migrate(transaction, options.migrations ?? migrations, { dialect: "postgres", name: `The database ${placeOf(url)}` })
    })
    const notifications = await openPostgresNotifications(url)
    const session = createSession(readers, (work) => inTransaction(writers, transactions, notifications, work))
    let closing: Promise<void> | null = null
    const close = (): Promise<void> => (closing ??= endAll(notifications))
    const database: Database = {
      dialect: "postgres",
      session,
      // The database does the work.
      searcher: () => null,
      revision: () => notifications.current(),
      close,
    }
    return { database, writers, notifications }
  } catch (error) {
    await endAll(null)
    throw unusable(url, error)
  }
}

function createPool(url: string, max: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: "executor",
    connectionTimeoutMillis: connectMsMax,
    keepAlive: true,
  })
  // A connection that breaks is taken out of the pool, and whoever was using it gets the error from its own query;
  // without listeners it would be the end of the process.
  pool.on("error", () => {})
  pool.on("connect", (client) => client.on("error", () => {}))
  return pool
}

function createSession(readers: Pool, atomic: Session["atomic"]): Session {
  return {
    all: async (statement) => rowsOf(await readers.query(queryOf(statement))),
    change: (statement) => atomic((transaction) => transaction.change(statement)),
    atomic,
    lockTenant: async () => {},
    async snapshot(work) {
      const client = await readers.connect()
      let failure: Error | undefined
      try {
        await client.query("begin isolation level repeatable read read only")
        const result = await work({ all: async (statement) => rowsOf(await client.query(queryOf(statement))) })
        await client.query("commit")
        return result
      } catch (error) {
        await client.query("rollback").catch((broken: Error) => (failure = broken))
        throw error
      } finally {
        client.release(failure)
      }
    },
  }
}

async function inTransaction<T>(
  writers: Pool,
  transactions: Transactions,
  notifications: PostgresNotifications | null,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  transactions.refuseInside()
  const client = await writers.connect()
  const host = hostOver(client, notifications)
  try {
    await client.query(beginText)
    return await transactions.run(host, work)
  } finally {
    client.release(host.isBroken())
  }
}

function hostOver(client: PoolClient, notifications: PostgresNotifications | null): TransactionHost & { isBroken(): boolean } {
  // The work may ask several things at once, and a connection answers one at a time.
  const mutex = createMutex()
  const run = <Row>(statement: Statement<Row>) => mutex.take(() => client.query(queryOf(statement)))
  const locked = new Set<string>()
  let isBroken = false
  return {
    isBroken: () => isBroken,
    all: async (statement) => rowsOf(await run(statement)),
    change: async (statement) => (await run(statement)).rowCount ?? 0,
    async lockTenant(tenant) {
      if (locked.has(tenant)) return
      await run(advisoryLock(lockSpace.tenant, Number.parseInt(sha256(tenant).slice(0, 8), 16) | 0))
      locked.add(tenant)
    },
    async commit(bumpsRevision) {
      if (bumpsRevision && notifications) await run({ ...notifications.notification, use: "reused" })
      try {
        const { command } = await client.query("commit")
        // PostgreSQL answers a commit that it could not do with the word for what it did instead, and no error.
        if (command !== "COMMIT") throw new Error(`The transaction ended with ${command}`)
      } finally {
        // Also when the connection broke on the way, because then nobody knows.
        if (bumpsRevision) notifications?.bump()
      }
    },
    async rollback() {
      await mutex.take(() => client.query("rollback")).catch(() => (isBroken = true))
    },
  }
}

const advisoryLock = (space: number, key: number): Statement<unknown> => ({
  sql: "select pg_advisory_xact_lock($1, $2)",
  parameters: [space, key],
  use: "reused",
})

const names = new Map<string, string>()

/** A statement with a name is planned once for each connection. */
function queryOf(statement: Statement<unknown>): QueryConfig {
  const query = { text: statement.sql, values: [...statement.parameters] }
  if (statement.use === "once") return query
  const name = names.get(statement.sql) ?? `executor_${names.size}`
  names.set(statement.sql, name)
  return { ...query, name }
}

const rowsOf = <Row>(result: QueryResult): Row[] => result.rows as Row[] // the columns that the compiled query names

/** Where the database is, without the password. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return "in EXECUTOR_DATABASE_URL"
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

function unusable(url: string, error: unknown): ExecutorError {
  if (error instanceof ExecutorError) return error
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  const message = error instanceof Error && error.message !== "" ? error.message : code
  return new ExecutorError(
    "invalid_request",
    `The database ${placeOf(url)} cannot be used: ${message}. Check that PostgreSQL runs there, and the user, password and database name of the URL.`,
  )
}
