// Leases of executions: renewed, taken over when they expire, and released; and the pauses that have to end or continue.
import type { ExecutionId, ExecutionRow, Lease, LeaseRows } from "../../execution-store.ts"
import { chunks } from "../../queries/chunks.ts"
import type { Builder } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { changeOne } from "../backend.ts"
import { readExecutions } from "../execution-read.ts"
import { executionColumns } from "../shapes.ts"

export function leaseQueries(builder: Builder, backend: ExecutionBackend): LeaseRows {
  const { kysely } = builder
  const running = prepare(["tenant", "id"], ({ tenant, id }) =>
    kysely
      .selectFrom("executions")
      .select(executionColumns)
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", id)
      .where("status", "=", "running"),
  )

  return {
    async renew(lease, ids) {
      const held: ExecutionRow[] = []
      for (const { tenant, some } of byTenant(ids)) {
        const renewed = await readExecutions(await changeOne(backend, compile(renewing(tenant, some, lease))))
        const renewedIds = new Set(renewed.map(({ id }) => id))
        const others = some.filter((id) => !renewedIds.has(id))
        // What was locked is coming to its end under this very lease, or is being taken away: until then it is held.
        const locked =
          others.length === 0 ? [] : await backend.all(compile(holding(tenant, others, lease.owner).select(executionColumns)), "none")
        held.push(...renewed, ...(await readExecutions(locked)))
      }
      return held
    },
    async takeExpired(lease, now, limit) {
      return readExecutions(await changeOne(backend, compile(taking(lease, now, limit))))
    },
    async release(owner, now) {
      return readExecutions(await changeOne(backend, compile(releasing(owner, now))))
    },
    async findRunning({ tenant, id }) {
      const [row] = await readExecutions(await backend.all(running({ tenant, id }), "none"))
      return row ?? null
    },
    async findUnheld(owner, ids) {
      const found: ExecutionRow[] = []
      for (const { tenant, some } of byTenant(ids))
        found.push(...(await readExecutions(await backend.all(compile(unheld(tenant, some, owner)), "none"))))
      return found
    },
    async findOverdue(now, limit) {
      return readExecutions(await backend.all(compile(overdue(now, limit)), "none"))
    },
    async findAnswered(limit) {
      return readExecutions(await backend.all(compile(answered(limit)), "none"))
    },
  }

  function unheld(tenant: string, ids: readonly string[], owner: string) {
    return kysely
      .selectFrom("executions")
      .select(executionColumns)
      .where("tenant_id", "=", tenant)
      .where("execution_id", "in", ids)
      .where(({ or, eb }) => or([eb("status", "!=", "running"), eb("lease_owner", "is", null), eb("lease_owner", "!=", owner)]))
  }

  function holding(tenant: string, ids: readonly string[], owner: string) {
    return kysely
      .selectFrom("executions")
      .where("tenant_id", "=", tenant)
      .where("execution_id", "in", ids)
      .where("lease_owner", "=", owner)
      .where("status", "=", "running")
  }

  /** Rows that somebody else has locked are left out: waiting for them while holding others could be waiting for each other. */
  function renewing(tenant: string, ids: readonly string[], lease: Lease) {
    const held = holding(tenant, ids, lease.owner).select("execution_id")
    return kysely
      .with("held", () => (builder.dialect === "postgres" ? held.forUpdate().skipLocked() : held))
      .updateTable("executions")
      .set({ lease_until: lease.until })
      .where("tenant_id", "=", tenant)
      .where("execution_id", "in", (where) => where.selectFrom("held").select("held.execution_id"))
      .returning(executionColumns)
  }

  function releasing(owner: string, now: string) {
    return kysely
      .updateTable("executions")
      .set({ lease_until: now })
      .where("status", "=", "running")
      .where("lease_owner", "=", owner)
      .where("lease_until", ">", now)
      .returning(executionColumns)
  }

  function taking(lease: Lease, now: string, limit: number) {
    const due = kysely
      .selectFrom("executions")
      .select(["tenant_id", "execution_id"])
      .where("status", "=", "running")
      .where("lease_until", "<=", now)
      .orderBy("lease_until")
      .limit(limit)
    return kysely
      .with("due", () => (builder.dialect === "postgres" ? due.forUpdate().skipLocked() : due))
      .updateTable("executions")
      .set((set) => ({ run: set("run", "+", 1), lease_owner: lease.owner, lease_until: lease.until }))
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("tenant_id", "execution_id"),
          "in",
          selectFrom("due").select(["due.tenant_id", "due.execution_id"]).$asTuple("tenant_id", "execution_id"),
        ),
      )
      .returning(executionColumns)
  }

  function answered(limit: number) {
    return kysely
      .selectFrom("executions as e")
      .select(executionColumns.map((column) => `e.${column}` as const))
      .where("e.status", "=", "paused")
      .where("e.root_id", "is", null)
      .where("e.expires_at", "is not", null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("approvals as a")
              .select("a.approval_id")
              .whereRef("a.tenant_id", "=", "e.tenant_id")
              .whereRef("a.execution_id", "=", "e.execution_id")
              .where("a.status", "=", "pending"),
          ),
        ),
      )
      .limit(limit)
  }

  function overdue(now: string, limit: number) {
    return kysely
      .selectFrom("executions")
      .select(executionColumns)
      .where("status", "=", "paused")
      .where("root_id", "is", null)
      .where("expires_at", "<=", now)
      .orderBy("expires_at")
      .limit(limit)
  }
}

/** As many at once as one statement may name. */
const byTenant = (ids: readonly ExecutionId[]): { readonly tenant: string; readonly some: readonly string[] }[] =>
  [...Map.groupBy(ids, (ref) => ref.tenant)].flatMap(([tenant, rows]) =>
    [...chunks(rows.map(({ id }) => id))].map((some) => ({ tenant, some })),
  )
