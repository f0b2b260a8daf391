// Tracks how much time the long runs of each principal took on the fast threads, and who has used up its share for now.
//
// The watchdog moves whoever it can see computing. Code that fills its memory, or computes for a few milliseconds again
// and again, is done before it can be moved, and its thread is late for everybody else. So a principal may use a part of
// one processor in that way; beyond it, and while there are others, its runs start in the slow lane until it is paid off.

/** Shorter runs are nobody's burden. */
const longMs = 2
/** The part of a processor that is free. */
const paidPerMs = 0.1
const debtMax = 50
/** Nobody is kept away for longer than it takes to pay this off. */
const debtCountedMax = 500
/** There are others if another principal came within this time. */
const othersMs = 10_000
const principalsMax = 1000

/** How much the last run counts for what is usual. */
const lastRunWeight = 0.3

type Debt = { readonly ms: number; readonly atMs: number; readonly usualMs: number }

export type CpuDebt = {
  /** A run of the principal was admitted. */
  arrived(principal: string, nowMs: number): void
  /** A run goes to a fast thread: what is usual for the principal is counted at once, since many may start together. */
  started(principal: string, nowMs: number): number
  /** A run of the principal has ended in a fast thread; for it `countedMs` was counted before. */
  charge(principal: string, cpuMs: number, countedMs: number, nowMs: number): void
  isOverdrawn(principal: string, nowMs: number): boolean
}

export function createCpuDebt(): CpuDebt {
  const debts = new Map<string, Debt>()
  let latest: string | null = null
  let changedAtMs = Number.NEGATIVE_INFINITY

  const left = (debt: Debt | undefined, nowMs: number): number => (debt ? Math.max(0, debt.ms - (nowMs - debt.atMs) * paidPerMs) : 0)

  function forgetPaid(nowMs: number): void {
    for (const [principal, debt] of debts) if (left(debt, nowMs) === 0) debts.delete(principal)
  }

  return {
    arrived(principal, nowMs) {
      if (latest !== null && latest !== principal) changedAtMs = nowMs
      latest = principal
    },
    started(principal, nowMs) {
      const debt = debts.get(principal)
      if (!debt || debt.usualMs < longMs) return 0
      debts.set(principal, { ...debt, ms: Math.min(debtCountedMax, left(debt, nowMs) + debt.usualMs), atMs: nowMs })
      return debt.usualMs
    },
    charge(principal, cpuMs, countedMs, nowMs) {
      const debt = debts.get(principal)
      if (!debt && cpuMs < longMs) return
      if (!debt && debts.size >= principalsMax) forgetPaid(nowMs)
      const ms = Math.min(debtCountedMax, Math.max(0, left(debt, nowMs) - countedMs + (cpuMs < longMs ? 0 : cpuMs)))
      const usualMs = debt ? debt.usualMs + (cpuMs - debt.usualMs) * lastRunWeight : cpuMs
      debts.set(principal, { ms, atMs: nowMs, usualMs })
    },
    isOverdrawn: (principal, nowMs) => nowMs - changedAtMs < othersMs && left(debts.get(principal), nowMs) > debtMax,
  }
}
