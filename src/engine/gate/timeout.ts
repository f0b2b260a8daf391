// How long one call of an execution may take.
import type { Limits } from "../../core/limits.ts"
import { fail } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import type { ExecutionRow } from "../../store/execution-store.ts"
import type { OpenTarget, SourceCall } from "./call.ts"

/** Whoever gave the execution more time, or less, knows how long its calls take: one of them may use all of it. */
export const callTimeoutOf = ({ wallMs }: Pick<ExecutionRow, "wallMs">, { callTimeoutMs, executionWallMs }: Limits): number =>
  wallMs === executionWallMs ? callTimeoutMs : Math.max(callTimeoutMs, wallMs)

/** A source that keeps to its time says more about what happened than can be said here. */
const answerGraceMs = 250

/** Ends a call that takes longer than its tool allows, whether its source listens or not; null: it says nothing of it. */
export const callWithin = (timeoutMs: number | null, opened: OpenTarget, call: SourceCall): Promise<ToolResult> =>
  timeoutMs === null ? opened.call(call) : callTimed(timeoutMs, opened, call)

async function callTimed(timeoutMs: number, opened: OpenTarget, call: SourceCall): Promise<ToolResult> {
  const limitMs = Math.min(call.timeoutMs, timeoutMs)
  const over = new AbortController()
  const late = Promise.withResolvers<ToolResult>()
  const timer = setTimeout(() => {
    late.resolve(lateAnswer(limitMs, call))
    over.abort()
  }, limitMs + answerGraceMs)
  const ask: SourceCall["elicit"] = (request) =>
    over.signal.aborted ? Promise.reject(new Error("The call is over; its tool can ask nothing more")) : call.elicit(request)
  const within: SourceCall = {
    ...call,
    timeoutMs: limitMs,
    signal: AbortSignal.any([call.signal, over.signal]),
    elicit: Object.assign(ask, call.elicit.state === undefined ? {} : { state: call.elicit.state }),
  }
  try {
    return await Promise.race([late.promise, opened.call(within)])
  } finally {
    clearTimeout(timer)
  }
}

function lateAnswer(limitMs: number, { effect }: SourceCall): ToolResult {
  const message = `The call took longer than ${limitMs / 1000} s, which its tool allows as timeout_s`
  if (effect === "read") return fail("timeout", message)
  return fail("outcome_unknown", `${message}; it may or may not have taken effect. Check before you repeat it`)
}
