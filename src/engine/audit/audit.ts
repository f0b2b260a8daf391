// Records administrative changes in the audit log, with who made them and their outcome.
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import { newAuditRow } from "./row.ts"
import type { AuditFacts } from "./row.ts"
import type { EngineParts } from "../engine-parts.ts"

export type WithAudit = <T>(action: string, subject: string, work: () => Promise<T>, tell?: (done: T) => AuditDetails) => Promise<T>

/** Known once the work is done. Stored as it is, so it must hold nothing secret. */
export type AuditDetails = { readonly subject?: string; readonly details: Readonly<Record<string, unknown>> }

/** Records refusals too. */
export const withAudit =
  (principal: Principal, parts: EngineParts): WithAudit =>
  async (action, subject, work, tell) => {
    const done = await withRefusalAudit(principal, parts)(action, subject, work)
    const told = tell?.(done) ?? { details: {} }
    await put(principal, { action, outcome: "ok", subject, ...told, details: JSON.stringify(told.details) }, parts)
    return done
  }

/** How a change is told: by what was there before and what is there afterwards, without anything secret. */
export type ChangeShown<Before, After> = {
  look(): Promise<Before | null>
  before(seen: Before): Readonly<Record<string, unknown>>
  /** Left out where nothing is there any more. */
  after?(done: After): Readonly<Record<string, unknown>>
}

export type WithChangeAudit = <Before, After>(
  action: string,
  subject: string,
  work: () => Promise<After>,
  shown: ChangeShown<Before, After>,
) => Promise<After>

/** Where the state before cannot be read, the work itself refuses or goes on without it. */
export const withChangeAudit =
  (principal: Principal, parts: EngineParts): WithChangeAudit =>
  async (action, subject, work, shown) => {
    let before: Readonly<Record<string, unknown>> | null = null
    const lookAndWork = async () => {
      const seen = await shown.look().catch(() => null)
      before = seen === null ? null : shown.before(seen)
      return work()
    }
    return withAudit(principal, parts)(action, subject, lookAndWork, (done) => ({
      details: { before, after: shown.after?.(done) ?? null },
    }))
  }

/** For work that records its own success. */
export const withRefusalAudit =
  (principal: Principal, parts: EngineParts): WithAudit =>
  async (action, subject, work) => {
    try {
      return await work()
    } catch (error) {
      await put(principal, { action, subject, outcome: error instanceof ExecutorError ? error.code : "internal" }, parts)
      throw error
    }
  }

const put = (principal: Principal, facts: AuditFacts, parts: EngineParts): Promise<void> =>
  parts.executions.journal.append([{ kind: "audit", row: newAuditRow(principal, facts, parts.clock) }], "now")
