// The sign-in providers of a tenant.
import type { SignInProvidersTable } from "./tables.ts"
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { SignInProviderRow, SignInProviderRows } from "../../sign-in-store.ts"
import { signInProviderSecretRef } from "../../sign-in-store.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"
import { orgUser } from "../owner.ts"

export function signInProviderQueries({ kysely }: Builder): (session: Session) => SignInProviderRows {
  const ofTenant = (tenant: string) => kysely.selectFrom("sign_in_providers").selectAll().where("tenant_id", "=", tenant)

  return (session) => ({
    async list(tenant) {
      await session.lockTenant(tenant)
      return (await session.all(compile(ofTenant(tenant).orderBy("provider_id")))).map(readProvider)
    },

    async get(tenant, id) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(ofTenant(tenant).where("provider_id", "=", id)))
      return row ? readProvider(row) : null
    },

    async put(provider) {
      await session.lockTenant(provider.tenant)
      const row = writeProvider(provider)
      const { tenant_id: _tenant, provider_id: _id, created_at: _created, ...changes } = row
      const query = kysely.insertInto("sign_in_providers").values(row)
      await session.change(compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "provider_id"]).doUpdateSet(changes))))
    },

    async remove(tenant, id) {
      const provider = kysely.deleteFrom("sign_in_providers").where("tenant_id", "=", tenant).where("provider_id", "=", id)
      const secret = kysely
        .deleteFrom("credentials")
        .where("tenant_id", "=", tenant)
        .where("user_id", "=", orgUser)
        .where("ref", "=", signInProviderSecretRef(id))
      return atomicIn(session, tenant, async (transaction) => {
        if ((await transaction.change(compile(provider))) === 0) return false
        await transaction.change(compile(secret))
        return true
      })
    },
  })
}

const readProvider = (row: SignInProvidersTable): SignInProviderRow => ({
  tenant: row.tenant_id,
  id: row.provider_id,
  name: row.name,
  issuer: row.issuer,
  clientId: row.client_id,
  scopes: row.scopes,
  claim: row.claim,
  rules: row.rules,
  defaultRole: row.default_role,
  allow: row.allow,
  createdAt: row.created_at,
})

const writeProvider = (row: SignInProviderRow): SignInProvidersTable => ({
  tenant_id: row.tenant,
  provider_id: row.id,
  name: row.name,
  issuer: row.issuer,
  client_id: row.clientId,
  scopes: row.scopes,
  claim: row.claim,
  rules: row.rules,
  default_role: row.defaultRole,
  allow: row.allow,
  created_at: row.createdAt,
})
