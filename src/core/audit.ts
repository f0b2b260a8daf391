// One line of the audit: a call or an administrative change, who made it, and what was decided.
import type { Caller } from "./principal.ts"

/** All that are given must fit. */
export type AuditFilter = {
  readonly executionId?: string
  /** Exactly, e.g. `call` or `policy.create`. */
  readonly action?: string
  readonly rule?: string
  readonly outcome?: string
}

export type AuditView = {
  readonly id: string
  readonly at: string
  readonly principal: Caller
  /** `call`, or what was administered, e.g. `policy.create`. */
  readonly action: string
  readonly subject: string
  readonly executionId: string | null
  readonly decision: string | null
  /** The policy that decided. */
  readonly rule: string | null
  /** `ok`, or an error's code. */
  readonly outcome: string
  readonly details: unknown
}
