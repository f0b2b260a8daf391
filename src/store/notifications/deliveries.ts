// What is told by notifications: found beside the approvals that wait, and claimed by one node at a time.
import { sql } from "kysely"
import type { DeliveryRow, DeliveryRows } from "./notification-store.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { DeliveriesTable } from "./tables.ts"

const candidatesMax = 20

export function deliveryQueries({ kysely }: Builder): (session: Session) => DeliveryRows {
  const change = (tenant: string, id: string) =>
    kysely.updateTable("deliveries").where("tenant_id", "=", tenant).where("delivery_id", "=", id)
  const free = { lease_owner: null, lease_until: null }

  return (session) => ({
    async findUntold(now, limit) {
      const query = kysely
        .selectFrom("notifications as n")
        .innerJoin("approvals as a", (join) => join.onRef("a.tenant_id", "=", "n.tenant_id").onRef("a.created_at", ">=", "n.enabled_at"))
        .leftJoin("deliveries as d", (join) =>
          join
            .onRef("d.tenant_id", "=", "n.tenant_id")
            .onRef("d.notification_id", "=", "n.notification_id")
            .onRef("d.subject", "=", "a.approval_id"),
        )
        .select(["n.tenant_id", "n.notification_id", "n.patterns", "a.approval_id", "a.address"])
        .where("n.enabled", "=", 1)
        .where("a.status", "=", "pending")
        .where("a.expires_at", ">", now)
        .where("d.delivery_id", "is", null)
        .orderBy("a.approval_id")
        .limit(limit)
      return (await session.all(compile(query))).map((row) => ({
        tenant: row.tenant_id,
        notificationId: row.notification_id,
        patterns: row.patterns,
        approvalId: row.approval_id,
        address: row.address,
      }))
    },

    async add({ tenant }, rows) {
      await atomicIn(session, tenant, async (transaction) => {
        for (const row of rows) {
          const query = kysely.insertInto("deliveries").values({ ...writeDelivery(tenant, row), ...free })
          await transaction.change(compile(query.onConflict((conflict) => conflict.doNothing())))
        }
      })
    },

    async claim({ owner, until }, now) {
      const candidates = kysely
        .selectFrom("deliveries")
        .selectAll()
        .where(sql<boolean>`state = 'waiting'`)
        .where("next_try_at", "<=", now)
        .where((where) => where.or([where("lease_until", "is", null), where("lease_until", "<", now)]))
        .orderBy("next_try_at")
        .limit(candidatesMax)
      for (const row of await session.all(compile(candidates))) {
        // Of several that saw it free, one finds it so.
        const isFree = change(row.tenant_id, row.delivery_id)
          .where("state", "=", "waiting")
          .where("attempts", "=", row.attempts)
          .where((where) => where.or([where("lease_until", "is", null), where("lease_until", "<", now)]))
        const changed = await session.change(compile(isFree.set({ lease_owner: owner, lease_until: until })))
        if (changed === 1) return { scope: { tenant: row.tenant_id, user: "" }, delivery: readDelivery(row) }
      }
      return null
    },

    async settle({ tenant }, id, owner, outcome) {
      const written = {
        state: outcome.state,
        attempts: outcome.attempts,
        status: outcome.status,
        error: outcome.error,
        next_try_at: outcome.nextTryAt,
        updated_at: outcome.updatedAt,
      }
      return (
        (await session.change(
          compile(
            change(tenant, id)
              .where("lease_owner", "=", owner)
              .set({ ...written, ...free }),
          ),
        )) === 1
      )
    },

    async list({ tenant }, notificationId, page) {
      await session.lockTenant(tenant)
      const mine = kysely
        .selectFrom("deliveries")
        .selectAll()
        .where("tenant_id", "=", tenant)
        .where("notification_id", "=", notificationId)
        .where("state", "!=", "skipped")
      const query = page.after === null ? mine : mine.where("delivery_id", "<", page.after)
      return (await session.all(compile(query.orderBy("delivery_id", "desc").limit(page.limit)))).map(readDelivery)
    },

    async trim(keep) {
      const query = kysely
        .deleteFrom("deliveries")
        .where("state", "!=", "waiting")
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("approvals as a")
                .select("a.approval_id")
                .whereRef("a.tenant_id", "=", "deliveries.tenant_id")
                .whereRef("a.approval_id", "=", "deliveries.subject")
                .where("a.status", "=", "pending"),
            ),
          ),
        )
        .where(
          ({ selectFrom }) =>
            selectFrom("deliveries as newer")
              .select(sql<number>`count(*)`.as("count"))
              .whereRef("newer.tenant_id", "=", "deliveries.tenant_id")
              .whereRef("newer.notification_id", "=", "deliveries.notification_id")
              .whereRef("newer.delivery_id", ">", "deliveries.delivery_id"),
          ">=",
          keep,
        )
      await session.change(compile(query))
    },
  })
}

const readDelivery = (row: DeliveriesTable): DeliveryRow => ({
  id: row.delivery_id,
  notificationId: row.notification_id,
  event: row.event,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  nextTryAt: row.next_try_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const writeDelivery = (tenant: string, row: DeliveryRow): Omit<DeliveriesTable, "lease_owner" | "lease_until"> => ({
  tenant_id: tenant,
  delivery_id: row.id,
  notification_id: row.notificationId,
  event: row.event,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  next_try_at: row.nextTryAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
