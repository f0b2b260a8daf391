// OAuth grants: where a connection's tokens come from, and which node currently renews them.
import type { ConnectionName, ConnectionRef, IntegrationSlug } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import type { OauthGrantsTable } from "../schema.ts"
import type { Session } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { OauthGrantRow, OauthGrantRows } from "../oauth-store.ts"
import { ownerOf, ownerUser, sees } from "./owner.ts"

export function oauthGrantQueries({ kysely }: Builder): (session: Session) => OauthGrantRows {
  // Every call over such a connection asks this.
  const find = prepare(["tenant", "user", "integration", "name"], ({ tenant, user, integration, name }) =>
    kysely
      .selectFrom("oauth_grants")
      .selectAll()
      .where("tenant_id", "=", tenant)
      .where("user_id", "=", user)
      .where("integration", "=", integration)
      .where("name", "=", name),
  )

  return (session) => ({
    async get(scope, ref) {
      if (!sees(scope, ref.owner)) return null
      await session.lockTenant(scope.tenant)
      const [row] = await session.all(find(keyOf(scope, ref)))
      return row ? readGrant(row) : null
    },

    async put(scope, ref, grant) {
      await session.lockTenant(scope.tenant)
      const key = keyOf(scope, ref)
      const dropped = kysely
        .deleteFrom("oauth_grants")
        .where("tenant_id", "=", key.tenant)
        .where("user_id", "=", key.user)
        .where("integration", "=", key.integration)
        .where("name", "=", key.name)
      if (grant === null) return void (await session.change(compile(dropped)))
      const row = writeGrant(scope, grant)
      const { tenant_id: _tenant, user_id: _user, integration: _integration, name: _name, ...changes } = row
      const query = kysely.insertInto("oauth_grants").values(row)
      await session.change(
        compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "user_id", "integration", "name"]).doUpdateSet(changes))),
      )
    },

    async claim(scope, ref, claim) {
      if (!sees(scope, ref.owner)) return false
      await session.lockTenant(scope.tenant)
      const key = keyOf(scope, ref)
      const query = kysely
        .updateTable("oauth_grants")
        .set({ lease_owner: claim.owner, lease_until: claim.until })
        .where("tenant_id", "=", key.tenant)
        .where("user_id", "=", key.user)
        .where("integration", "=", key.integration)
        .where("name", "=", key.name)
        .where("version", "=", claim.version)
        .where((where) => where.or([where("lease_until", "is", null), where("lease_until", "<", claim.now)]))
      return (await session.change(compile(query))) === 1
    },
  })
}

const keyOf = (scope: Scope, ref: ConnectionRef) => ({
  tenant: scope.tenant,
  user: ownerUser(scope, ref.owner),
  integration: ref.integration,
  name: ref.connection,
})

const readGrant = (row: OauthGrantsTable): OauthGrantRow => ({
  integration: row.integration as IntegrationSlug, // written from a checked one by `put` only
  owner: ownerOf(row.user_id),
  connection: row.name as ConnectionName, // as above
  grantType: row.grant_type,
  oauthClientId: row.oauth_client_id,
  server: row.server,
  scopes: row.scopes,
  grantedScopes: row.granted_scopes,
  resource: row.resource,
  grantedBy: row.granted_by,
  version: row.version,
  renewable: row.renewable === 1,
  issuedAt: row.issued_at,
  renewAt: row.renew_at,
  expiresAt: row.expires_at,
  lapsedAt: row.lapsed_at,
  lapsedReason: row.lapsed_reason,
  leaseOwner: row.lease_owner,
  leaseUntil: row.lease_until,
})

const writeGrant = (scope: Scope, grant: OauthGrantRow): OauthGrantsTable => ({
  tenant_id: scope.tenant,
  user_id: ownerUser(scope, grant.owner),
  integration: grant.integration,
  name: grant.connection,
  grant_type: grant.grantType,
  oauth_client_id: grant.oauthClientId,
  server: grant.server,
  scopes: grant.scopes,
  granted_scopes: grant.grantedScopes,
  resource: grant.resource,
  granted_by: grant.grantedBy,
  version: grant.version,
  renewable: grant.renewable ? 1 : 0,
  issued_at: grant.issuedAt,
  renew_at: grant.renewAt,
  expires_at: grant.expiresAt,
  lapsed_at: grant.lapsedAt,
  lapsed_reason: grant.lapsedReason,
  connect_key: newId("key"),
  lease_owner: grant.leaseOwner,
  lease_until: grant.leaseUntil,
})
