// Tenants, and the first user of each.
import type { RoleGrant } from "../../core/people/role.ts"
import { isoNow, systemClock } from "../../io/clock.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { TenantRows } from "../store.ts"

export function tenantQueries({ kysely }: Builder): (session: Session) => TenantRows {
  return (session) => ({
    async ensure(user) {
      const created_at = isoNow(systemClock)
      const roles = user.roles.map((role): RoleGrant => ({ role, from: "given" }))
      const tenant = kysely.insertInto("tenants").values({ tenant_id: user.tenant, created_at })
      const first = {
        tenant_id: user.tenant,
        user_id: user.id,
        name: user.name,
        email: null,
        status: "active",
        service: 0,
        roles: JSON.stringify(roles),
        source: "local",
        created_at,
        last_seen_at: null,
      } as const
      await atomicIn(session, user.tenant, async (transaction) => {
        await transaction.change(compile(tenant.onConflict((conflict) => conflict.doNothing())))
        await transaction.change(
          compile(
            kysely
              .insertInto("users")
              .values(first)
              .onConflict((conflict) => conflict.doNothing()),
          ),
        )
      })
    },

    async list(page) {
      let query = kysely.selectFrom("tenants").select(["tenant_id", "created_at"])
      if (page.after !== null) query = query.where("tenant_id", ">", page.after)
      const rows = await session.all(compile(query.orderBy("tenant_id").limit(page.limit)))
      return rows.map((row) => ({ id: row.tenant_id, createdAt: row.created_at }))
    },
  })
}
