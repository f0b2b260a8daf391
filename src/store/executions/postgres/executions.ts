// Executions in PostgreSQL: journal records in groups, each group one statement and so one transaction.
//
// Two groups may be under way at a time, on two lanes; an execution stays on its lane, so that its records keep their
// order.
import { ExecutorError } from "../../../core/errors.ts"
import type { Broadcasts } from "../broadcasts.ts"
import type { ExecutionSignals, ExecutionStore, JournalRecord } from "../../execution-store.ts"
import type { Session } from "../../session.ts"
import type { Statement } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { createExecutionStore } from "../execution-rows.ts"
import type { GroupCommit } from "../group-commit.ts"
import { createGroupCommit } from "../group-commit.ts"
import { createPending, subjectOf } from "../pending.ts"
import { sealBatch } from "../seal.ts"
import type { Records } from "./commit.ts"
import { commitRecords } from "./commit.ts"

export type PostgresParts = {
  readonly session: Pick<Session, "all" | "atomic">
  /** One statement that is its own transaction. */
  change(statement: Statement<unknown>): Promise<readonly unknown[]>
  readonly lanes: {
    change(statement: Statement<unknown>): Promise<readonly unknown[]>
    close(): Promise<void>
  }
  readonly signals: ExecutionSignals
  readonly broadcasts: Broadcasts
}

/** More gain nothing: the commits of two already follow each other without a gap. */
export const laneCount = 2

/** Of all nodes. What it finds then is as the last one left it. */
const onlySealer: Statement<unknown> = { sql: "select pg_advisory_xact_lock(1702392677, 0)", parameters: [], use: "reused" }

export function postgresExecutions({ session, change, lanes: connections, signals, broadcasts }: PostgresParts): ExecutionStore {
  const commit = (jobs: readonly Records[]) => commitRecords(jobs, (statement) => connections.change(statement))
  const lanes = Array.from({ length: laneCount }, () => createGroupCommit<Records, void>({ commit, inFlightMax: 1 }))
  const settled = async (): Promise<void> => void (await Promise.all(lanes.map((lane) => lane.settled())))
  const pending = createPending()
  let closing: Promise<void> | null = null

  const backend: ExecutionBackend = {
    dialect: "postgres",
    async all(statement, sees) {
      if (pending.matters(sees)) await settled()
      return session.all(statement)
    },
    append(records, urgency) {
      if (closing) return Promise.reject(new ExecutorError("internal", "The store is closed, so nothing can be recorded"))
      // Nearly always all are of one execution.
      const parts = Map.groupBy(records, laneNumber)
      return pending.during(records, () => Promise.all(Array.from(parts, ([number, some]) => laneAt(lanes, number).add(some, urgency))))
    },
    async batch(statements) {
      const [first, ...rest] = statements
      if (first && rest.length === 0) return [await change(first)]
      return session.atomic(async (transaction) => {
        const rows: unknown[][] = []
        for (const statement of statements) rows.push(await transaction.all(statement))
        return rows
      })
    },
    seal: () =>
      session.atomic(async (transaction) => {
        await transaction.all(onlySealer)
        const batch = sealBatch("postgres")
        let step = batch.next()
        while (step.done !== true) step = batch.next(await transaction.all(step.value))
        return step.value
      }),
    signals,
    broadcasts,
    close: () => (closing ??= settled().then(() => connections.close())),
  }
  return createExecutionStore(backend)
}

function laneNumber(record: JournalRecord): number {
  let sum = 0
  for (const char of subjectOf(record).slice(-4)) sum += char.charCodeAt(0)
  return sum % laneCount
}

function laneAt<Job, Result>(lanes: readonly GroupCommit<Job, Result>[], number: number): GroupCommit<Job, Result> {
  const lane = lanes[number]
  if (!lane) throw new Error(`There is no lane ${number}`)
  return lane
}
