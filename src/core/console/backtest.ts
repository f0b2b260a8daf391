// What rules would have decided about calls that were made, and how many tools a pattern matches.
import type { PolicyAction, PolicyCreate } from "../policy.ts"
import type { Caller } from "../principal.ts"

/** A rule with the id of a stored one is that rule, changed; the owner's other rules are those that are given, and no others. */
export type BacktestRule = Omit<PolicyCreate, "by"> & { readonly id?: string }

export type BacktestRequest = {
  /** All rules as they would be. */
  readonly rules: readonly BacktestRule[]
  /** Only rows about which something else would be decided; the counts are of all calls. */
  readonly changedOnly?: boolean
  readonly limit?: number
  readonly cursor?: string
}

export type BacktestRow = {
  readonly executionId: string
  readonly callKey: string
  readonly path: string
  readonly time: string
  readonly principal: Caller
  readonly was: PolicyAction
  readonly would: PolicyAction
  /** The id of the rule that would decide, or `rules[n]` of one without an id; null: none matches. */
  readonly rule: string | null
}

export type Backtest = {
  /** How many calls were looked at: the latest ones that the reader may read. */
  readonly calls: number
  readonly allowed: number
  readonly asked: number
  readonly blocked: number
  /** By `was→would`, such as `ask→allow`; without those that stay as they were. */
  readonly changed: Readonly<Record<string, number>>
  readonly rows: readonly BacktestRow[]
  readonly nextCursor: string | null
}

export type PatternCount = {
  /** As it was given. */
  readonly pattern: string
  /** As a rule would keep it. */
  readonly readAs: string
  readonly count: number
  /** The first of them. */
  readonly tools: readonly string[]
}
