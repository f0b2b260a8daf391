// One entry of the audit log: a call or an administrative change, who made it, and the decision.
import type { Caller } from "../principal.ts"

/** An entry must match all given fields. */
export type AuditFilter = {
  readonly executionId?: string
  /** The exact action, e.g. `call` or `policy.create`. */
  readonly action?: string
  readonly rule?: string
  readonly outcome?: string
}

export type AuditView = {
  readonly id: string
  readonly at: string
  readonly principal: Caller
  /** `call`, or an administrative change, e.g. `policy.create`. */
  readonly action: string
  readonly subject: string
  readonly executionId: string | null
  readonly decision: string | null
  /** The policy that decided. */
  readonly rule: string | null
  /** `ok`, or an error code. */
  readonly outcome: string
  readonly details: unknown
  /** Its place in the chain of the tenant's audit; null until it is sealed, and for what earlier versions wrote. */
  readonly position: number | null
  readonly previousHash: string | null
  readonly hash: string | null
}

export type AuditExportRequest = {
  readonly format: "ndjson" | "csv"
  /** From this moment on: a day, or a time with its zone. */
  readonly from?: string
  /** Before this moment. */
  readonly to?: string
}
