// The model providers of a tenant, without their keys.
import type { ModelProviderRow, ModelProviderRows } from "./agent-store.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { ModelProvidersTable } from "./tables.ts"

export function modelProviderQueries({ kysely }: Builder): (session: Session) => ModelProviderRows {
  const all = (tenant: string) => kysely.selectFrom("model_providers").selectAll().where("tenant_id", "=", tenant)

  return (session) => ({
    async get({ tenant }, id) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant).where("provider_id", "=", id)))
      return row ? readProvider(row) : null
    },

    async list({ tenant }, page) {
      await session.lockTenant(tenant)
      const query = all(tenant).where("provider_id", ">", page.after ?? "")
      return (await session.all(compile(query.orderBy("provider_id").limit(page.limit)))).map(readProvider)
    },

    async put({ tenant }, provider) {
      const row = writeProvider(tenant, provider)
      const { tenant_id: _tenant, provider_id: _id, ...changes } = row
      const query = kysely.insertInto("model_providers").values(row)
      await atomicIn(session, tenant, async (transaction) => {
        await transaction.change(
          compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "provider_id"]).doUpdateSet(changes))),
        )
        transaction.bumpRevision()
      })
    },

    async remove({ tenant }, id) {
      const query = kysely.deleteFrom("model_providers").where("tenant_id", "=", tenant).where("provider_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => {
        transaction.bumpRevision()
        return (await transaction.change(compile(query))) === 1
      })
    },
  })
}

const readProvider = (row: ModelProvidersTable): ModelProviderRow => ({
  id: row.provider_id,
  kind: row.kind,
  baseUrl: row.base_url,
  hasKey: row.has_key === 1,
  models: row.models,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const writeProvider = (tenant: string, row: ModelProviderRow): ModelProvidersTable => ({
  tenant_id: tenant,
  provider_id: row.id,
  kind: row.kind,
  base_url: row.baseUrl,
  has_key: row.hasKey ? 1 : 0,
  models: row.models,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
