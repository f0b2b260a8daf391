// One entry of the audit log: a call or an administrative change, who made it, and the decision.
import { withoutRoot } from "../address.ts"
import type { Caller } from "../principal.ts"

/** An entry must match all given fields. */
export type AuditFilter = {
  readonly id?: string
  readonly executionId?: string
  /** The exact action, e.g. `call` or `policy.create`. */
  readonly action?: string
  readonly rule?: string
  readonly outcome?: string
  /** Who did it, or whose agent. */
  readonly user?: string
  /** The exact subject; that of a call also without `tools.` in front. */
  readonly subject?: string
  /** From this moment on: a day, or a time with its zone. */
  readonly from?: string
  /** Before this moment. */
  readonly to?: string
}

/** Of an entry as it is kept, with times as `toISOString` writes them. */
export const fitsFilter = (
  entry: Record<Exclude<keyof AuditFilter, "from" | "to">, string | null> & { readonly at: string },
  filter: AuditFilter,
): boolean =>
  (filter.from === undefined || entry.at >= filter.from) &&
  (filter.to === undefined || entry.at < filter.to) &&
  (filter.subject === undefined || subjectsOf(filter.subject).includes(entry.subject ?? "")) &&
  (["id", "executionId", "action", "rule", "outcome", "user"] as const).every(
    (field) => filter[field] === undefined || entry[field] === filter[field],
  )

/** A path is copied with or without the root that addresses have. */
export const subjectsOf = (subject: string): readonly string[] => [subject, `tools.${withoutRoot(subject)}`]

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

export type AuditExportRequest = AuditFilter & { readonly format: "ndjson" | "csv" }
