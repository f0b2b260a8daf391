// Invitations: found by the hash of their secret, accepted once.
import type { InvitationsTable } from "./tables.ts"
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { InvitationRow, InvitationRows } from "../../session-store.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"

export function invitationQueries({ kysely }: Builder): (session: Session) => InvitationRows {
  const all = kysely.selectFrom("invitations").selectAll()

  return (session) => ({
    async findByHash(hash) {
      const [row] = await session.all(compile(all.where("hash", "=", hash)))
      return row ? readInvitation(row) : null
    },

    async get(tenant, id) {
      const [row] = await session.all(compile(all.where("tenant_id", "=", tenant).where("invitation_id", "=", id)))
      return row ? readInvitation(row) : null
    },

    async list(tenant, page) {
      await session.lockTenant(tenant)
      let query = all.where("tenant_id", "=", tenant).where("accepted_at", "is", null)
      if (page.after !== null) query = query.where("invitation_id", ">", page.after)
      return (await session.all(compile(query.orderBy("invitation_id").limit(page.limit)))).map(readInvitation)
    },

    async put(row) {
      const query = kysely.insertInto("invitations").values(writeInvitation(row))
      await atomicIn(session, row.tenant, async (transaction) => void (await transaction.change(compile(query))))
    },

    async accept(tenant, id, { user, at }) {
      const query = kysely
        .updateTable("invitations")
        .set({ accepted_at: at, user_id: user })
        .where("tenant_id", "=", tenant)
        .where("invitation_id", "=", id)
      return atomicIn(
        session,
        tenant,
        async (transaction) => (await transaction.change(compile(query.where("accepted_at", "is", null)))) === 1,
      )
    },

    async remove(tenant, id) {
      const query = kysely.deleteFrom("invitations").where("tenant_id", "=", tenant).where("invitation_id", "=", id)
      return atomicIn(
        session,
        tenant,
        async (transaction) => (await transaction.change(compile(query.where("accepted_at", "is", null)))) === 1,
      )
    },

    async dropExpired(tenant, before) {
      const query = kysely.deleteFrom("invitations").where("tenant_id", "=", tenant).where("expires_at", "<", before)
      await atomicIn(session, tenant, async (transaction) => void (await transaction.change(compile(query))))
    },
  })
}

const readInvitation = (row: InvitationsTable): InvitationRow => ({
  tenant: row.tenant_id,
  id: row.invitation_id,
  hash: row.hash,
  user: row.user_id,
  email: row.email,
  roles: JSON.parse(row.roles) as string[], // written by this folder alone
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  acceptedAt: row.accepted_at,
})

const writeInvitation = (row: InvitationRow): InvitationsTable => ({
  tenant_id: row.tenant,
  invitation_id: row.id,
  hash: row.hash,
  user_id: row.user,
  email: row.email,
  roles: JSON.stringify(row.roles),
  invited_by: row.invitedBy,
  created_at: row.createdAt,
  expires_at: row.expiresAt,
  accepted_at: row.acceptedAt,
})
