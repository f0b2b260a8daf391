// The budget of one execution: calls and bytes of journal.
import type { Limits } from "../../core/limits.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { RunBytes } from "./held-bytes.ts"

export type Budget = {
  /** Null while there is enough. A call that is repeated in a replay is counted once. */
  take(call: { readonly key: string; readonly argsJson: string }): ToolFailure | null
  /** Null while there is room for one more large answer. Calls that are made side by side pass `take` before any of them is answered. */
  full(): ToolFailure | null
  spend(bytes: number): void
}

const unkept =
  "The call was made, but there was no room left for its response: the results of running executions have reached the limit. Request less at a time, or split the work"

export type RecordedCall = { readonly key: string; readonly argsJson: string; readonly answerJson: string | null }

/** `recorded`: what earlier runs of the execution have spent. `held`: where its bytes count together with those of others. */
export function createBudget(limits: Limits, recorded: readonly RecordedCall[], held: RunBytes): Budget {
  const counted = new Set(recorded.map(({ key }) => key))
  let bytes = recorded.reduce((sum, call) => sum + call.argsJson.length + (call.answerJson?.length ?? 0), 0)
  held.add(bytes)
  const isFull = (): boolean =>
    bytes > limits.executionJournalBytesMax ||
    held.ofPrincipal() > limits.executionsJournalBytesPerPrincipalMax ||
    held.ofAll() > limits.executionsJournalBytesMax
  return {
    full: () => (isFull() ? fail("budget_exceeded", unkept) : null),
    take(call) {
      if (!counted.has(call.key)) {
        counted.add(call.key)
        bytes += call.argsJson.length
        held.add(call.argsJson.length)
      }
      if (counted.size > limits.executionCallsMax) {
        return fail(
          "budget_exceeded",
          `This execution has made ${limits.executionCallsMax} calls, the maximum; split the work into several executions`,
        )
      }
      if (bytes > limits.executionJournalBytesMax) {
        return fail(
          "budget_exceeded",
          "The results of this execution exceed the limit of its journal; request less at a time, or split the work",
        )
      }
      if (held.ofPrincipal() > limits.executionsJournalBytesPerPrincipalMax || held.ofAll() > limits.executionsJournalBytesMax) {
        return fail(
          "budget_exceeded",
          "The running executions use all the memory reserved for results; wait for some of them to end, or request less at a time",
        )
      }
      return null
    },
    spend(more) {
      bytes += more
      held.add(more)
    },
  }
}

/** A single call outside an execution. */
export const unlimitedBudget: Budget = { take: () => null, full: () => null, spend: () => {} }
