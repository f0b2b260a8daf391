// The notifications of a tenant, without their addresses.
import type { NotificationRow, NotificationRows } from "./notification-store.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { NotificationsTable } from "./tables.ts"

export function notificationQueries({ kysely }: Builder): (session: Session) => NotificationRows {
  const all = (tenant: string) => kysely.selectFrom("notifications").selectAll().where("tenant_id", "=", tenant)

  return (session) => ({
    async get({ tenant }, id) {
      await session.lockTenant(tenant)
      const [row] = await session.all(compile(all(tenant).where("notification_id", "=", id)))
      return row ? readNotification(row) : null
    },

    async list({ tenant }, page) {
      await session.lockTenant(tenant)
      const query = all(tenant).where("notification_id", ">", page.after ?? "")
      return (await session.all(compile(query.orderBy("notification_id").limit(page.limit)))).map(readNotification)
    },

    async put({ tenant }, notification) {
      const row = writeNotification(tenant, notification)
      const { tenant_id: _tenant, notification_id: _id, ...changes } = row
      const query = kysely.insertInto("notifications").values(row)
      await atomicIn(session, tenant, async (transaction) => {
        await transaction.change(
          compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "notification_id"]).doUpdateSet(changes))),
        )
      })
    },

    async remove({ tenant }, id) {
      const query = kysely.deleteFrom("notifications").where("tenant_id", "=", tenant).where("notification_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => (await transaction.change(compile(query))) === 1)
    },
  })
}

const readNotification = (row: NotificationsTable): NotificationRow => ({
  id: row.notification_id,
  name: row.name,
  kind: row.kind,
  host: row.host,
  patterns: row.patterns,
  includeArguments: row.include_arguments === 1,
  enabled: row.enabled === 1,
  enabledAt: row.enabled_at,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const writeNotification = (tenant: string, row: NotificationRow): NotificationsTable => ({
  tenant_id: tenant,
  notification_id: row.id,
  name: row.name,
  kind: row.kind,
  host: row.host,
  patterns: row.patterns,
  include_arguments: row.includeArguments ? 1 : 0,
  enabled: row.enabled ? 1 : 0,
  enabled_at: row.enabledAt,
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
