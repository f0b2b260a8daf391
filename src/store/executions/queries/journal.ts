// The journal of one execution, read back.
import { policyActions } from "../../../core/policy.ts"
import type { CallRow, JournalRecord, JournalRows, Visibility } from "../../execution-store.ts"
import type { Builder } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { auditRowOf } from "../audit-call-rows.ts"
import { unpack } from "../packing.ts"
import { searchTraces } from "./search-traces.ts"
import type { Sealer } from "../sealer.ts"
import { callColumns, eventColumns } from "../shapes.ts"

type CallColumn = (typeof callColumns)[number]
type HeadColumn = Exclude<CallColumn, "answer as answerJson">

const headColumns: readonly HeadColumn[] = callColumns.filter((column) => column !== "answer as answerJson")
const decidedColumns = headColumns.filter((column) => column !== "args as argsJson")

export function journalQueries({ kysely, dialect }: Builder, backend: ExecutionBackend, sealer: Pick<Sealer, "wake">): JournalRows {
  const events = prepare(["tenant", "id"], ({ tenant, id }) =>
    kysely.selectFrom("events").select(eventColumns).where("tenant_id", "=", tenant).where("execution_id", "=", id).orderBy("position"),
  )
  const calls = prepare(["tenant", "id"], ({ tenant, id }) =>
    kysely
      .selectFrom("calls")
      .select(callColumns)
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", id)
      .orderBy("seq")
      .orderBy("call_key"),
  )

  const heads = (tenant: string, id: string, seqMin: number) =>
    kysely
      .selectFrom("calls")
      .select(headColumns)
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", id)
      .where("seq", ">=", seqMin)
      .orderBy("seq")
      .orderBy("call_key")

  const answers = (tenant: string, id: string, key: string) =>
    kysely
      .selectFrom("calls")
      .select("answer as answerJson")
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", id)
      .where("call_key", "=", key)

  const latest = (who: Visibility, limit: number) => {
    let query = kysely
      .selectFrom("calls as c")
      .innerJoin("executions as e", (join) => join.onRef("e.tenant_id", "=", "c.tenant_id").onRef("e.execution_id", "=", "c.execution_id"))
      .select(decidedColumns.map((column) => `c.${column}` as const))
      .select(["e.user_id as user", "e.principal_kind as principalKind", "e.token_id as tokenId"])
      .where("c.tenant_id", "=", who.tenant)
      .where("c.decision", "in", [...policyActions])
      .where("c.started_at", "is not", null)
    if (who.user !== null) query = query.where("e.user_id", "=", who.user)
    if (who.tokenId !== null) query = query.where("e.token_id", "=", who.tokenId)
    return query.orderBy("c.started_at", "desc").orderBy("c.execution_id", "desc").orderBy("c.call_key", "desc").limit(limit)
  }

  const argumentsOf = (tenant: string, names: readonly Pick<CallRow, "executionId" | "key">[]) =>
    kysely
      .selectFrom("calls")
      .select(["execution_id as executionId", "call_key as key", "args as argsJson"])
      .where("tenant_id", "=", tenant)
      .where((where) =>
        where.or(names.map(({ executionId, key }) => where.and([where("execution_id", "=", executionId), where("call_key", "=", key)]))),
      )

  /** Answered by the index of keys alone: what a tool's code calls has a slash in its key, and a model's answer no colon. */
  const counts = (tenant: string, ids: readonly string[]) =>
    kysely
      .selectFrom("calls")
      .select("execution_id as id")
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .where("tenant_id", "=", tenant)
      .where("execution_id", "in", ids)
      .where("call_key", "like", "%:%")
      .where("call_key", "not like", "%/%")
      .groupBy("execution_id")

  return {
    async append(records, urgency) {
      const all = withAudit(records)
      await backend.append(all, urgency)
      if (all.some(({ kind }) => kind === "audit")) sealer.wake()
    },
    async read({ tenant }, id) {
      // Events first: an answer is recorded before the event that delivers it, so that it is there when the calls are read.
      const settled = await backend.all(events({ tenant, id }), { executionId: id })
      const asked = await unpack(await backend.all(calls({ tenant, id }), { executionId: id }), ["argsJson", "answerJson"])
      return { calls: asked.map((row) => ({ ...row })), events: withoutStale(settled).map((row) => ({ ...row })) }
    },
    async count(tenant, ids) {
      if (ids.length === 0) return new Map()
      return new Map((await backend.all(compile(counts(tenant, ids)), "all")).map(({ id, count }) => [id, Number(count)]))
    },
    async latest(who, limit) {
      return (await backend.all(compile(latest(who, limit)), "all")).map((row) => ({ ...row }))
    },
    async argumentsOf(tenant, names) {
      if (names.length === 0) return []
      const rows = await unpack(await backend.all(compile(argumentsOf(tenant, names)), "all"), ["argsJson"])
      const known = new Map(rows.map(({ executionId, key, argsJson }) => [`${executionId} ${key}`, argsJson]))
      return names.map(({ executionId, key }) => known.get(`${executionId} ${key}`) ?? null)
    },
    searches: (who, limit) => searchTraces(who, limit, { kysely, dialect }, backend),
    async calls({ tenant }, id, seqMin) {
      const rows = await unpack(await backend.all(compile(heads(tenant, id, seqMin)), { executionId: id }), ["argsJson"])
      return rows.map((row) => ({ ...row }))
    },
    async answerOf({ tenant }, id, key) {
      const [row] = await unpack(await backend.all(compile(answers(tenant, id, key)), { executionId: id }), ["answerJson"])
      return row?.answerJson ?? null
    },
  }
}

/** A call and its entry in the audit are recorded together. */
function withAudit(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const entries = records.flatMap((record) => {
    const row = record.kind === "call" && record.asker !== undefined ? auditRowOf(record.row, record.asker) : null
    return row === null ? [] : [{ kind: "audit" as const, row }]
  })
  return entries.length === 0 ? records : [...records, ...entries]
}

/** What a run that lost its lease wrote behind the last event of its successor was never delivered there. */
function withoutStale<Row extends { readonly run: number }>(events: readonly Row[]): readonly Row[] {
  let newest = 0
  return events.filter(({ run }) => {
    newest = Math.max(newest, run)
    return run === newest
  })
}
