// Many rows into one table, as fast as the database takes them.
import { createTimeSlices } from "../io/time-slices.ts"
import type { Tables } from "./schema.ts"
import type { Session } from "./session.ts"
import type { Builder, Statement } from "./statement.ts"
import { storable } from "./storable.ts"

type TableName = keyof Tables
type Insert<Name extends TableName> = (session: Session, rows: Iterable<Tables[Name]>) => Promise<void>

/** What happens to a row whose key exists already. */
export type InsertConflict = "skip" | "fail"

export function prepareInsert<Name extends TableName>(
  builder: Builder,
  table: Name,
  columns: readonly (keyof Tables[Name])[],
  conflict: InsertConflict,
): Insert<Name> {
  const compiled = new Map<number, string>()

  function statement(rows: readonly Tables[Name][]): Statement<unknown> {
    const isFull = rows.length === builder.rowsPerInsert
    const sql = compiled.get(rows.length) ?? insertText(builder, { table, columns, conflict, rowCount: rows.length })
    if (isFull) compiled.set(rows.length, sql)
    return { sql, parameters: rows.flatMap((row) => columns.map((column) => storable(row[column]))), use: isFull ? "reused" : "once" }
  }

  return async (session, rows) => {
    const slices = createTimeSlices()
    let chunk: Tables[Name][] = []
    for (const row of rows) {
      chunk.push(row)
      if (chunk.length < builder.rowsPerInsert) continue
      await session.change(statement(chunk))
      chunk = []
      if (slices.isOver()) await slices.next()
    }
    if (chunk.length > 0) await session.change(statement(chunk))
  }
}

type InsertShape = {
  readonly table: TableName
  readonly columns: readonly PropertyKey[]
  readonly conflict: InsertConflict
  readonly rowCount: number
}

function insertText({ kysely }: Builder, { table, columns, conflict, rowCount }: InsertShape): string {
  // Only the text is used, which has one placeholder for each value.
  const row = Object.fromEntries(columns.map((column) => [column, null]))
  const query = kysely.insertInto(table).values(Array.from({ length: rowCount }, () => row))
  return (conflict === "skip" ? query.onConflict((on) => on.doNothing()) : query).compile().sql
}
