// Notes administrative changes, with who made them and how they ended.
import { ExecutorError } from "../core/errors.ts"
import type { Principal } from "../core/principal.ts"
import { newAuditRow } from "./audit-row.ts"
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

const put = (principal: Principal, action: string, subject: string, outcome: string, parts: EngineParts): Promise<void> =>
  parts.executions.journal.append([{ kind: "audit", row: newAuditRow(principal, { action, subject, outcome }, parts.clock) }], "now")
