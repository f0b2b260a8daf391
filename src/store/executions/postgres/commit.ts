// One group of journal records to PostgreSQL, and what happens when that fails.
//
// Every record is an upsert, so that a group whose connection broke, or that lost to a deadlock, is simply sent again.
import { setTimeout } from "node:timers/promises"
import { DatabaseError } from "pg"
import { ExecutorError } from "../../../core/errors.ts"
import type { JournalRecord } from "../../execution-store.ts"
import type { Statement } from "../../statement.ts"
import type { Settlement } from "../group-commit.ts"
import { mergeRecords } from "./merge-records.ts"
import { toStatement } from "./statement.ts"

export type Records = readonly JournalRecord[]
type Change = (statement: Statement<unknown>) => Promise<unknown>

/** Long enough for a database that restarts or fails over, short enough for somebody who waits. */
const retryMs = [50, 200, 800, 2000]

export async function commitRecords(jobs: readonly Records[], change: Change): Promise<Settlement<void>[]> {
  try {
    for (const folded of mergeRecords(jobs.flat())) {
      const statement = toStatement(folded)
      if (statement !== null) await changeAtLast(statement, change)
    }
    return jobs.map(() => ({ status: "committed", result: undefined }))
  } catch (error) {
    // One job that the database refuses must not take the others with it.
    if (jobs.length > 1 && isRefusal(error)) return commitEach(jobs, change)
    const message = error instanceof Error ? error.message : String(error)
    const failure = new ExecutorError("internal", `Nothing was recorded. The database cannot be written to: ${message}`)
    return jobs.map(() => ({ status: "failed", error: failure }))
  }
}

async function commitEach(jobs: readonly Records[], change: Change): Promise<Settlement<void>[]> {
  const settlements: Settlement<void>[] = []
  for (const job of jobs) settlements.push(...(await commitRecords([job], change)))
  return settlements
}

async function changeAtLast(statement: Statement<unknown>, change: Change): Promise<void> {
  for (const waitMs of retryMs) {
    try {
      await change(statement)
      return
    } catch (error) {
      if (isRefusal(error)) throw error
    }
    await setTimeout(waitMs)
  }
  await change(statement)
}

/** Not a lost connection, a shutdown, a deadlock or a want of connections: the same statement would fail again. */
const isRefusal = (error: unknown): boolean => error instanceof DatabaseError && !/^(?:08|40|53|57P)/.test(error.code ?? "")
