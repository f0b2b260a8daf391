// Session values: what code keeps between executions, up to a size for each session.
import { sql } from "kysely"
import type { SessionValueRows } from "../session-value-rows.ts"
import type { Builder, Statement } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"

/** What a row takes besides its name and value. */
const rowBytes = 200

export function valueQueries({ kysely, dialect }: Builder, backend: ExecutionBackend): SessionValueRows {
  const find = prepare(["tenant", "session", "name", "now"], ({ tenant, session, name, now }) =>
    kysely
      .selectFrom("session_values")
      .select("value")
      .where("tenant_id", "=", tenant)
      .where("session", "=", session)
      .where("name", "=", name)
      .where("expires_at", ">", now),
  )

  return {
    async get(key, now) {
      const [row] = await backend.all(find({ ...key, now }), "none")
      return row?.value ?? null
    },

    async put(key, value, expiresAt, { bytesMax, principal, principalBytesMax }) {
      const { tenant, session, name } = key
      const bytes = Buffer.byteLength(name) + Buffer.byteLength(value)
      const others = kysely
        .selectFrom("session_values")
        .select(sql<number | string>`coalesce(sum(case when session = ${session} then bytes else 0 end), 0)`.as("bytes"))
        .select(sql<number | string>`coalesce(sum(bytes + ${rowBytes}), 0)`.as("all_bytes"))
        .where("tenant_id", "=", tenant)
        // The character after the slash ends what begins with it.
        .where(({ eb, and, or }) =>
          or([eb("session", "=", principal), and([eb("session", ">=", `${principal}/`), eb("session", "<", `${principal}0`)])]),
        )
        .where(({ eb, or }) => or([eb("session", "<>", session), eb("name", "<>", name)]))
      const put = kysely
        .with("others", () => others)
        .insertInto("session_values")
        .columns(["tenant_id", "session", "name", "bytes", "expires_at", "value"])
        .expression((from) =>
          from
            .selectFrom("others")
            .select(({ val, cast }) => [
              cast<string>(val(tenant), "text").as("tenant_id"),
              cast<string>(val(session), "text").as("session"),
              cast<string>(val(name), "text").as("name"),
              cast<number>(val(bytes), "integer").as("bytes"),
              cast<string>(val(expiresAt), "text").as("expires_at"),
              cast<string>(val(value), "text").as("value"),
            ])
            .where("others.bytes", "<=", bytesMax - bytes)
            .where("others.all_bytes", "<=", principalBytesMax - bytes - rowBytes),
        )
        .onConflict((conflict) =>
          conflict.columns(["tenant_id", "session", "name"]).doUpdateSet((set) => ({
            bytes: set.ref("excluded.bytes"),
            expires_at: set.ref("excluded.expires_at"),
            value: set.ref("excluded.value"),
          })),
        )
        .returning("name")
      const results = await backend.batch([...alone(tenant, principal), compile(put)])
      if (results.at(-1)?.length === 1) return "kept"
      // PostgreSQL answers its large integers as text.
      const [counted] = await backend.all(compile(others), "none")
      return Number(counted?.bytes ?? 0) + bytes > bytesMax ? "session_full" : "principal_full"
    },

    async deleteExpired(now) {
      await backend.batch([compile(kysely.deleteFrom("session_values").where("expires_at", "<=", now))])
    },
  }

  /** Of two puts of one principal the second counts what the first one put; SQLite has one writer anyway. */
  function alone(tenant: string, principal: string): Statement<unknown>[] {
    if (dialect === "sqlite") return []
    return [
      {
        sql: "select pg_advisory_xact_lock(hashtextextended($1, $2))",
        parameters: [JSON.stringify([tenant, principal]), 0],
        use: "reused",
      },
    ]
  }
}
