// Browser sessions and sign-in codes: found by the hash of their secret, dropped once they are over.
import type { Selectable } from "kysely"
import type { BrowserSessionsTable } from "./tables.ts"
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { Builder } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { BrowserSessionRow, BrowserSessionRows } from "../../session-store.ts"

const columns = [
  "tenant_id",
  "session_id",
  "user_id",
  "kind",
  "hash",
  "key_hash",
  "created_at",
  "expires_at",
  "last_seen_at",
  "method",
  "address",
  "user_agent",
] as const

export function browserSessionQueries({ kysely }: Builder): (session: Session) => BrowserSessionRows {
  const findStatement = prepare(["hash", "kind"], ({ hash, kind }) =>
    kysely
      .selectFrom("browser_sessions")
      .select(columns)
      .where("hash", "=", hash)
      // A slot stands for a text that only this file passes in.
      .where("kind", "=", kind as BrowserSessionRow["kind"]),
  )

  return (session) => ({
    async find(kind, hash) {
      const [row] = await session.all(findStatement({ hash, kind }))
      return row ? readSession(row) : null
    },

    async put(row) {
      const stale = kysely.deleteFrom("browser_sessions").where("tenant_id", "=", row.tenant).where("expires_at", "<", row.createdAt)
      await atomicIn(session, row.tenant, async (transaction) => {
        await transaction.change(compile(stale))
        await transaction.change(compile(kysely.insertInto("browser_sessions").values(writeSession(row))))
      })
    },

    async take(kind, hash) {
      const [found] = await session.all(findStatement({ hash, kind }))
      if (found === undefined) return null
      const query = kysely
        .deleteFrom("browser_sessions")
        .where("tenant_id", "=", found.tenant_id)
        .where("session_id", "=", found.session_id)
      return atomicIn(session, found.tenant_id, async (transaction) =>
        (await transaction.change(compile(query))) === 1 ? readSession(found) : null,
      )
    },

    async list({ tenant, user }, page) {
      let query = kysely.selectFrom("browser_sessions").select(columns).where("tenant_id", "=", tenant).where("kind", "=", "session")
      if (user !== null) query = query.where("user_id", "=", user)
      if (page.after !== null) query = query.where("session_id", ">", page.after)
      return (await session.all(compile(query.orderBy("session_id").limit(page.limit)))).map(readSession)
    },

    async remove({ tenant, user }, id) {
      let query = kysely.deleteFrom("browser_sessions").where("tenant_id", "=", tenant).where("session_id", "=", id)
      if (user !== null) query = query.where("user_id", "=", user)
      return (await session.change(compile(query.where("kind", "=", "session")))) === 1
    },

    async removeAll({ tenant, user }) {
      await session.change(compile(kysely.deleteFrom("browser_sessions").where("tenant_id", "=", tenant).where("user_id", "=", user)))
    },

    async seen(row, at) {
      const query = kysely.updateTable("browser_sessions").set({ last_seen_at: at })
      await session.change(compile(query.where("tenant_id", "=", row.tenant).where("session_id", "=", row.id)))
    },
  })
}

const readSession = (row: Selectable<BrowserSessionsTable>): BrowserSessionRow => ({
  tenant: row.tenant_id,
  user: row.user_id,
  id: row.session_id,
  kind: row.kind,
  hash: row.hash,
  keyHash: row.key_hash,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastSeenAt: row.last_seen_at,
  method: row.method,
  address: row.address,
  userAgent: row.user_agent,
})

const writeSession = (row: BrowserSessionRow): BrowserSessionsTable => ({
  tenant_id: row.tenant,
  session_id: row.id,
  user_id: row.user,
  kind: row.kind,
  hash: row.hash,
  key_hash: row.keyHash,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  last_seen_at: row.lastSeenAt,
  method: row.method,
  address: row.address,
  user_agent: row.userAgent,
})
