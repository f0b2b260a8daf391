// The audit: administrative changes and the calls of executions, merged into one stream by time.
//
// The order is newest first; within one moment first what was written to the audit, then calls, each by key. An entry
// of the audit has an id of its own; a call gets one that says where in the stream it stands.
import { ExecutorError } from "../../core/errors.ts"
import type { AuditRow, AuditRows, CallRow, Visibility } from "../execution-store.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { After } from "../store.ts"
import type { ExecutionBackend } from "./backend.ts"
import { auditColumns } from "./shapes.ts"

type Position =
  | { readonly kind: "beginning" }
  | { readonly kind: "entry"; readonly at: string; readonly id: string }
  | { readonly kind: "call"; readonly at: string; readonly executionId: string; readonly key: string }

export function auditQueries({ kysely }: Builder, backend: ExecutionBackend): AuditRows {
  return {
    async list(who, page) {
      const after = await positionOf(who.tenant, page.after)
      const entries = await backend.all(compile(entriesAfter(who, after, page.limit)), "all")
      const calls = await backend.all(compile(callsAfter(who, after, page.limit)), "all")
      return merge(
        entries.map((row) => ({ ...row })),
        calls.map(toAudit),
      ).slice(0, page.limit)
    },
    put: (row) => backend.append([{ kind: "audit", row }], "now"),
  }

  async function positionOf(tenant: string, id: After<string>["after"]): Promise<Position> {
    if (id === null) return { kind: "beginning" }
    const call = callIdPattern.exec(id)?.groups
    if (call) return { kind: "call", at: call["at"] ?? "", executionId: call["executionId"] ?? "", key: call["key"] ?? "" }
    const query = kysely.selectFrom("audit").select("at").where("tenant_id", "=", tenant).where("audit_id", "=", id)
    const [row] = await backend.all(compile(query), "all")
    if (!row) throw new ExecutorError("invalid_request", "There is no such place in the audit; begin again without a cursor")
    return { kind: "entry", at: row.at, id }
  }

  function entriesAfter(who: Visibility, after: Position, limit: number) {
    let query = kysely.selectFrom("audit").select(auditColumns).where("tenant_id", "=", who.tenant)
    if (who.user !== null) query = query.where("user_id", "=", who.user)
    if (who.tokenId !== null) query = query.where("token_id", "=", who.tokenId)
    if (after.kind === "call") query = query.where("at", "<", after.at)
    if (after.kind === "entry") {
      const { at, id } = after
      query = query.where(({ eb, refTuple, tuple }) => eb(refTuple("at", "audit_id"), "<", tuple(at, id)))
    }
    return query.orderBy("at", "desc").orderBy("audit_id", "desc").limit(limit)
  }

  function callsAfter(who: Visibility, after: Position, limit: number) {
    let query = kysely
      .selectFrom("calls as c")
      .innerJoin("executions as e", (join) => join.onRef("e.tenant_id", "=", "c.tenant_id").onRef("e.execution_id", "=", "c.execution_id"))
      .select([
        "c.tenant_id",
        "c.execution_id",
        "c.call_key",
        "c.address",
        "c.state",
        "c.decision",
        "c.rule",
        "c.error_code",
        "c.ms",
        "c.approval_id",
      ])
      .select(["e.user_id", "e.principal_kind", "e.token_id"])
      .select((select) => select.ref("c.started_at").$notNull().as("started_at"))
      .where("c.tenant_id", "=", who.tenant)
      .where("c.started_at", "is not", null)
    if (who.user !== null) query = query.where("e.user_id", "=", who.user)
    if (who.tokenId !== null) query = query.where("e.token_id", "=", who.tokenId)
    if (after.kind === "entry") query = query.where("c.started_at", "<=", after.at)
    if (after.kind === "call") {
      const { at, executionId, key } = after
      query = query
        .where("c.started_at", "<=", at)
        .where(({ eb, refTuple, tuple }) => eb(refTuple("c.started_at", "c.execution_id", "c.call_key"), "<", tuple(at, executionId, key)))
    }
    return query.orderBy("c.started_at", "desc").orderBy("c.execution_id", "desc").orderBy("c.call_key", "desc").limit(limit)
  }
}

/** Sortable by time, and enough to find the place again. */
const callId = (at: string, executionId: string, key: string): string => `call~${at}~${executionId}~${key}`
const callIdPattern = /^call~(?<at>[^~]+)~(?<executionId>[^~]+)~(?<key>[^]*)$/

type CallEntry = {
  readonly tenant_id: string
  readonly execution_id: string
  readonly call_key: string
  readonly address: string
  readonly state: CallRow["state"]
  readonly decision: string
  readonly rule: string | null
  readonly error_code: string | null
  readonly ms: number | null
  readonly approval_id: string | null
  readonly user_id: string
  readonly principal_kind: AuditRow["principalKind"]
  readonly token_id: string | null
  readonly started_at: string
}

const toAudit = (call: CallEntry): AuditRow => ({
  tenant: call.tenant_id,
  id: callId(call.started_at, call.execution_id, call.call_key),
  at: call.started_at,
  user: call.user_id,
  principalKind: call.principal_kind,
  tokenId: call.token_id,
  action: "call",
  subject: call.address,
  executionId: call.execution_id,
  decision: call.decision,
  rule: call.rule,
  outcome: call.error_code ?? (call.state === "done" ? "ok" : call.state),
  details: JSON.stringify({ ms: call.ms, ...(call.approval_id === null ? {} : { approvalId: call.approval_id }) }),
})

function merge(entries: readonly AuditRow[], calls: readonly AuditRow[]): AuditRow[] {
  const merged: AuditRow[] = []
  let next = 0
  for (const call of calls) {
    for (let entry = entries[next]; entry && entry.at >= call.at; entry = entries[next]) {
      merged.push(entry)
      next += 1
    }
    merged.push(call)
  }
  return [...merged, ...entries.slice(next)]
}
