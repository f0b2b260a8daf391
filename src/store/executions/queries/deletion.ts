// Deletes executions that ended long ago, with their journal and approvals; their calls stay in the audit log.
//
// Tenant by tenant, from the oldest execution on: ids are ordered by the time of their making, so that the walk ends
// at the first one that is too young, and costs what it deletes. Pieces are small, because other writers wait for each.
// A call moves into the audit in the transaction that deletes it, so that the audit has it at every moment.
import type { Builder, Statement } from "../../statement.ts"
import { compile } from "../../statement.ts"
import type { AuditRow } from "../../audit-store.ts"
import type { HistoryAge } from "../row-filter.ts"
import type { ExecutionBackend } from "../backend.ts"
import { callEntries, auditCallRow } from "../audit-call-rows.ts"
import type { Sealer } from "../sealer.ts"
import type { AuditTable } from "../tables.ts"
import { auditPruning } from "./audit-pruning.ts"

const executionsPerPiece = 50
/** An execution may have made a thousand of them. */
const callsPerPiece = 1000
const linesPerStatement = 200

export type DeletionQueries = {
  deleteOld(age: HistoryAge): Promise<void>
  /** Ended ones, whatever their age. */
  deleteEnded(tenant: string, ids: readonly string[]): Promise<void>
}

export function deletionQueries(builder: Builder, backend: ExecutionBackend, sealer: Sealer): DeletionQueries {
  const { kysely } = builder
  const pruneAudit = auditPruning(builder, backend)
  return { deleteOld, deleteEnded }

  async function deleteOld({ before, keep, auditBefore }: HistoryAge): Promise<void> {
    for await (const tenant of tenantsOf("executions")) await deleteOldOf(tenant, before, keep)
    const alone = kysely.deleteFrom("approvals").where("execution_id", "is", null).where("expires_at", "<", before)
    await backend.batch([compile(alone)])
    await sealer.sealAll()
    for await (const tenant of tenantsOf("audit")) await pruneAudit(tenant, auditBefore)
  }

  async function* tenantsOf(table: "executions" | "audit"): AsyncGenerator<string> {
    for (let after = ""; ;) {
      const query = kysely.selectFrom(table).select("tenant_id").where("tenant_id", ">", after).orderBy("tenant_id").limit(1)
      const [row] = await backend.all(compile(query), "none")
      if (!row) return
      yield (after = row.tenant_id)
    }
  }

  async function deleteOldOf(tenant: string, before: string, keep: number): Promise<void> {
    const newest = await nthNewest(tenant, keep + 1)
    if (newest === null) return
    for (let after = ""; ;) {
      const query = kysely
        .selectFrom("executions")
        .select(["execution_id", "created_at", "ended_at"])
        .where("tenant_id", "=", tenant)
        .where("root_id", "is", null)
        .where("execution_id", ">", after)
        .where("execution_id", "<=", newest)
        .orderBy("execution_id")
        .limit(executionsPerPiece)
      const rows = await backend.all(compile(query), "none")
      const old = rows.filter((row) => row.ended_at !== null && row.ended_at < before).map((row) => row.execution_id)
      await deleteEnded(tenant, old)
      const last = rows.at(-1)
      if (!last || rows.length < executionsPerPiece || last.created_at >= before) return
      after = last.execution_id
    }
  }

  async function deleteEnded(tenant: string, ids: readonly string[]): Promise<void> {
    for (const piece of await piecesOf(tenant, ids)) await backend.batch([...(await keeping(tenant, piece)), ...removal(tenant, piece)])
    if (ids.length > 0) sealer.wake()
  }

  async function nthNewest(tenant: string, nth: number): Promise<string | null> {
    const query = kysely.selectFrom("executions").select("execution_id").where("tenant_id", "=", tenant).where("root_id", "is", null)
    const [row] = await backend.all(
      compile(
        query
          .orderBy("execution_id", "desc")
          .limit(1)
          .offset(nth - 1),
      ),
      "none",
    )
    return row?.execution_id ?? null
  }

  /** Each has few calls, or is one execution. */
  async function piecesOf(tenant: string, ids: readonly string[]): Promise<string[][]> {
    if (ids.length === 0) return []
    const query = kysely
      .selectFrom("calls")
      .select("execution_id")
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .where("tenant_id", "=", tenant)
      .where("execution_id", "in", ids)
      .groupBy("execution_id")
    const counts = new Map((await backend.all(compile(query), "none")).map((row) => [row.execution_id, Number(row.count)]))
    const pieces: string[][] = []
    let room = 0
    for (const id of ids) {
      const count = counts.get(id) ?? 0
      const last = pieces.at(-1)
      if (last === undefined || count > room) pieces.push([id])
      else last.push(id)
      room = (pieces.at(-1)?.length === 1 ? callsPerPiece : room) - count
    }
    return pieces
  }

  async function keeping(tenant: string, ids: readonly string[]): Promise<Statement<unknown>[]> {
    const query = callEntries(builder, tenant).where("c.execution_id", "in", ids).orderBy("c.execution_id").orderBy("c.call_key")
    const lines = (await backend.all(compile(query), "none")).map((call) => toColumns(auditCallRow(call)))
    const statements: Statement<unknown>[] = []
    for (let at = 0; at < lines.length; at += linesPerStatement) {
      const some = lines.slice(at, at + linesPerStatement)
      statements.push(
        compile(
          kysely
            .insertInto("audit")
            .values(some)
            .onConflict((on) => on.doNothing()),
        ),
      )
    }
    return statements
  }

  function removal(tenant: string, ids: readonly string[]): Statement<unknown>[] {
    return [
      compile(kysely.deleteFrom("calls").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
      compile(kysely.deleteFrom("events").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
      compile(kysely.deleteFrom("approvals").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
      compile(kysely.deleteFrom("pauses_shown").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
      compile(kysely.deleteFrom("executions").where("tenant_id", "=", tenant).where("root_id", "in", ids)),
      compile(kysely.deleteFrom("executions").where("tenant_id", "=", tenant).where("execution_id", "in", ids)),
    ]
  }
}

const toColumns = (line: AuditRow): AuditTable => ({
  tenant_id: line.tenant,
  audit_id: line.id,
  at: line.at,
  user_id: line.user,
  principal_kind: line.principalKind,
  token_id: line.tokenId,
  action: line.action,
  subject: line.subject,
  execution_id: line.executionId,
  decision: line.decision,
  rule: line.rule,
  outcome: line.outcome,
  details: line.details,
  position: 0,
  previous_hash: null,
  hash: null,
})
