// The roles that a tenant has made.
import type { Right } from "../../core/people/role.ts"
import type { RolesTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { RoleRow, RoleRows } from "../store.ts"

const columns = ["role_id", "name", "description", "patterns", "rights", "created_at"] as const

export function roleQueries({ kysely }: Builder): (session: Session) => RoleRows {
  const all = prepare(["tenant"], ({ tenant }) =>
    kysely.selectFrom("roles").select(columns).where("tenant_id", "=", tenant).orderBy("role_id"),
  )

  return (session) => ({
    async list(tenant) {
      await session.lockTenant(tenant)
      return (await session.all(all({ tenant }))).map(readRole)
    },

    async put(tenant, role) {
      const row = writeRole(tenant, role)
      const { tenant_id: _tenant, role_id: _id, created_at: _created, ...changes } = row
      const query = kysely.insertInto("roles").values(row)
      await atomicIn(session, tenant, async (transaction) => {
        await transaction.change(compile(query.onConflict((conflict) => conflict.columns(["tenant_id", "role_id"]).doUpdateSet(changes))))
        transaction.bumpRevision()
      })
    },

    async remove(tenant, id) {
      const query = kysely.deleteFrom("roles").where("tenant_id", "=", tenant).where("role_id", "=", id)
      return atomicIn(session, tenant, async (transaction) => {
        if ((await transaction.change(compile(query))) === 0) return false
        transaction.bumpRevision()
        return true
      })
    },
  })
}

const readRole = (row: Omit<RolesTable, "tenant_id">): RoleRow => ({
  id: row.role_id,
  name: row.name,
  description: row.description,
  // Both are written by this folder alone.
  patterns: JSON.parse(row.patterns) as string[],
  rights: JSON.parse(row.rights) as Right[],
  createdAt: row.created_at,
})

const writeRole = (tenant: string, role: RoleRow): RolesTable => ({
  tenant_id: tenant,
  role_id: role.id,
  name: role.name,
  description: role.description,
  patterns: JSON.stringify(role.patterns),
  rights: JSON.stringify(role.rights),
  created_at: role.createdAt,
})
