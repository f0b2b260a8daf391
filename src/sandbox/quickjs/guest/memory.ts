// Counts what each waiting execution of a worker holds, and says whose memory must go to disk.
//
// An instance that did not grow costs nobody anything: there are few, and they are kept anyway. What counts is growth, and
// the pages of parked executions. Over the budget of its principal, the execution that has waited longest gives way;
// over that of the process, the one that has waited longest among those of the principal that holds most in this worker.
import type { GuestRun } from "./run.ts"
import type { MemoryRow } from "../memory-ledger.ts"
import { wholeProcess } from "../memory-ledger.ts"

/** All in pages. */
export type MemoryBudget = {
  readonly residentPerPrincipal: number
  readonly resident: number
  readonly spilledPerPrincipal: number
  readonly spilled: number
}

export type GuestMemory = {
  /** Notes what the execution holds now; it was used last of all. */
  count(run: GuestRun, residentPages: number, spilledPages: number): void
  /** The next to give way, or null while this principal and the process are within their budgets. */
  overBudget(column: number): GuestRun | null
  /** Whether the execution's memory may go to disk. */
  maySpill(run: GuestRun): boolean
}

/** Of one principal, in the order of their last use. */
type Holders = { readonly runs: Set<GuestRun>; pages: number }

export function createGuestMemory(row: MemoryRow, budget: MemoryBudget): GuestMemory {
  const holders = new Map<number, Holders>()

  function note(run: GuestRun, residentPages: number): void {
    const held = holders.get(run.column) ?? { runs: new Set(), pages: 0 }
    held.pages += residentPages - run.residentPages
    held.runs.delete(run)
    if (residentPages > 0) held.runs.add(run)
    if (held.runs.size > 0) holders.set(run.column, held)
    else holders.delete(run.column)
  }

  function largest(): Holders | null {
    let most: Holders | null = null
    for (const held of holders.values()) if (most === null || held.pages > most.pages) most = held
    return most
  }

  const oldest = (held: Holders | null | undefined): GuestRun | null => held?.runs.values().next().value ?? null

  return {
    count(run, residentPages, spilledPages) {
      if (residentPages > 0 || run.residentPages > 0) note(run, residentPages)
      if (residentPages !== run.residentPages) row.add(run.column, "resident", residentPages - run.residentPages)
      if (spilledPages !== run.spilledPages) row.add(run.column, "spilled", spilledPages - run.spilledPages)
      run.residentPages = residentPages
      run.spilledPages = spilledPages
    },
    overBudget(column) {
      if (holders.size === 0) return null
      const own = holders.get(column)
      if (own && row.pagesOf(column, "resident") > budget.residentPerPrincipal) return oldest(own)
      return row.pagesOf(wholeProcess, "resident") > budget.resident ? oldest(largest()) : null
    },
    maySpill: (run) =>
      row.pagesOf(run.column, "spilled") + run.residentPages <= budget.spilledPerPrincipal &&
      row.pagesOf(wholeProcess, "spilled") + run.residentPages <= budget.spilled,
  }
}
