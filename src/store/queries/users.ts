// The people and service accounts of a tenant.
import type { RoleGrant } from "../../core/people/role.ts"
import type { UsersTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { UserRow, UserRows } from "../store.ts"
import { prepareCollect } from "./garbage.ts"
import { orgUser } from "./owner.ts"

const columns = ["tenant_id", "user_id", "name", "email", "status", "service", "roles", "source", "created_at", "last_seen_at"] as const

export function userQueries(builder: Builder): (session: Session) => UserRows {
  const { kysely } = builder
  const collect = prepareCollect(builder)
  const find = prepare(["tenant", "user"], ({ tenant, user }) =>
    kysely.selectFrom("users").select(columns).where("tenant_id", "=", tenant).where("user_id", "=", user),
  )

  return (session) => ({
    async get(scope) {
      const [row] = await session.all(find({ tenant: scope.tenant, user: scope.user }))
      return row ? readUser(row) : null
    },

    async list(tenant, page) {
      await session.lockTenant(tenant)
      let query = kysely.selectFrom("users").select(columns).where("tenant_id", "=", tenant)
      if (page.after !== null) query = query.where("user_id", ">", page.after)
      const rows = await session.all(compile(query.orderBy("user_id").limit(page.limit)))
      return rows.map(readUser)
    },

    async put(user) {
      const row = writeUser(user)
      const { tenant_id: _tenant, user_id: _id, created_at: _created, source: _source, ...changes } = row
      const query = kysely.insertInto("users").values(row)
      await atomicIn(session, user.tenant, async (transaction) => {
        await transaction.change(compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "user_id"]).doUpdateSet(changes))))
        transaction.bumpRevision()
      })
    },

    async remove(scope) {
      const { tenant, user } = scope
      // Without this, a user without a name would take along what belongs to everybody.
      if (user === orgUser) return false
      return atomicIn(session, tenant, async (transaction) => {
        const users = kysely.deleteFrom("users").where("tenant_id", "=", tenant).where("user_id", "=", user)
        if ((await transaction.change(compile(users))) === 0) return false
        for (const table of ["connections", "credentials", "policies", "oauth_flows"] as const)
          await transaction.change(compile(kysely.deleteFrom(table).where("tenant_id", "=", tenant).where("user_id", "=", user)))
        await collect(transaction, tenant)
        transaction.bumpRevision()
        return true
      })
    },

    async seen(scope, at) {
      const query = kysely.updateTable("users").set({ last_seen_at: at })
      await session.change(compile(query.where("tenant_id", "=", scope.tenant).where("user_id", "=", scope.user)))
    },
  })
}

const readUser = (row: UsersTable): UserRow => ({
  tenant: row.tenant_id,
  id: row.user_id,
  name: row.name,
  email: row.email,
  status: row.status,
  isService: row.service === 1,
  roles: JSON.parse(row.roles) as RoleGrant[], // written by this folder alone
  source: row.source,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
})

const writeUser = (user: UserRow): UsersTable => ({
  tenant_id: user.tenant,
  user_id: user.id,
  name: user.name,
  email: user.email,
  status: user.status,
  service: user.isService ? 1 : 0,
  roles: JSON.stringify(user.roles),
  source: user.source,
  created_at: user.createdAt,
  last_seen_at: user.lastSeenAt,
})
