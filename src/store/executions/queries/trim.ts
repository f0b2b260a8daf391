// Keeps what one principal has stored within a size: its oldest ended executions are forgotten first.
//
// What runs or waits is counted first and never forgotten. Of what has ended, the newest stay for as long as there is
// room beside it. Sizes are read from the rows' headers, never by reading long values, a few executions at a time,
// because SQLite is read on the server's thread.
import { sql } from "kysely"
import type { RawBuilder } from "kysely"
import { createTimeSlices } from "../../../io/time-slices.ts"
import type { ExecutionRows } from "../../execution-store.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"

type Owner = Parameters<ExecutionRows["trim"]>[0]
type Which = "ended" | "unended"
type Sized = { readonly id: string; readonly bytes: number }
type SizeRow = {
  id: string
  own: number
  calls: number | string
  events: number | string
  asked: number | string
  below: number | string
}

const executionsPerPage = 20
/** What a row takes besides its long values: keys, names, indexes. */
const rowBytes = 500
const eventBytes = 60

export function trimQueries(
  { kysely, dialect }: Builder,
  backend: ExecutionBackend,
  deleteEnded: (tenant: string, ids: readonly string[]) => Promise<void>,
): ExecutionRows["trim"] {
  return async (who, bytesMax) => {
    let unendedBytes = 0
    for await (const page of pages(who, "unended")) for (const { bytes } of page) unendedBytes += bytes
    let keptBytes = unendedBytes
    let isFull = false
    for await (const page of pages(who, "ended")) {
      const old: string[] = []
      for (const { id, bytes } of page) {
        isFull ||= keptBytes + bytes > bytesMax
        if (isFull) old.push(id)
        else keptBytes += bytes
      }
      await deleteEnded(who.tenant, old)
    }
    return { unendedBytes }
  }

  /** Newest first. */
  async function* pages(who: Owner, which: Which): AsyncGenerator<readonly Sized[]> {
    const slices = createTimeSlices()
    for (let before: string | null = null; ;) {
      const rows: SizeRow[] = await backend.all(compile(sizes(who, which, before)), "none")
      const last = rows.at(-1)
      if (last === undefined) return
      // PostgreSQL answers its large integers as text.
      yield rows.map(({ id, own, calls, events, asked, below }) => ({
        id,
        bytes: own + [calls, events, asked, below].reduce<number>((sum, bytes) => sum + Number(bytes), 0),
      }))
      if (rows.length < executionsPerPage) return
      before = last.id
      if (slices.isOver()) await slices.next()
    }
  }

  function sizes(who: Owner, which: Which, before: string | null) {
    let query = kysely
      .selectFrom("executions as e")
      .select("e.execution_id as id")
      .select(sql<number>`${rowBytesOf("e")}`.as("own"))
      .select(ofExecution("calls", sql`sum(${rowBytes} + ${size("o.args")} + ${size("o.answer")})`).as("calls"))
      .select(ofExecution("events", sql`(max(o.position) + 1) * ${eventBytes}`).as("events"))
      .select(ofExecution("approvals", sql`sum(${rowBytes} + ${size("o.args")} + ${size("o.context")} + ${size("o.content")})`).as("asked"))
      // What agents that it called ran is kept and forgotten with it.
      .select(ofExecution("executions", sql`sum(${rowBytesOf("o")})`, "root_id").as("below"))
      .where("e.tenant_id", "=", who.tenant)
      .where("e.root_id", "is", null)
      .where("e.user_id", "=", who.user)
      .where("e.token_id", who.tokenId === null ? "is" : "=", who.tokenId)
    query = which === "ended" ? query.where("e.ended_at", "is not", null) : query.where("e.status", "in", ["running", "paused"])
    if (before !== null) query = query.where("e.execution_id", "<", before)
    return query.orderBy("e.execution_id", "desc").limit(executionsPerPage)
  }

  function rowBytesOf(table: "e" | "o") {
    return sql`${rowBytes} + ${size(`${table}.code`)} + ${size(`${table}.result`)} + ${size(`${table}.logs`)} + ${size(`${table}.emitted`)}`
  }

  /** As stored: both functions know it without reading the value. */
  function size(column: string) {
    const value = sql.ref(column)
    return dialect === "sqlite" ? sql`coalesce(octet_length(${value}), 0)` : sql`coalesce(pg_column_size(${value}), 0)`
  }
}

const ofExecution = (
  table: "calls" | "events" | "approvals" | "executions",
  bytes: RawBuilder<unknown>,
  column: "execution_id" | "root_id" = "execution_id",
) =>
  sql<
    number | string
  >`(select coalesce(${bytes}, 0) from ${sql.table(table)} as o where o.tenant_id = e.tenant_id and ${sql.ref(`o.${column}`)} = e.execution_id)`
