// Policies: the rules of the tenant, and those of the acting user.
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import type { PoliciesTable } from "../schema.ts"
import type { Session } from "../session.ts"
import { atomicIn } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile, prepare } from "../statement.ts"
import type { PolicyRow, PolicyRows } from "../store.ts"
import { orgUser, ownerOf, ownerUser, visibleUsers } from "./owner.ts"

const columns = ["policy_id", "user_id", "pattern", "action", "conditions", "position", "role", "approved_by", "created_at"] as const

export function policyQueries({ kysely }: Builder): (session: Session) => PolicyRows {
  const visible = prepare(["tenant", "user"], ({ tenant, user }) =>
    kysely
      .selectFrom("policies")
      .select(columns)
      .where("tenant_id", "=", tenant)
      .where("user_id", "in", [orgUser, user])
      .orderBy("user_id")
      .orderBy("position")
      .orderBy("policy_id"),
  )

  return (session) => ({
    async list(scope) {
      await session.lockTenant(scope.tenant)
      const rows = await session.all(visible(scope))
      return rows.map(readPolicy)
    },

    async listWithRoles(tenant) {
      await session.lockTenant(tenant)
      const query = kysely.selectFrom("policies").select(columns).where("tenant_id", "=", tenant).orderBy("policy_id")
      const rows = await session.all(compile(query.where((or) => or.or([or("role", "is not", null), or("approved_by", "is not", null)]))))
      return rows.map(readPolicy)
    },

    async get(scope, id) {
      await session.lockTenant(scope.tenant)
      const query = kysely.selectFrom("policies").select(columns).where("tenant_id", "=", scope.tenant).where("policy_id", "=", id)
      const [row] = await session.all(compile(query.where("user_id", "in", visibleUsers(scope))))
      return row ? readPolicy(row) : null
    },

    async put(scope, policy) {
      const row = writePolicy(scope, policy)
      const { tenant_id: _tenant, policy_id: _id, ...changes } = row
      const query = kysely
        .insertInto("policies")
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(["tenant_id", "policy_id"]).doUpdateSet(changes).where("policies.user_id", "in", visibleUsers(scope)),
        )
      await atomicIn(session, scope.tenant, async (transaction) => {
        const changed = await transaction.change(compile(query))
        if (changed === 0) throw new ExecutorError("conflict", `The policy id '${policy.id}' is taken`)
        transaction.bumpRevision()
      })
    },

    async remove(scope, id) {
      const query = kysely.deleteFrom("policies").where("tenant_id", "=", scope.tenant).where("policy_id", "=", id)
      return atomicIn(session, scope.tenant, async (transaction) => {
        if ((await transaction.change(compile(query.where("user_id", "in", visibleUsers(scope))))) === 0) return false
        transaction.bumpRevision()
        return true
      })
    },
  })
}

const readPolicy = (row: Omit<PoliciesTable, "tenant_id">): PolicyRow => ({
  id: row.policy_id,
  owner: ownerOf(row.user_id),
  pattern: row.pattern,
  action: row.action,
  when: row.conditions,
  position: row.position,
  role: row.role,
  by: row.approved_by,
  createdAt: row.created_at,
})

const writePolicy = (scope: Scope, row: PolicyRow): PoliciesTable => ({
  tenant_id: scope.tenant,
  policy_id: row.id,
  user_id: ownerUser(scope, row.owner),
  pattern: row.pattern,
  action: row.action,
  conditions: row.when,
  position: row.position,
  role: row.role,
  approved_by: row.by,
  created_at: row.createdAt,
})
