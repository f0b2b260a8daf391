// Agent grants: found by the hash of their code or refresh token.
import type { AgentGrantRow, AgentGrantRows } from "../agent-grant-store.ts"
import type { AgentGrantsTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"

export function agentGrantQueries({ kysely }: Builder): (session: Session) => AgentGrantRows {
  const grants = kysely.selectFrom("agent_grants").selectAll()
  const one = ({ tenant, user, id }: AgentGrantRow) =>
    kysely.updateTable("agent_grants").where("tenant_id", "=", tenant).where("user_id", "=", user).where("grant_id", "=", id)
  const ofUser = (tenant: string, user: string) =>
    kysely.deleteFrom("agent_grants").where("tenant_id", "=", tenant).where("user_id", "=", user)
  const read = async (session: Session, query: typeof grants): Promise<AgentGrantRow | null> => {
    const [row] = await session.all(compile(query))
    return row ? readGrant(row) : null
  }

  return (session) => ({
    async put(grant) {
      const over = kysely
        .selectFrom("agent_grants")
        .select("token_id")
        .where("tenant_id", "=", grant.tenant)
        .where("expires_at", "<", grant.createdAt)
        .where("token_id", "is not", null)
      const drop = kysely.deleteFrom("agent_grants").where("tenant_id", "=", grant.tenant).where("expires_at", "<", grant.createdAt)
      await atomicIn(session, grant.tenant, async (transaction) => {
        const ids = (await transaction.all(compile(over))).flatMap(({ token_id }) => token_id ?? [])
        for (const id of ids) await transaction.change(compile(revoke(grant.tenant, id)))
        if (ids.length > 0) transaction.bumpRevision()
        await transaction.change(compile(drop))
        await transaction.change(compile(kysely.insertInto("agent_grants").values(writeGrant(grant))))
      })
    },

    findByCode: (codeHash) => read(session, grants.where("code_hash", "=", codeHash)),
    findBySecret: (secretHash) => read(session, grants.where("secret_hash", "=", secretHash)),
    findByToken: ({ tenant, user }, tokenId) =>
      read(session, grants.where("tenant_id", "=", tenant).where("user_id", "=", user).where("token_id", "=", tokenId)),

    async count({ tenant, user }) {
      const query = kysely
        .selectFrom("agent_grants")
        .select((select) => select.fn.countAll<string | number>().as("count"))
        .where("tenant_id", "=", tenant)
        .where("user_id", "=", user)
      const [row] = await session.all(compile(query))
      return Number(row?.count ?? 0)
    },

    async redeem(grant, { tokenId, secretHash, at, expiresAt }) {
      await session.lockTenant(grant.tenant)
      const query = one(grant)
        .set({ token_id: tokenId, secret_hash: secretHash, rotated_at: at, expires_at: expiresAt })
        .where("token_id", "is", null)
        .where("expires_at", ">", at)
      return (await session.change(compile(query))) === 1
    },

    async rotate(grant, { at, expiresAt }) {
      await session.lockTenant(grant.tenant)
      const query = one(grant)
        .set({ generation: grant.generation + 1, rotated_at: at, expires_at: expiresAt })
        .where("generation", "=", grant.generation)
        .where("expires_at", ">", at)
      return (await session.change(compile(query))) === 1
    },

    async remove({ tenant, user }, id) {
      await session.lockTenant(tenant)
      return (await session.change(compile(ofUser(tenant, user).where("grant_id", "=", id)))) === 1
    },

    async removeAll({ tenant, user }) {
      await session.lockTenant(tenant)
      await session.change(compile(ofUser(tenant, user)))
    },
  })

  /** As `tokens.remove` does. */
  function revoke(tenant: string, id: string) {
    return kysely
      .updateTable("tokens")
      .set({ revoked: 1, hash: `revoked:${tenant}/${id}` })
      .where("tenant_id", "=", tenant)
      .where("token_id", "=", id)
  }
}

const readGrant = (row: AgentGrantsTable): AgentGrantRow => ({
  tenant: row.tenant_id,
  user: row.user_id,
  id: row.grant_id,
  clientId: row.client_id,
  clientName: row.client_name,
  redirectUri: row.redirect_uri,
  resource: row.resource,
  challenge: row.challenge,
  patterns: row.patterns,
  elicitation: row.elicitation,
  codeHash: row.code_hash,
  tokenId: row.token_id,
  secretHash: row.secret_hash,
  rotatedAt: row.rotated_at,
  generation: row.generation,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const writeGrant = (grant: AgentGrantRow): AgentGrantsTable => ({
  tenant_id: grant.tenant,
  user_id: grant.user,
  grant_id: grant.id,
  client_id: grant.clientId,
  client_name: grant.clientName,
  redirect_uri: grant.redirectUri,
  resource: grant.resource,
  challenge: grant.challenge,
  patterns: grant.patterns,
  elicitation: grant.elicitation,
  code_hash: grant.codeHash,
  token_id: grant.tokenId,
  secret_hash: grant.secretHash,
  rotated_at: grant.rotatedAt,
  generation: grant.generation,
  created_at: grant.createdAt,
  expires_at: grant.expiresAt,
})
