// The audit: administrative changes and the calls of executions, merged into one stream by time.
//
// The order is newest first; within one moment first calls, then what was administered, each by id. An entry of the audit
// has an id of its own; a call gets one that says where in the stream it stands, and keeps it when its execution is
// forgotten. A call that is done is an entry, too, which counts then; what has not ended, and what earlier versions
// recorded, is read from the calls alone. Calls are read before entries: one that is forgotten in between is then found
// twice, never missed.
import { subjectsOf } from "../../../core/audit/entry.ts"
import type { AuditFilter } from "../../../core/audit/entry.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { ErrorCode } from "../../../core/errors.ts"
import { sql } from "kysely"
import type { AuditRow, AuditRows, AuditTime, SealedRow } from "../../audit-store.ts"
import type { Visibility } from "../../execution-store.ts"
import type { Builder } from "../../statement.ts"
import { compile } from "../../statement.ts"
import type { After } from "../../store.ts"
import type { ExecutionBackend } from "../backend.ts"
import type { CallPlace } from "../audit-call-rows.ts"
import { callAction, callEntries, auditCallRow, callOutcome, parseCallId } from "../audit-call-rows.ts"
import { auditColumns } from "../shapes.ts"
import type { Sealer } from "../sealer.ts"
import { auditChainQueries, linkColumns, toSealed } from "./audit-chain.ts"

/** How a call ends that a policy did not block and that was not made. */
const notMade: readonly ErrorCode[] = ["approval_required", "approval_declined", "approval_cancelled"]

/** `call`: null where the stream stands at a change, which comes after all calls of its moment. */
type Position = { readonly at: string; readonly id: string; readonly call: CallPlace | null }

