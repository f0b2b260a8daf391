// Journal records as SQLite statements, and as the flat values in which they cross to the journal's thread.
import type { JournalRecord } from "../../execution-store.ts"
import type { Statement } from "../../statement.ts"
import { storable } from "../../storable.ts"
import { pack } from "../packing.ts"
import type { Column, Upsert } from "../shapes.ts"
import { conflictClause, insertNames, insertValues, outcomeUpdate, upserts } from "../shapes.ts"

export type Value = string | number | Uint8Array | null

const kinds = ["execution", "call", "event", "approval", "audit", "shown", "outcome"] as const

type RecordStatement = { readonly sql: string; readonly columns: readonly Column[] }

/** In the order of `kinds`, by whose number a record says what it is. */
const statements: readonly RecordStatement[] = kinds.map((kind) =>
  kind === "outcome" ? outcomeStatement() : insertStatement(upserts[kind]),
)

function insertStatement(upsert: Upsert): RecordStatement {
  const { table, columns } = upsert
  const slots = insertValues(upsert, () => "?")
  return { sql: `insert into ${table} (${insertNames(upsert)}) values (${slots}) ${conflictClause(upsert)}`, columns }
}

function outcomeStatement(): RecordStatement {
  const { columns, key } = outcomeUpdate
  const changes = columns.map(({ name }) => `${name} = ?`).join(", ")
  const isThisRun = key.map(({ name }) => `${name} = ?`).join(" and ")
  return {
    sql: `update executions set ${changes}, lease_owner = null, lease_until = null where ${isThisRun}`,
    columns: [...columns, ...key],
  }
}

export function writeRecord(record: JournalRecord, values: Value[]): void {
  const number = kinds.indexOf(record.kind)
  values.push(number)
  const row: Readonly<Record<string, Value | boolean>> = record.kind === "outcome" ? { ...record.outcome, ...keyOf(record) } : record.row
  for (const { field } of statements[number]?.columns ?? []) {
    const value = row[field] ?? null
    values.push(typeof value === "boolean" ? Number(value) : value)
  }
}

const keyOf = ({ tenant, executionId, run }: JournalRecord & { kind: "outcome" }) => ({ tenant, executionId, run })

/** In the thread: the statement of the record that begins at `start`, and where the next one does. */
export function readRecord(values: readonly Value[], start: number): { readonly statement: Statement<unknown>; readonly end: number } {
  const record = statements[Number(values[start])]
  if (!record) throw new Error(`There is no kind of record ${String(values[start])}`)
  const first = start + 1
  const parameters = record.columns.map(({ type }, index) => {
    const value = storable(values[first + index])
    return type === "packed" && typeof value === "string" ? pack(value) : value
  })
  return { statement: { sql: record.sql, parameters, use: "reused" }, end: first + parameters.length }
}
