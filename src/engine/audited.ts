// Notes administrative changes, with who made them and how they ended.
import { ExecutorError } from "../core/errors.ts"
import type { Principal } from "../core/principal.ts"
import { newAuditRow } from "./audit-row.ts"
import type { AuditFacts } from "./audit-row.ts"
import type { EngineParts } from "./engine-parts.ts"

/** `executionIdOf` tells from what was done which execution it was about. */
export type Audited = <T>(action: string, subject: string, work: () => Promise<T>, executionIdOf?: (done: T) => string | null) => Promise<T>

/** A refusal is noted too: somebody tried. */
export const audited =
  (principal: Principal, parts: EngineParts): Audited =>
  async (action, subject, work, executionIdOf) => {
    try {
      const done = await work()
      await put(principal, { action, subject, outcome: "ok", executionId: executionIdOf?.(done) || null }, parts)
      return done
    } catch (error) {
      await put(principal, { action, subject, outcome: error instanceof ExecutorError ? error.code : "internal" }, parts)
      throw error
    }
  }

const put = (principal: Principal, facts: AuditFacts, parts: EngineParts): Promise<void> =>
  parts.executions.journal.append([{ kind: "audit", row: newAuditRow(principal, facts, parts.clock) }], "now")
