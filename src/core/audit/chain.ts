// The chain of a tenant's audit: each entry holds the hash of the one before it, so that a change or a removal shows.
import { canonicalJson } from "../json/canonical.ts"

/** What the first entry names as the one before it. */
export const chainStart = { position: 0, hash: "0".repeat(64) } as const

/** Where an entry stands in the chain. */
export type ChainLink = { readonly position: number; readonly previousHash: string; readonly hash: string }
export type ChainPlace = Pick<ChainLink, "position" | "hash">

/** An entry as it is hashed and exported: nothing is shown beside it that could be changed unnoticed. */
export type AuditEntry = {
  readonly tenant: string
  readonly id: string
  readonly at: string
  readonly user: string
  readonly kind: string
  readonly tokenId: string | null
  readonly action: string
  readonly subject: string
  readonly executionId: string | null
  readonly decision: string | null
  readonly rule: string | null
  readonly outcome: string
  readonly details: unknown
}

/**
 * The text whose SHA-256 is the entry's hash: the canonical JSON of the entry with its position and `previousHash`.
 * Its fields stand here in the order of their names, which is faster than to sort them for every call.
 */
export function chainText(entry: AuditEntry, { position, previousHash }: Pick<ChainLink, "position" | "previousHash">): string {
  const { action, at, decision, details, executionId, id, kind, outcome, rule, subject, tenant, tokenId, user } = entry
  const before = JSON.stringify({ action, at, decision }).slice(0, -1)
  const behind = JSON.stringify({ executionId, id, kind, outcome, position, previousHash, rule, subject, tenant, tokenId, user }).slice(1)
  return `${before},"details":${canonicalJson(details)},${behind}`
}
