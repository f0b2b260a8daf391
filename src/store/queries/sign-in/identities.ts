// Who somebody is at an issuer.
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { IdentityRows } from "../../sign-in-store.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"

export function identityQueries({ kysely }: Builder): (session: Session) => IdentityRows {
  return (session) => ({
    async get(tenant, issuer, subject) {
      await session.lockTenant(tenant)
      const query = kysely.selectFrom("identities").selectAll().where("tenant_id", "=", tenant)
      const [row] = await session.all(compile(query.where("issuer", "=", issuer).where("subject", "=", subject)))
      return row ? { tenant, issuer, subject, user: row.user_id, createdAt: row.created_at } : null
    },

    async add({ tenant, issuer, subject, user, createdAt }) {
      const row = { tenant_id: tenant, issuer, subject, user_id: user, created_at: createdAt, last_sign_in: null }
      await atomicIn(session, tenant, async (transaction) => {
        await transaction.change(compile(kysely.insertInto("identities").values(row)))
      })
    },

    async signedIn({ tenant, issuer, subject }, record) {
      const query = kysely.updateTable("identities").set({ last_sign_in: record }).where("tenant_id", "=", tenant)
      await session.change(compile(query.where("issuer", "=", issuer).where("subject", "=", subject)))
    },

    async signIns({ tenant, user }) {
      const query = kysely.selectFrom("identities").select("last_sign_in").where("tenant_id", "=", tenant).where("user_id", "=", user)
      const rows = await session.all(compile(query.orderBy("issuer").orderBy("subject")))
      return rows.flatMap(({ last_sign_in: record }) => (record === null ? [] : [record]))
    },
  })
}
