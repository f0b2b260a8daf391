// The store port for the audit: its entries, and the chain that they form once they are sealed.
//
// Entries are recorded by the journal and sealed soon after, by one process at a time, in a group that shares its
// commit. A sealed entry has a position, and the hash of itself together with the hash of the entry before it.
import type { AuditEntry, ChainLink, ChainPlace } from "../core/audit/chain.ts"
import type { AuditFilter } from "../core/audit/entry.ts"
import type { PrincipalKind } from "../core/principal.ts"
import type { JsonText } from "../core/tool.ts"
import type { Visibility } from "./execution-store.ts"
import type { After } from "./store.ts"

export interface AuditRows {
  /** Administrative changes and calls of executions in one stream, newest first. */
  list(who: Visibility, filter: AuditFilter, page: After<string>): Promise<SealedRow[]>
  /** Calls of one address, among those that `who` sees, which reached their tool. */
  usage(who: Visibility, subject: string, time: Required<AuditTime>): Promise<ToolUsage>
  /** Seals whatever is not sealed yet, and answers the chain as it is then. */
  chain(tenant: string): Promise<AuditChain>
  /** Entries behind this one, in the order of the chain, also those whose position the chain does not have. */
  sealed(tenant: string, after: { readonly position: number; readonly id: string } | null, limit: number): Promise<SealedRow[]>
  /** The first and last position of entries of this time, among `span` positions behind `after`; null for none. */
  findSealed(tenant: string, time: AuditTime, after: number, span: number): Promise<{ first: number; last: number } | null>
  /** Entries outside of the chain, oldest first. */
  outside(tenant: string, time: AuditTime, page: After<AuditPlace>): Promise<AuditRow[]>
}

/** `callers`: people and tokens that made the calls, each once. */
export type ToolUsage = { readonly calls: number; readonly callers: number }

export type AuditPlace = Pick<AuditRow, "at" | "id">
/** From this moment on, and before that one. */
export type AuditTime = { readonly from?: string; readonly to?: string }

export type AuditChain = {
  /** The last entry; everything up to it and behind `pruned` must be there. */
  readonly head: ChainPlace
  /** The last entry that was deleted for its age. */
  readonly pruned: ChainPlace
  /** Entries before this time may be outside of the chain, because earlier versions wrote them; '' where none did. */
  readonly beginsAt: string
}

/** `link`: null until it is sealed, and outside of the chain. */
export type SealedRow = AuditRow & { readonly link: ChainLink | null }

export type AuditRow = {
  readonly tenant: string
  /** Sortable by time. */
  readonly id: string
  readonly at: string
  readonly user: string
  readonly principalKind: PrincipalKind
  readonly tokenId: string | null
  /** `call`, or what was administered, e.g. `policy.create`. */
  readonly action: string
  readonly subject: string
  readonly executionId: string | null
  readonly decision: string | null
  readonly rule: string | null
  /** `ok`, or an error's code. */
  readonly outcome: string
  readonly details: JsonText
}

export const entryOf = (row: AuditRow): AuditEntry => ({
  tenant: row.tenant,
  id: row.id,
  at: row.at,
  user: row.user,
  kind: row.principalKind,
  tokenId: row.tokenId,
  action: row.action,
  subject: row.subject,
  executionId: row.executionId,
  decision: row.decision,
  rule: row.rule,
  outcome: row.outcome,
  details: readDetails(row.details),
})

/** Text that is no JSON was not written by us; it is shown as it is. */
export function readDetails(text: JsonText): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
