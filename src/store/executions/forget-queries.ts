// Forgets what ended long ago, together with its journal and approvals.
//
// Tenant by tenant, from the oldest execution on: ids are ordered by the time of their making, so that the walk ends
// at the first one that is too young, and costs what it forgets. Pieces are small, because other writers wait for each.
import type { Builder, Statement } from "../statement.ts"
import { compile } from "../statement.ts"
import type { ExecutionBackend } from "./backend.ts"

const executionsPerPiece = 50

/** The newest `keep` executions stay however old they are; changes of an administrator are kept for longer than what ran. */
export type ForgetAge = { readonly before: string; readonly keep: number; readonly auditBefore: string }

export function forgetQueries({ kysely }: Builder, backend: ExecutionBackend): (age: ForgetAge) => Promise<void> {
  return async ({ before, keep, auditBefore }) => {
    for (let tenant = await nextTenant(""); tenant !== null; tenant = await nextTenant(tenant)) await forgetTenant(tenant, before, keep)
    const alone = kysely.deleteFrom("approvals").where("execution_id", "is", null).where("expires_at", "<", before)
    await backend.batch([compile(alone), compile(kysely.deleteFrom("audit").where("at", "<", auditBefore))])
  }

  async function nextTenant(after: string): Promise<string | null> {
    const query = kysely.selectFrom("executions").select("tenant_id").where("tenant_id", ">", after).orderBy("tenant_id").limit(1)
    const [row] = await backend.all(compile(query), "none")
    return row?.tenant_id ?? null
  }

  async function forgetTenant(tenant: string, before: string, keep: number): Promise<void> {
    const newest = await nthNewest(tenant, keep + 1)
    if (newest === null) return
    for (let after = ""; ;) {
      const query = kysely
        .selectFrom("executions")
        .select(["execution_id", "created_at", "ended_at"])
        .where("tenant_id", "=", tenant)
        .where("execution_id", ">", after)
        .where("execution_id", "<=", newest)
        .orderBy("execution_id")
        .limit(executionsPerPiece)
      const rows = await backend.all(compile(query), "none")
      const old = rows.filter((row) => row.ended_at !== null && row.ended_at < before).map((row) => row.execution_id)
      if (old.length > 0) await backend.batch(removal(tenant, old))
      const last = rows.at(-1)
      if (!last || rows.length < executionsPerPiece || last.created_at >= before) return
      after = last.execution_id
    }
  }

  async function nthNewest(tenant: string, nth: number): Promise<string | null> {
    const query = kysely.selectFrom("executions").select("execution_id").where("tenant_id", "=", tenant).orderBy("execution_id", "desc")
    const [row] = await backend.all(compile(query.limit(1).offset(nth - 1)), "none")
    return row?.execution_id ?? null
  }

  function removal(tenant: string, ids: readonly string[]): Statement<unknown>[] {
    return [
      compile(kysely.deleteFrom("calls").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
      compile(kysely.deleteFrom("events").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
      compile(kysely.deleteFrom("approvals").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
      compile(kysely.deleteFrom("executions").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
    ]
  }
}
