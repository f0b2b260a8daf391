// Creates the audit row of one call or change.
import type { Principal } from "../../core/principal.ts"
import type { Clock } from "../../io/clock.ts"
import { newId } from "../../io/ids.ts"
import type { AuditRow } from "../../store/audit-store.ts"

export type AuditFacts = Pick<AuditRow, "action" | "subject" | "outcome"> &
  Partial<Pick<AuditRow, "executionId" | "decision" | "rule" | "details">>

const subjectCharsMax = 300

/** Who acted, as a row names them. */
export type Actor = Pick<Principal, "tenant" | "user" | "kind" | "tokenId">

export function newAuditRow(principal: Actor, facts: AuditFacts, clock: Clock): AuditRow {
  const now = clock.now()
  return {
    tenant: principal.tenant,
    id: newId("aud", now),
    at: now.toISOString(),
    user: principal.user,
    principalKind: principal.kind,
    tokenId: principal.tokenId,
    executionId: null,
    decision: null,
    rule: null,
    details: "{}",
    ...facts,
    subject: facts.subject.slice(0, subjectCharsMax),
  }
}
