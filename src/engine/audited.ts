// Notes administrative changes, with who made them and how they ended.
import { ExecutorError } from "../core/errors.ts"
import type { Principal } from "../core/principal.ts"
import { newId } from "../io/ids.ts"
import type { AuditRow } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"

export type Audited = <T>(action: string, subject: string, work: () => Promise<T>) => Promise<T>

/** A refusal is noted too: somebody tried. */
export const audited =
  (principal: Principal, parts: EngineParts): Audited =>
  async (action, subject, work) => {
    try {
      const done = await work()
      await put(principal, action, subject, "ok", parts)
      return done
    } catch (error) {
      await put(principal, action, subject, error instanceof ExecutorError ? error.code : "internal", parts)
      throw error
    }
  }

function put(principal: Principal, action: string, subject: string, outcome: string, parts: EngineParts): Promise<void> {
  const now = parts.clock.now()
  const row: AuditRow = {
    tenant: principal.tenant,
    id: newId("aud", now),
    at: now.toISOString(),
    user: principal.user,
    principalKind: principal.kind,
    tokenId: principal.tokenId,
    action,
    subject: subject.slice(0, 300),
    executionId: null,
    decision: null,
    rule: null,
    outcome,
    details: "{}",
  }
  return parts.executions.journal.append([{ kind: "audit", row }], "now")
}
