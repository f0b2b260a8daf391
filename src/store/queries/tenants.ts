// Tenants and their users.
import { isoNow, systemClock } from "../../io/clock.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { TenantRows } from "../store.ts"

export function tenantQueries({ kysely }: Builder): (session: Session) => TenantRows {
  const find = prepare(["tenant", "user"], ({ tenant, user }) =>
    kysely.selectFrom("users").select(["name", "roles"]).where("tenant_id", "=", tenant).where("user_id", "=", user),
  )

  return (session) => ({
    async ensure(user) {
      const created_at = isoNow(systemClock)
      const tenant = kysely.insertInto("tenants").values({ tenant_id: user.tenant, created_at })
      const member = kysely
        .insertInto("users")
        .values({ tenant_id: user.tenant, user_id: user.id, name: user.name, roles: JSON.stringify(user.roles), created_at })
      await atomicIn(session, user.tenant, async (transaction) => {
        await transaction.change(compile(tenant.onConflict((conflict) => conflict.doNothing())))
        await transaction.change(compile(member.onConflict((conflict) => conflict.doNothing())))
      })
    },

    async user(scope) {
      const [row] = await session.all(find(scope))
      if (!row) return null
      const roles = JSON.parse(row.roles) as string[] // written by `ensure` only
      return { tenant: scope.tenant, id: scope.user, name: row.name, roles }
    },
  })
}
