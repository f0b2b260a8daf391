// Connections: an integration made usable, by the tenant or by one of its users.
import type { ConnectionName, IntegrationSlug, Owner } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import type { ConnectionsTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { ConnectionFilter, ConnectionRow, ConnectionRows } from "../store.ts"
import { connectionSecretRef } from "../store.ts"
import type { ConnectionStart } from "./connection-order.ts"
import { ownerRange, visibleOwners } from "./connection-order.ts"
import { prepareCollect } from "./garbage.ts"
import { ownerOf, ownerUser, sees } from "./owner.ts"

const columns = [
  "c.user_id",
  "c.integration",
  "c.name",
  "c.template",
  "c.placements",
  "c.bound",
  "c.origins",
  "c.status",
  "c.error",
  "c.tool_set_id",
  "c.tools_synced_at",
  "c.changed_tools",
  "c.created_at",
] as const

export function connectionQueries(builder: Builder): (session: Session) => ConnectionRows {
  const { kysely } = builder
  const collect = prepareCollect(builder)
  const find = prepare(["tenant", "user", "integration", "name"], ({ tenant, user, integration, name }) =>
    kysely
      .selectFrom("connections as c")
      .select(columns)
      .where("c.tenant_id", "=", tenant)
      .where("c.user_id", "=", user)
      .where("c.integration", "=", integration)
      .where("c.name", "=", name),
  )

  return (session) => ({
    async list(scope, filter, page) {
      await session.lockTenant(scope.tenant)
      const start: ConnectionStart = page.after === null ? { kind: "beginning" } : { kind: "after", ref: page.after }
      const [first, second] = visibleOwners(scope, filter).map((owner) => ownerPage(scope, filter, owner, start, page.limit))
      if (!first) return []
      const merged = second ? first.unionAll(second) : first
      const rows = await session.all(compile(merged.orderBy("integration").orderBy("user_id").orderBy("name").limit(page.limit)))
      return rows.map(readConnection)
    },

    async get(scope, ref) {
      if (!sees(scope, ref.owner)) return null
      await session.lockTenant(scope.tenant)
      const key = { tenant: scope.tenant, integration: ref.integration, name: ref.connection }
      const [row] = await session.all(find({ ...key, user: ownerUser(scope, ref.owner) }))
      return row ? readConnection(row) : null
    },

    async put(scope, connection) {
      const row = writeConnection(scope, connection)
      const { tenant_id: _tenant, user_id: _user, integration: _integration, name: _name, ...changes } = row
      const query = kysely
        .insertInto("connections")
        .values(row)
        .onConflict((conflict) => conflict.columns(["tenant_id", "user_id", "integration", "name"]).doUpdateSet(changes))
      await atomicIn(session, scope.tenant, async (transaction) => {
        await transaction.change(compile(query))
        transaction.bumpRevision()
      })
    },

    async remove(scope, ref) {
      if (!sees(scope, ref.owner)) return false
      const user = ownerUser(scope, ref.owner)
      const connection = kysely
        .deleteFrom("connections")
        .where("tenant_id", "=", scope.tenant)
        .where("user_id", "=", user)
        .where("integration", "=", ref.integration)
        .where("name", "=", ref.connection)
      const secret = kysely
        .deleteFrom("credentials")
        .where("tenant_id", "=", scope.tenant)
        .where("user_id", "=", user)
        .where("ref", "=", connectionSecretRef(scope, ref))
      return atomicIn(session, scope.tenant, async (transaction) => {
        if ((await transaction.change(compile(connection))) === 0) return false
        await transaction.change(compile(secret))
        await collect(transaction, scope.tenant)
        transaction.bumpRevision()
        return true
      })
    },
  })

  function ownerPage(scope: Scope, filter: ConnectionFilter, owner: Owner, start: ConnectionStart, limit: number) {
    const page = kysely
      .selectFrom("connections as c")
      .select(columns)
      .where(ownerRange(scope, filter, owner, start))
      .orderBy("c.integration")
      .orderBy("c.name")
      .limit(limit)
    // A union takes parts with a limit of their own only as tables.
    return kysely.selectFrom(page.as(owner)).selectAll()
  }
}

const readConnection = (row: Omit<ConnectionsTable, "tenant_id">): ConnectionRow => ({
  integration: row.integration as IntegrationSlug, // written from a checked one by `put` only
  owner: ownerOf(row.user_id),
  name: row.name as ConnectionName, // as above
  template: row.template,
  placements: row.placements,
  bound: row.bound,
  origins: row.origins,
  status: row.status,
  error: row.error,
  toolSetId: row.tool_set_id,
  toolsSyncedAt: row.tools_synced_at,
  changedTools: row.changed_tools,
  createdAt: row.created_at,
})

const writeConnection = (scope: Scope, row: ConnectionRow): ConnectionsTable => ({
  tenant_id: scope.tenant,
  user_id: ownerUser(scope, row.owner),
  integration: row.integration,
  name: row.name,
  template: row.template,
  placements: row.placements,
  bound: row.bound,
  origins: row.origins,
  status: row.status,
  error: row.error,
  tool_set_id: row.toolSetId,
  tools_synced_at: row.toolsSyncedAt,
  changed_tools: row.changedTools,
  created_at: row.createdAt,
})
