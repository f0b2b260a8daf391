// OAuth clients: how a tenant is registered at providers.
import type { OauthClientsTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { OauthClientRow, OauthClientRows } from "../oauth-store.ts"
import { oauthClientSecretRef } from "../oauth-store.ts"
import { orgUser } from "./owner.ts"

export function oauthClientQueries({ kysely }: Builder): (session: Session) => OauthClientRows {
  return (session) => ({
    async list(scope, page) {
      await session.lockTenant(scope.tenant)
      let query = kysely.selectFrom("oauth_clients").selectAll().where("tenant_id", "=", scope.tenant)
      if (page.after !== null) query = query.where("oauth_client_id", ">", page.after)
      const rows = await session.all(compile(query.orderBy("oauth_client_id").limit(page.limit)))
      return rows.map(readClient)
    },

    async get(scope, id) {
      await session.lockTenant(scope.tenant)
      const query = kysely.selectFrom("oauth_clients").selectAll().where("tenant_id", "=", scope.tenant)
      const [row] = await session.all(compile(query.where("oauth_client_id", "=", id)))
      return row ? readClient(row) : null
    },

    async put(scope, client) {
      await session.lockTenant(scope.tenant)
      const row = writeClient(scope.tenant, client)
      const { tenant_id: _tenant, oauth_client_id: _id, ...changes } = row
      const query = kysely.insertInto("oauth_clients").values(row)
      await session.change(compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "oauth_client_id"]).doUpdateSet(changes))))
    },

    async remove(scope, id) {
      const client = kysely.deleteFrom("oauth_clients").where("tenant_id", "=", scope.tenant).where("oauth_client_id", "=", id)
      const secret = kysely
        .deleteFrom("credentials")
        .where("tenant_id", "=", scope.tenant)
        .where("user_id", "=", orgUser)
        .where("ref", "=", oauthClientSecretRef(id))
      return atomicIn(session, scope.tenant, async (transaction) => {
        if ((await transaction.change(compile(client))) === 0) return false
        await transaction.change(compile(secret))
        return true
      })
    },
  })
}

const readClient = (row: OauthClientsTable): OauthClientRow => ({
  id: row.oauth_client_id,
  kind: row.kind,
  name: row.name,
  clientId: row.client_id,
  authMethod: row.auth_method,
  server: row.server,
  integration: row.integration,
  redirectUri: row.redirect_uri,
  authorizationParams: row.authorization_params,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

const writeClient = (tenant: string, client: OauthClientRow): OauthClientsTable => ({
  tenant_id: tenant,
  oauth_client_id: client.id,
  kind: client.kind,
  name: client.name,
  client_id: client.clientId,
  auth_method: client.authMethod,
  server: client.server,
  integration: client.integration,
  redirect_uri: client.redirectUri,
  authorization_params: client.authorizationParams,
  created_at: client.createdAt,
  expires_at: client.expiresAt,
})
