// Integrations: the entries of a tenant's catalog.
import type { IntegrationSlug } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import { integrationRenameQueries } from "../integration-rename/queries.ts"
import type { IntegrationsTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { IntegrationRow, IntegrationRows } from "../store.ts"
import { integrationSecretRef } from "../store.ts"
import { prepareCollect } from "./garbage.ts"

const columns = [
  "slug",
  "kind",
  "name",
  "description",
  "config",
  "config_revised_at",
  "document_hash",
  "tool_set_id",
  "tool_set_synced_at",
  "facts",
  "created_at",
] as const

export function integrationQueries(builder: Builder): (session: Session) => IntegrationRows {
  const { kysely } = builder
  const collect = prepareCollect(builder)
  const renames = integrationRenameQueries(builder)
  const find = prepare(["tenant", "slug"], ({ tenant, slug }) =>
    kysely.selectFrom("integrations").select(columns).where("tenant_id", "=", tenant).where("slug", "=", slug),
  )

  return (session) => ({
    ...renames(session),

    async list(scope, page) {
      await session.lockTenant(scope.tenant)
      let query = kysely.selectFrom("integrations").select(columns).where("tenant_id", "=", scope.tenant)
      if (page.after !== null) query = query.where("slug", ">", page.after)
      const rows = await session.all(compile(query.orderBy("slug").limit(page.limit)))
      return rows.map(readIntegration)
    },

    async get(scope, slug) {
      await session.lockTenant(scope.tenant)
      const [row] = await session.all(find({ tenant: scope.tenant, slug }))
      return row ? readIntegration(row) : null
    },

    async put(scope, integration) {
      const row = writeIntegration(scope, integration)
      const { tenant_id: _tenant, slug: _slug, ...changes } = row
      const query = kysely.insertInto("integrations").values(row)
      await atomicIn(session, scope.tenant, async (transaction) => {
        await transaction.change(compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "slug"]).doUpdateSet(changes))))
        transaction.bumpRevision()
      })
    },

    async remove(scope, slug) {
      const integration = kysely.deleteFrom("integrations").where("tenant_id", "=", scope.tenant).where("slug", "=", slug)
      return atomicIn(session, scope.tenant, async (transaction) => {
        if ((await transaction.change(compile(integration))) === 0) return false
        await transaction.change(compile(secretsOf(scope, slug)))
        await collect(transaction, scope.tenant)
        transaction.bumpRevision()
        return true
      })
    },
  })

  /** Of every owner: the connections that used them went with the integration. */
  function secretsOf(scope: Scope, slug: string) {
    // ';' is the character after ':', so that the range holds the references that begin with the text.
    const isConnectionSecret = { from: `connection:${slug}:`, before: `connection:${slug};` }
    return kysely
      .deleteFrom("credentials")
      .where("tenant_id", "=", scope.tenant)
      .where((where) =>
        where.or([
          where("ref", "=", integrationSecretRef(slug)),
          where.and([where("ref", ">=", isConnectionSecret.from), where("ref", "<", isConnectionSecret.before)]),
        ]),
      )
  }
}

const readIntegration = (row: Omit<IntegrationsTable, "tenant_id">): IntegrationRow => ({
  slug: row.slug as IntegrationSlug, // written from a checked one by `put` only
  kind: row.kind,
  name: row.name,
  description: row.description,
  config: row.config,
  configRevisedAt: row.config_revised_at,
  documentHash: row.document_hash,
  toolSetId: row.tool_set_id,
  toolSetSyncedAt: row.tool_set_synced_at,
  facts: row.facts,
  createdAt: row.created_at,
})

const writeIntegration = (scope: Scope, row: IntegrationRow): IntegrationsTable => ({
  tenant_id: scope.tenant,
  slug: row.slug,
  kind: row.kind,
  name: row.name,
  description: row.description,
  config: row.config,
  config_revised_at: row.configRevisedAt,
  document_hash: row.documentHash,
  tool_set_id: row.toolSetId,
  tool_set_synced_at: row.toolSetSyncedAt,
  facts: row.facts,
  created_at: row.createdAt,
})
