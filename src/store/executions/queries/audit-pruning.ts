// Deletes old entries of the audit, so that what stays can still be verified.
//
// Of the chain only its beginning is deleted, in the transaction that notes the last entry of it: a late entry that
// stands behind a younger one goes together with that.
import { sql } from "kysely"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { changeOne } from "../backend.ts"

const rowsPerPiece = 1000

export function auditPruning({ kysely }: Builder, backend: ExecutionBackend): (tenant: string, before: string) => Promise<void> {
  return async (tenant, before) => {
    while ((await changeOne(backend, compile(oldOutside(tenant, before)))).length === rowsPerPiece);
    while ((await pruneChain(tenant, before)) === rowsPerPiece);
  }

  /** As the index of what is outside of the chain says it. */
  function oldOutside(tenant: string, before: string) {
    const isOutside = sql<boolean>`coalesce(position, -1) < 0`
    const old = kysely
      .selectFrom("audit")
      .select("audit_id")
      .where("tenant_id", "=", tenant)
      .where("at", "<", before)
      .where(isOutside)
      .orderBy("at")
      .limit(rowsPerPiece)
    return kysely.deleteFrom("audit").where("tenant_id", "=", tenant).where("audit_id", "in", old).returning("audit_id")
  }

  async function pruneChain(tenant: string, before: string): Promise<number> {
    const hasPosition = sql<boolean>`position > 0`
    const oldest = kysely
      .selectFrom("audit")
      .select(["at", "position", "hash"])
      .where("tenant_id", "=", tenant)
      .where(hasPosition)
      .orderBy("position")
      .limit(rowsPerPiece)
    const rows = await backend.all(compile(oldest), "none")
    const kept = rows.findIndex(({ at }) => at >= before)
    const old = kept === -1 ? rows : rows.slice(0, kept)
    const last = old.at(-1)
    if (last === undefined) return 0
    const noted = kysely
      .updateTable("audit_chains")
      .set({ pruned_position: last.position ?? 0, pruned_hash: last.hash ?? "" })
      .where("tenant_id", "=", tenant)
      .where("pruned_position", "<", last.position ?? 0)
    const removed = kysely.deleteFrom("audit").where("tenant_id", "=", tenant).where(hasPosition).where("position", "<=", last.position)
    await backend.batch([compile(noted), compile(removed)])
    return old.length
  }
}
