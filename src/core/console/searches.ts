// Searches that were made, and what came of them.
import type { Caller } from "../principal.ts"

/** `first`: the first hit was called; `other`: another tool was; `none`: no tool was; `nothing`: no tool fitted well, and none was called. */
export const searchOutcomes = ["first", "other", "none", "nothing"] as const
export type SearchOutcome = (typeof searchOutcomes)[number]

export type SearchesFilter = { readonly outcome?: SearchOutcome }

export type SearchMade = {
  readonly executionId: string
  readonly callKey: string
  readonly time: string
  readonly principal: Caller
  readonly query: string
  readonly namespace: string | null
  /** The first of what it showed, best first. */
  readonly found: readonly string[]
  readonly foundCount: number
  /** The tools that were called because of it, in their order. */
  readonly called: readonly string[]
  readonly outcome: SearchOutcome
}