export function auditQueries(builder: Builder, backend: ExecutionBackend, sealer: Pick<Sealer, "sealAll">): AuditRows {
  const { kysely } = builder
  return {
    ...auditChainQueries(builder, backend, sealer),
    async list(who, filter, page) {
      const after = page.after === null ? null : await positionOf(who.tenant, page.after)
      const isCallId = filter.id === undefined || parseCallId(filter.id) !== null
      const hasCalls = isCallId && (filter.action === undefined || filter.action === callAction)
      const calls = hasCalls ? await backend.all(compile(callsAfter(who, filter, after).limit(page.limit)), "all") : []
      const entries = await backend.all(compile(entriesAfter(who, filter, after).limit(page.limit)), "all")
      return merge(
        entries.map(toSealed),
        calls.map((call) => ({ ...auditCallRow(call), link: null })),
      ).slice(0, page.limit)
    },
    async usage(who, subject, time) {
      const [row] = await backend.all(compile(callsOf(who, subject, time)), "all")
      // PostgreSQL counts in text.
      return { calls: Number(row?.calls ?? 0), callers: Number(row?.callers ?? 0) }
    },
  }

  function callsOf(who: Visibility, subject: string, { from, to }: Required<AuditTime>) {
    let query = kysely
      .selectFrom("audit")
      .select(({ fn }) => [fn.countAll().as("calls"), sql<number | string>`count(distinct coalesce(token_id, user_id))`.as("callers")])
      .where("tenant_id", "=", who.tenant)
      .where("action", "=", sql.lit(callAction))
      .where("subject", "=", subject)
      .where("at", ">=", from)
      .where("at", "<", to)
      .where("decision", "in", ["allow", "require_approval"])
      .where("outcome", "not in", notMade)
    if (who.user !== null) query = query.where("user_id", "=", who.user)
    return who.tokenId === null ? query : query.where("token_id", "=", who.tokenId)
  }

  async function positionOf(tenant: string, id: NonNullable<After<string>["after"]>): Promise<Position> {
    const call = parseCallId(id)
    if (call) return { at: call.at, id, call }
    const query = kysely.selectFrom("audit").select("at").where("tenant_id", "=", tenant).where("audit_id", "=", id)
    const [row] = await backend.all(compile(query), "all")
    if (!row) throw new ExecutorError("invalid_request", "The cursor is not from this list; start again without it")
    return { at: row.at, id, call: null }
  }

  function entriesAfter(who: Visibility, filter: AuditFilter, after: Position | null) {
    let query = kysely.selectFrom("audit").select(auditColumns).select(linkColumns).where("tenant_id", "=", who.tenant)
    if (who.user !== null) query = query.where("user_id", "=", who.user)
    if (who.tokenId !== null) query = query.where("token_id", "=", who.tokenId)
    if (filter.executionId !== undefined) query = query.where("execution_id", "=", filter.executionId)
    if (filter.action !== undefined) query = query.where("action", "=", filter.action)
    if (filter.rule !== undefined) query = query.where("rule", "=", filter.rule)
    if (filter.outcome !== undefined) query = query.where("outcome", "=", filter.outcome)
    if (filter.id !== undefined) query = query.where("audit_id", "=", filter.id)
    if (filter.user !== undefined) query = query.where("user_id", "=", filter.user)
    if (filter.subject !== undefined) query = query.where("subject", "in", subjectsOf(filter.subject))
    if (filter.from !== undefined) query = query.where("at", ">=", filter.from)
    if (filter.to !== undefined) query = query.where("at", "<", filter.to)
    if (after !== null) {
      const { at, id } = after
      query = query.where(({ eb, refTuple, tuple }) => eb(refTuple("at", "audit_id"), "<", tuple(at, id)))
    }
    return query.orderBy("at", "desc").orderBy("audit_id", "desc")
  }

  function callsAfter(who: Visibility, filter: AuditFilter, after: Position | null) {
    let query = callEntries(builder, who.tenant)
    if (who.user !== null) query = query.where("e.user_id", "=", who.user)
    if (who.tokenId !== null) query = query.where("e.token_id", "=", who.tokenId)
    if (filter.executionId !== undefined) query = query.where("c.execution_id", "=", filter.executionId)
    if (filter.rule !== undefined) query = query.where("c.rule", "=", filter.rule)
    if (filter.outcome !== undefined) query = query.where(callOutcome, "=", filter.outcome)
    if (filter.user !== undefined) query = query.where("e.user_id", "=", filter.user)
    if (filter.subject !== undefined) query = query.where("c.address", "in", subjectsOf(filter.subject))
    if (filter.from !== undefined) query = query.where("c.started_at", ">=", filter.from)
    if (filter.to !== undefined) query = query.where("c.started_at", "<", filter.to)
    const one = filter.id === undefined ? null : parseCallId(filter.id)
    if (one)
      query = query.where("c.started_at", "=", one.at).where("c.execution_id", "=", one.executionId).where("c.call_key", "=", one.key)
    if (after?.call === null) query = query.where("c.started_at", "<", after.at)
    if (after?.call) {
      const { at, executionId, key } = after.call
      query = query
        .where("c.started_at", "<=", at)
        .where(({ eb, refTuple, tuple }) => eb(refTuple("c.started_at", "c.execution_id", "c.call_key"), "<", tuple(at, executionId, key)))
    }
    return query.orderBy("c.started_at", "desc").orderBy("c.execution_id", "desc").orderBy("c.call_key", "desc")
  }
}

/** Both are in the order of the stream. What is in both is an entry. */
function merge(entries: readonly SealedRow[], calls: readonly SealedRow[]): SealedRow[] {
  const merged: SealedRow[] = []
  let next = 0
  for (const call of calls) {
    for (let entry = entries[next]; entry && !isLater(call, entry); entry = entries[next]) {
      merged.push(entry)
      next += 1
    }
    if (merged.at(-1)?.id !== call.id) merged.push(call)
  }
  return [...merged, ...entries.slice(next)]
}

const isLater = (one: AuditRow, other: AuditRow): boolean => one.at > other.at || (one.at === other.at && one.id > other.id)
