// The credentials of a tenant, without their values.
import type { TenantCredentialRow, TenantCredentialRows } from "../../registry-store.ts"
import type { TenantCredentialsTable } from "./tables.ts"
import type { Session } from "../../session.ts"
import { atomicIn } from "../../session.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"

export function tenantCredentialQueries({ kysely }: Builder): (session: Session) => TenantCredentialRows {
  const all = (tenant: string) => kysely.selectFrom("tenant_credentials").selectAll().where("tenant_id", "=", tenant)

  return (session) => ({
    async get({ tenant }, id) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant).where("credential_id", "=", id)))
      return row ? readCredential(row) : null
    },

    async find({ tenant }, { category, providerKey, providerVariant }) {
      await session.lockTenant(tenant)
      const query = all(tenant).where("category", "=", category).where("provider_key", "=", providerKey)
      const wanted = providerVariant === null ? query : query.where("provider_variant", "=", providerVariant)
      const [row] = await session.all(compile(wanted.orderBy("created_at").orderBy("credential_id").limit(1)))
      return row ? readCredential(row) : null
    },

    async list({ tenant }, page) {
      await session.lockTenant(tenant)
      const query = all(tenant).where("credential_id", ">", page.after ?? "")
      return (await session.all(compile(query.orderBy("credential_id").limit(page.limit)))).map(readCredential)
    },

    async put({ tenant }, credential) {
      const row = writeCredential(tenant, credential)
      const { tenant_id: _tenant, credential_id: _id, ...changes } = row
      const query = kysely.insertInto("tenant_credentials").values(row)
      await atomicIn(session, tenant, async (transaction) => {
        await transaction.change(
          compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "credential_id"]).doUpdateSet(changes))),
        )
      })
    },

    async remove({ tenant }, id) {
      const query = kysely.deleteFrom("tenant_credentials").where("tenant_id", "=", tenant).where("credential_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => (await transaction.change(compile(query))) === 1)
    },
  })
}

const readCredential = (row: TenantCredentialsTable): TenantCredentialRow => ({
  id: row.credential_id,
  category: row.category,
  providerKey: row.provider_key,
  providerVariant: row.provider_variant,
  label: row.label,
  valueNames: row.value_names,
  endpoint: row.endpoint,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const writeCredential = (tenant: string, row: TenantCredentialRow): TenantCredentialsTable => ({
  tenant_id: tenant,
  credential_id: row.id,
  category: row.category,
  provider_key: row.providerKey,
  provider_variant: row.providerVariant,
  label: row.label,
  value_names: row.valueNames,
  endpoint: row.endpoint,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
