// The plain text filter of lists: a substring, whatever its case.
import { sql } from "kysely"
import type { Expression, SqlBool } from "kysely"
import type { Builder } from "../statement.ts"

/** Both functions look for the text itself, so that `%` and `_` have no meaning. Null where there is nothing to look for. */
export function searchCondition({ dialect }: Builder, query: string | undefined): Expression<SqlBool> | null {
  if (query === undefined || query === "") return null
  const text = query.toLowerCase()
  return dialect === "sqlite" ? sql<SqlBool>`instr(t.search_text, ${text}) > 0` : sql<SqlBool>`strpos(t.search_text, ${text}) > 0`
}
