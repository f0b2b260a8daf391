// Limits what one principal may leave waiting for humans: the number of approvals and their size.
//
// The rows are the truth, on any number of nodes; they are counted once a second at most, and again before anybody is
// refused, so that what was answered meanwhile makes room at once. In between each node adds what it asks itself.
import type { Limits } from "../../core/limits.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Principal } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { Clock } from "../../io/clock.ts"
import { executorCommand } from "../../io/executor-command.ts"
import type { ApprovalRows } from "../../store/execution-store.ts"
import { principalKey } from "../../io/fair-queue.ts"

const countedForMs = 1000
/** Whoever is refused again and again does not make the store count each time. */
const recountAfterMs = 100
const principalsMax = 1000

export type WaitingQuota = {
  /** Null when one more question may be asked; it is counted then. */
  take(principal: Principal, argsJson: string, pendingInExecution: number): Promise<ToolFailure | null>
}

type Count = { count: number; bytes: number }
type Counting = { readonly counted: Promise<Count>; atMs: number }

export function createWaitingQuota(approvals: Pick<ApprovalRows, "waiting">, limits: Limits, clock: Clock): WaitingQuota {
  const countings = new LruMap<string, Counting>(principalsMax)

  /** As old as it may be. All who ask meanwhile share it, and add to it. */
  function countOf(principal: Principal, ageMsMax: number): Promise<Count> {
    const key = principalKey(principal)
    const nowMs = clock.monotonicMs()
    const known = countings.get(key)
    if (known !== undefined && nowMs - known.atMs <= ageMsMax) return known.counted
    const counted = approvals.waiting(principal, clock.now().toISOString()).then((waiting) => ({ ...waiting }))
    const counting = countings.set(key, { counted, atMs: nowMs })
    // One that failed is not kept; whoever asked for it sees the failure.
    counted.catch(() => (counting.atMs = Number.NEGATIVE_INFINITY))
    return counted
  }

  return {
    async take(principal, argsJson, pendingInExecution) {
      if (pendingInExecution >= limits.approvalsPendingPerExecutionMax) return tooManyInOne(limits)
      const isFull = (count: Count): boolean =>
        count.count >= countMaxOf(principal, limits) || count.bytes + argsJson.length > limits.approvalsPendingBytesMax
      let count = await countOf(principal, countedForMs)
      if (isFull(count)) count = await countOf(principal, recountAfterMs)
      if (isFull(count)) return full(principal, count, limits)
      count.count += 1
      count.bytes += argsJson.length
      return null
    },
  }
}

const countMaxOf = ({ kind }: Principal, limits: Limits): number =>
  kind === "agent" ? limits.approvalsPendingPerAgentMax : limits.approvalsPendingPerUserMax

const whatToDo = `answer or cancel some (${executorCommand} approvals list), then try again`

const tooManyInOne = (limits: Limits): ToolFailure =>
  fail(
    "budget_exceeded",
    `${limits.approvalsPendingPerExecutionMax} calls of this execution are waiting for a human, which is the maximum; request fewer at a time, or split the work`,
  )

function full(principal: Principal, count: Count, limits: Limits): ToolFailure {
  const max = countMaxOf(principal, limits)
  const reason =
    count.count >= max
      ? `${count.count} questions of this ${principal.kind} are waiting for a human, which is the maximum`
      : `The pending approvals of this ${principal.kind} exceed ${limits.approvalsPendingBytesMax} bytes`
  return fail("rate_limited", `${reason}; ${whatToDo}`)
}
