// Ends an execution without running its code: because somebody cancels it, or because nobody answered in time.
import { ExecutorError } from "../core/errors.ts"
import type { RunError } from "../core/execution.ts"
import { fail } from "../core/result.ts"
import type { CallRow, ExecutionOutcome, ExecutionRow } from "../store/execution-store.ts"
import { withdrawApprovals } from "./approval-withdraw.ts"
import type { EngineParts } from "./engine-parts.ts"
import { approvalsOf } from "./approval-read.ts"
import { toReply } from "./execution-reply.ts"
import { newLease } from "./lease.ts"

export const approvalExpired: RunError = {
  code: "approval_expired",
  name: "ApprovalExpiredError",
  message: "Nobody answered in time, so the execution was given up without running its code again",
}

/** Ends an execution that no node runs, or that another one runs: that one notices when it renews its lease. */
export async function endStored(row: ExecutionRow, error: RunError, parts: EngineParts): Promise<ExecutionRow> {
  if (!(await parts.executions.executions.claim(row, newLease(parts)))) {
    throw new ExecutorError("conflict", `Execution '${row.id}' changed in this moment; look at it and try again`)
  }
  const endedAt = parts.clock.now().toISOString()
  const { wallUsedMs, pauseCount, logs, emitted, outputsSeen } = row
  const status = error.code === "cancelled" ? "cancelled" : "failed"
  const outcome: ExecutionOutcome = {
    status,
    wallUsedMs,
    pauseCount,
    expiresAt: null,
    endedAt,
    result: null,
    error: JSON.stringify(error),
    logs,
    emitted,
    outputsSeen,
  }
  await parts.executions.journal.append([{ kind: "outcome", tenant: row.tenant, executionId: row.id, run: row.run + 1, outcome }], "now")
  const ended: ExecutionRow = { ...row, ...outcome, run: row.run + 1 }
  await withdrawApprovals(await approvalsOf(row, parts), error.code === "cancelled" ? "cancel" : "expired", parts)
  await endCalls(ended, error, parts)
  parts.live.publish(row.id, () => ({ type: "end", reply: toReply(ended, [], parts) }))
  return ended
}

/** No call of it is left waiting for ever in its history. */
async function endCalls(row: ExecutionRow, error: RunError, parts: EngineParts): Promise<void> {
  const { calls } = await parts.executions.journal.read(row, row.id)
  const open = calls.filter((call) => call.state !== "done")
  if (open.length === 0) return
  const records = open.map((call) => ({ kind: "call" as const, row: endedCall(call, row.run, error) }))
  await parts.executions.journal.append(records, "now")
}

function endedCall(call: CallRow, run: number, error: RunError): CallRow {
  const isUncertain = call.state === "started" && call.effect !== "read"
  const failure = isUncertain
    ? fail("outcome_unknown", "The execution was ended while the call was under way: it may or may not have happened")
    : fail("approval_cancelled", error.message)
  return {
    ...call,
    run,
    state: "done",
    answerForm: "envelope",
    answerJson: JSON.stringify(failure),
    errorCode: failure.error.code,
    errorMessage: failure.error.message,
  }
}
