// Browser sessions and sign-in codes: found by the hash of their secret, dropped once they are over.
import type { Selectable } from "kysely"
import type { BrowserSessionsTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { BrowserSessionRow, BrowserSessionRows } from "../store.ts"

const columns = ["tenant_id", "session_id", "user_id", "kind", "hash", "key_hash", "created_at", "expires_at"] as const

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
})
