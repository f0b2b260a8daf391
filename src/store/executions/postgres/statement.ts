// One group of journal records as one statement: every kind of row that occurs is a part of it, with its rows as JSON.
//
// Measured against arrays of columns, JSON costs the same in the database and less here.
import type { Statement } from "../../statement.ts"
import type { MergedRecords } from "./merge-records.ts"
import type { Column, Upsert } from "../shapes.ts"
import { conflictClause, insertNames, insertValues, outcomeUpdate, upserts } from "../shapes.ts"

type Kind = keyof MergedRecords
const kinds = ["execution", "call", "event", "approval", "audit", "shown", "outcome"] as const satisfies readonly Kind[]

/** Few kinds make few texts, each of which the database plans once. */
const texts = new Map<string, string>()

export function toStatement(folded: MergedRecords): Statement<unknown> | null {
  const present = kinds.filter((kind) => folded[kind].size > 0)
  if (present.length === 0) return null
  const shape = present.join()
  const text = texts.get(shape) ?? textOf(present)
  texts.set(shape, text)
  return { sql: text, parameters: present.map((kind) => JSON.stringify([...folded[kind].values()].map(writable))), use: "reused" }
}

function textOf(present: readonly Kind[]): string {
  const parts = present.map((kind, index) => {
    const rows = `$${index + 1}::json`
    return `${kind}_part as (${kind === "outcome" ? outcomeText(rows) : insertText(upserts[kind], rows)})`
  })
  return `with ${parts.join(", ")} select 1`
}

function insertText(upsert: Upsert, rows: string): string {
  const { table, columns } = upsert
  return `insert into ${table} (${insertNames(upsert)}) select ${insertValues(upsert, valueText)} from ${recordset(rows, columns)} ${conflictClause(upsert)}`
}

function outcomeText(rows: string): string {
  const { columns, key } = outcomeUpdate
  const changes = columns.map((column) => `${column.name} = ${valueText(column)}`).join(", ")
  const isThisRun = key.map((column) => `executions.${column.name} = ${valueText(column)}`).join(" and ")
  return `update executions set ${changes}, lease_owner = null, lease_until = null from ${recordset(rows, [...columns, ...key])} where ${isThisRun}`
}

/** The fields of the JSON objects are those of the port's rows, which need no translation then. */
const recordset = (rows: string, columns: readonly Column[]): string =>
  `json_to_recordset(${rows}) as rows(${columns.map(({ field, type }) => `"${field}" ${type === "packed" ? "text" : type}`).join(", ")})`

const valueText = ({ field, type }: Column): string => (type === "boolean" ? `rows."${field}"::integer` : `rows."${field}"`)

/** JSON would carry a NUL or half a character to the database, which refuses both. */
function writable<Row extends object>(row: Row): Row {
  const entries = Object.entries(row)
  if (!entries.some(([, value]) => typeof value === "string" && !isStorable(value))) return row
  return Object.fromEntries(entries.map(([field, value]) => [field, typeof value === "string" ? toStorable(value) : value])) as Row // the same fields
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")
const toStorable = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD")
