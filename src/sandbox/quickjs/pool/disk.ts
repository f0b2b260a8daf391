// Decides who may start another execution, by how much disk space its waiting executions use.
import type { Pool } from "./pool.ts"
import { pageBytes } from "../vm/page-store.ts"

/** Whoever might fill its share of the disk with one more execution waits until some have ended. */
export function maySpillMore(principal: string, pool: Pool): boolean {
  const { memory, runningPerPrincipal, options } = pool
  const own = memory.pagesOf(principal, "spilled")
  if (own === 0) return true
  const { spilled, spilledPerPrincipal } = options.worker.memoryBudget
  const largestPages = options.worker.memoryBytes / pageBytes
  const isFull = memory.pagesOf(null, "spilled") + largestPages > spilled
  return own + largestPages <= (isFull ? Math.min(spilledPerPrincipal, spilled / runningPerPrincipal.size) : spilledPerPrincipal)
}
