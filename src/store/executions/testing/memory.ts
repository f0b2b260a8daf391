// Executions in memory, for unit tests: the product's queries on an SQLite database that is no file, without a thread.
//
// A change begins and ends in one turn of the event loop, so that no reader sees half of it and no two changes meet.
import { ExecutorError } from "../../../core/errors.ts"
import { migrate } from "../../migration.ts"
import { migrations } from "../../migrations/all.ts"
import type { ExecutionStore, JournalRecord, SignalListener } from "../../execution-store.ts"
import { connect } from "../../sqlite-connection.ts"
import type { Transaction } from "../../session.ts"
import { raw } from "../../statement.ts"
import type { Statement } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { createExecutionStore } from "../execution-rows.ts"
import { sealBatch } from "../seal.ts"
import { readRecord, writeRecord } from "../sqlite/statements.ts"
import type { Value } from "../sqlite/statements.ts"

export type MemoryDatabase = {
  /** The store as one more process would open it. */
  open(): ExecutionStore
  close(): void
}

export async function createMemoryDatabase(): Promise<MemoryDatabase> {
  const connection = connect(":memory:", 0)
  const listeners = new Set<SignalListener>()
  const transaction: Transaction = {
    all: async (statement) => connection.all(statement),
    change: async (statement) => connection.change(statement),
    atomic: (work) => work(transaction),
    snapshot: (work) => work(transaction),
    lockTenant: async () => {},
    bumpRevision: () => {},
  }
  await migrate(transaction, migrations, { dialect: "sqlite", name: "The database in memory" })

  function batch(statements: readonly Statement<unknown>[]): unknown[][] {
    connection.change(begin)
    try {
      const rows = statements.map((statement) => connection.all(statement))
      connection.change(commit)
      return rows
    } catch (error) {
      connection.change(rollback)
      throw new ExecutorError("internal", `Nothing was recorded. ${String(error)}`)
    }
  }
  const hearers = new Set<(text: string | null) => void>()
  const backend: ExecutionBackend = {
    dialect: "sqlite",
    all: async (statement) => connection.all(statement),
    append: async (records) => void batch(records.map(toStatement)),
    batch: async (statements) => batch(statements),
    async seal() {
      const sealing = sealBatch("sqlite")
      let step = sealing.next()
      while (step.done !== true) step = sealing.next(connection.all(step.value))
      return step.value
    },
    signals: {
      notify: async (id) => listeners.forEach((listener) => void listener(id)),
      listen(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    broadcasts: {
      send: async (text) => hearers.forEach((hearer) => hearer(text)),
      async listen(hearer) {
        hearers.add(hearer)
        return () => void hearers.delete(hearer)
      },
    },
    close: async () => {},
  }
  return { open: () => createExecutionStore(backend), close: () => connection.close() }
}

function toStatement(record: JournalRecord): Statement<unknown> {
  const values: Value[] = []
  writeRecord(record, values)
  return readRecord(values, 0).statement
}

const [begin, commit, rollback] = [raw("begin"), raw("commit"), raw("rollback")] as const
