// Housekeeping of executions: renewed and expired leases, expired pauses, and deleted history.
import type { ExecutionRow, ExecutionRows, LeaseWork } from "../../execution-store.ts"
import { chunks } from "../../queries/chunks.ts"
import type { Builder } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { changeOne } from "../backend.ts"
import { readExecutions } from "../execution-read.ts"
import type { ForgetQueries } from "./forget.ts"
import { executionColumns } from "../shapes.ts"

type Work<Kind> = LeaseWork & { readonly kind: Kind }

export function leaseQueries(builder: Builder, backend: ExecutionBackend, { forget }: ForgetQueries): ExecutionRows["tend"] {
  const { kysely } = builder
  const running = prepare(["tenant", "id"], ({ tenant, id }) =>
    kysely
      .selectFrom("executions")
      .select(executionColumns)
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", id)
      .where("status", "=", "running"),
  )

  return async (work) => {
    switch (work.kind) {
      case "renew":
        return renew(work)
      case "take_expired":
        return readExecutions(await changeOne(backend, compile(takeExpired(work))))
      case "release":
        return readExecutions(await changeOne(backend, compile(releasing(work))))
      case "find_running":
        return readExecutions(await backend.all(running({ tenant: work.tenant, id: work.id }), "none"))
      case "find_unheld":
        return findUnheld(work)
      case "find_overdue":
        return readExecutions(await backend.all(compile(overdue(work)), "none"))
      case "find_answered":
        return readExecutions(await backend.all(compile(answered(work)), "none"))
      case "forget":
        await forget(work)
        return []
    }
  }

  async function renew({ ids, lease }: Work<"renew">): Promise<ExecutionRow[]> {
    const held: ExecutionRow[] = []
    for (const [tenant, rows] of Map.groupBy(ids, (ref) => ref.tenant)) {
      for (const some of chunks(rows.map(({ id }) => id))) {
        const renewed = await readExecutions(await changeOne(backend, compile(renewing(tenant, some, lease))))
        const renewedIds = new Set(renewed.map(({ id }) => id))
        const rest = some.filter((id) => !renewedIds.has(id))
        // What was locked is coming to its end under this very lease, or is being taken away: until then it is held.
        const locked =
          rest.length === 0 ? [] : await backend.all(compile(holding(tenant, rest, lease.owner).select(executionColumns)), "none")
        held.push(...renewed, ...(await readExecutions(locked)))
      }
    }
    return held
  }

  async function findUnheld({ ids, owner }: Work<"find_unheld">): Promise<ExecutionRow[]> {
    const found: ExecutionRow[] = []
    for (const [tenant, rows] of Map.groupBy(ids, (ref) => ref.tenant)) {
      for (const some of chunks(rows.map(({ id }) => id)))
        found.push(...(await readExecutions(await backend.all(compile(unheld(tenant, some, owner)), "none"))))
    }
    return found
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
  function renewing(tenant: string, ids: readonly string[], lease: Work<"renew">["lease"]) {
    const held = holding(tenant, ids, lease.owner).select("execution_id")
    return kysely
      .with("held", () => (builder.dialect === "postgres" ? held.forUpdate().skipLocked() : held))
      .updateTable("executions")
      .set({ lease_until: lease.until })
      .where("tenant_id", "=", tenant)
      .where("execution_id", "in", (where) => where.selectFrom("held").select("held.execution_id"))
      .returning(executionColumns)
  }

  function releasing({ owner, now }: Work<"release">) {
    return kysely
      .updateTable("executions")
      .set({ lease_until: now })
      .where("status", "=", "running")
      .where("lease_owner", "=", owner)
      .where("lease_until", ">", now)
      .returning(executionColumns)
  }

  function takeExpired({ lease, now, limit }: Work<"take_expired">) {
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

  function answered({ limit }: Work<"find_answered">) {
    return kysely
      .selectFrom("executions as e")
      .select(executionColumns.map((column) => `e.${column}` as const))
      .where("e.status", "=", "paused")
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

  function overdue({ now, limit }: Work<"find_overdue">) {
    return kysely
      .selectFrom("executions")
      .select(executionColumns)
      .where("status", "=", "paused")
      .where("expires_at", "<=", now)
      .orderBy("expires_at")
      .limit(limit)
  }
}
