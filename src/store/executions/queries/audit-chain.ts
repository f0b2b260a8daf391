// The chain of a tenant's audit, read in its order and cut at its old end.
//
// Conditions on positions are written as in the migration's indexes, with their numbers in the text: a database uses
// such an index only where it sees that the condition is the same.
import { sql } from "kysely"
import { chainStart } from "../../../core/audit/chain.ts"
import type { ChainLink } from "../../../core/audit/chain.ts"
import type { AuditRow, AuditRows, AuditTime, SealedRow } from "../../audit-store.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { auditColumns } from "../shapes.ts"
import type { Sealer } from "../sealer.ts"
import type { AuditTable } from "../tables.ts"

export const linkColumns = ["position", "previous_hash", "hash"] as const
type LinkColumns = Pick<AuditTable, (typeof linkColumns)[number]>

/** What has a position has a link, whatever is in it. */
export function toSealed({ position, previous_hash, hash, ...row }: AuditRow & LinkColumns): SealedRow {
  const link: ChainLink | null =
    position === null || Number(position) <= 0 ? null : { position: Number(position), previousHash: previous_hash ?? "", hash: hash ?? "" }
  return { ...row, link }
}

const hasPosition = sql<boolean>`position > 0`
const isOutside = sql<boolean>`coalesce(position, -1) < 0`

export function auditChainQueries(
  { kysely }: Builder,
  backend: ExecutionBackend,
  sealer: Pick<Sealer, "sealAll">,
): Omit<AuditRows, "list" | "usage"> {
  const ofTenant = (tenant: string, { from, to }: AuditTime = {}) => {
    let query = kysely.selectFrom("audit").where("tenant_id", "=", tenant)
    if (from !== undefined) query = query.where("at", ">=", from)
    if (to !== undefined) query = query.where("at", "<", to)
    return query
  }
  return {
    async chain(tenant) {
      const query = kysely.selectFrom("audit_chains").selectAll().where("tenant_id", "=", tenant)
      // What was recorded before this was asked is sealed, too.
      await backend.all(compile(query), "all")
      await sealer.sealAll()
      const [row] = await backend.all(compile(query), "none")
      if (!row) return { head: chainStart, pruned: chainStart, beginsAt: "" }
      return {
        head: { position: Number(row.position), hash: row.hash },
        pruned: { position: Number(row.pruned_position), hash: row.pruned_hash },
        beginsAt: row.begins_at,
      }
    },
    async sealed(tenant, after, limit) {
      let query = ofTenant(tenant).select(auditColumns).select(linkColumns).where(hasPosition)
      if (after !== null)
        query = query
          .where("position", ">=", after.position)
          .where(({ eb, refTuple, tuple }) =>
            eb(refTuple("position", "audit_id"), ">", tuple<number | string | null, string>(after.position, after.id)),
          )
      return (await backend.all(compile(query.orderBy("position").orderBy("audit_id").limit(limit)), "none")).map(toSealed)
    },
    async findSealed(tenant, time, after, span) {
      const query = ofTenant(tenant, time)
        .select(({ fn }) => [fn.min("position").as("first"), fn.max("position").as("last")])
        .where(hasPosition)
        .where("position", ">", after)
        .where("position", "<=", after + span)
      const [row] = await backend.all(compile(query), "none")
      return row === undefined || row.first === null || row.last === null ? null : { first: Number(row.first), last: Number(row.last) }
    },
    async outside(tenant, time, { after, limit }) {
      let query = ofTenant(tenant, time).select(auditColumns).where(isOutside)
      if (after !== null) query = query.where(({ eb, refTuple, tuple }) => eb(refTuple("at", "audit_id"), ">", tuple(after.at, after.id)))
      return (await backend.all(compile(query.orderBy("at").orderBy("audit_id").limit(limit)), "none")).map((row) => ({ ...row }))
    },
  }
}
