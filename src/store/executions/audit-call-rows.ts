// The calls of executions as lines of the audit: the same whether they are read from the journal or were kept when it was forgotten.
import { sql } from "kysely"
import type { AuditRow } from "../audit-store.ts"
import type { Asker, CallRow } from "../execution-store.ts"
import type { Builder } from "../statement.ts"

/** One call with whoever asked for it. */
export type CallEntry = {
  readonly tenant_id: string
  readonly execution_id: string
  readonly call_key: string
  readonly address: string
  readonly decision: string
  readonly rule: string | null
  readonly outcome: string
  readonly ms: number | null
  readonly approval_id: string | null
  readonly user_id: string
  readonly principal_kind: AuditRow["principalKind"]
  readonly token_id: string | null
  readonly started_at: string
}

export const callAction = "call"

/** As the audit says how a call went. */
export const callOutcome = sql<string>`coalesce(c.error_code, case when c.state = 'done' then 'ok' else c.state end)`

export const callEntries = ({ kysely }: Builder, tenant: string) =>
  kysely
    .selectFrom("calls as c")
    .innerJoin("executions as e", (join) => join.onRef("e.tenant_id", "=", "c.tenant_id").onRef("e.execution_id", "=", "c.execution_id"))
    .select(["c.tenant_id", "c.execution_id", "c.call_key", "c.address", "c.decision", "c.rule", "c.ms"])
    .select(["c.approval_id", "e.user_id", "e.principal_kind", "e.token_id"])
    .select(callOutcome.as("outcome"))
    .select((select) => select.ref("c.started_at").$notNull().as("started_at"))
    .where("c.tenant_id", "=", tenant)
    .where("c.started_at", "is not", null)
    // What was answered from the record of another execution was not made.
    .where("c.run", ">", 0)

export type CallPlace = { readonly at: string; readonly executionId: string; readonly key: string }

/**
 * Enough to find the place again, also when the journal is gone. Ids of executions have one length, so that the order
 * of these texts is the order of their parts.
 */
const callId = ({ at, executionId, key }: CallPlace): string => `call~${at}~${executionId}~${key}`
const callIdPattern = /^call~(?<at>[^~]+)~(?<executionId>[^~]+)~(?<key>[^]*)$/

/** Null for the id of anything else. */
export function parseCallId(id: string): CallPlace | null {
  const parts = callIdPattern.exec(id)?.groups
  return parts ? { at: parts["at"] ?? "", executionId: parts["executionId"] ?? "", key: parts["key"] ?? "" } : null
}

/** Of a call that is done, as its execution records it; null for any other. */
export function auditRowOf(row: CallRow, { user, principalKind, tokenId }: Asker): AuditRow | null {
  if (row.state !== "done" || row.startedAt === null) return null
  return auditCallRow({
    tenant_id: row.tenant,
    execution_id: row.executionId,
    call_key: row.key,
    address: row.address,
    decision: row.decision,
    rule: row.rule,
    outcome: row.errorCode ?? "ok",
    ms: row.ms,
    approval_id: row.approvalId,
    user_id: user,
    principal_kind: principalKind,
    token_id: tokenId,
    started_at: row.startedAt,
  })
}

export const auditCallRow = (call: CallEntry): AuditRow => ({
  tenant: call.tenant_id,
  id: callId({ at: call.started_at, executionId: call.execution_id, key: call.call_key }),
  at: call.started_at,
  user: call.user_id,
  principalKind: call.principal_kind,
  tokenId: call.token_id,
  action: callAction,
  subject: call.address,
  executionId: call.execution_id,
  decision: call.decision,
  rule: call.rule,
  outcome: call.outcome,
  details: JSON.stringify({ ms: call.ms, ...(call.approval_id === null ? {} : { approvalId: call.approval_id }) }),
})
