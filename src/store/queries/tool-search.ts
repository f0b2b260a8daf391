// The plain text filter of lists: a substring, whatever its case.
import { sql } from "kysely"
import type { Expression, SqlBool } from "kysely"
import type { Builder } from "../statement.ts"

/** Both functions look for the text itself, so that `%` and `_` have no meaning. Null where there is nothing to look for. */
export function textCondition({ dialect }: Builder, column: string, query: string | undefined): Expression<SqlBool> | null {
  if (query === undefined || query === "") return null
  const [text, place] = [query.toLowerCase(), sql.ref(column)]
  return dialect === "sqlite" ? sql<SqlBool>`instr(${place}, ${text}) > 0` : sql<SqlBool>`strpos(${place}, ${text}) > 0`
}

export const searchCondition = (builder: Builder, query: string | undefined): Expression<SqlBool> | null =>
  textCondition(builder, "t.search_text", query)
