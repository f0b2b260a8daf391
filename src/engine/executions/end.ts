// Ends an execution without running its code, because somebody cancelled it or nobody answered in time.
import { ExecutorError } from "../../core/errors.ts"
import type { RunError } from "../../core/execution.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { CallRow, ExecutionOutcome, ExecutionRow } from "../../store/execution-store.ts"
import { withdrawApprovals } from "../approvals/withdraw.ts"
import type { EngineParts } from "../engine-parts.ts"
import { approvalsOf } from "../approvals/read.ts"
import { endBelow } from "./children/end.ts"
import { endedFacts, endUnbegun } from "./children/unbegun.ts"
import { endCalls } from "./call-end.ts"
import { recapCalls } from "./call-recap.ts"
import { notifyNodes } from "./notify-nodes.ts"
import { toReply } from "./reply.ts"
import { newLease } from "./lease.ts"

export const approvalExpired: RunError = {
  code: "approval_expired",
  name: "ApprovalExpiredError",
  message: "Nobody answered in time, so the execution ended without running its code again",
}

/** Whether the time to answer what it waits for is up. */
export const isOverdue = (row: ExecutionRow, { clock }: Pick<EngineParts, "clock">): boolean =>
  row.status === "paused" && row.expiresAt !== null && row.expiresAt <= clock.now().toISOString()

/** Ends an execution that no node runs, or that another one runs: that one is told, and stops. */
export async function endStored(row: ExecutionRow, error: RunError, parts: EngineParts): Promise<ExecutionRow> {
  if (!(await parts.executions.executions.claim(row, newLease(parts)))) {
    throw new ExecutorError("conflict", `Execution '${row.id}' changed at the same time; check its status and try again`)
  }
  if (row.status === "running") notifyNodes(row.id, parts)
  const endedAt = parts.clock.now().toISOString()
  const { wallUsedMs, pauseCount, logs, emitted, outputsSeen } = row
  const status = error.code === "cancelled" ? "cancelled" : "failed"
  const recorded = (await parts.executions.journal.read(row, row.id)).calls
  const calls = recapCalls(recorded, "stopped")
  const outcome: ExecutionOutcome = {
    status,
    wallUsedMs,
    pauseCount,
    expiresAt: null,
    endedAt,
    result: null,
    error: JSON.stringify(calls.length === 0 ? error : { ...error, calls }),
    logs,
    emitted: row.program === "agent" ? endedFacts(recorded) : emitted,
    outputsSeen,
  }
  const below = await endBelow(row, row.run + 1, parts)
  const ending = { kind: "outcome" as const, tenant: row.tenant, executionId: row.id, run: row.run + 1, outcome }
  await parts.executions.journal.append([...below, ...endUnbegun({ ...row, run: row.run + 1 }, recorded), ending], "now")
  const ended: ExecutionRow = { ...row, ...outcome, run: row.run + 1 }
  await withdrawApprovals(await approvalsOf(row, parts), error.code === "cancelled" ? "cancel" : "expired", parts)
  await endCalls(ended, (call) => abandoned(call, error), parts)
  parts.runs.publish(row.id, () => ({ type: "end", reply: toReply(ended, [], parts) }))
  return ended
}

function abandoned(call: CallRow, error: RunError): ToolFailure {
  const isUncertain = call.state === "started" && call.effect !== "read"
  return isUncertain
    ? fail("outcome_unknown", "The execution was ended while the call was in progress; it may or may not have taken effect")
    : fail("approval_cancelled", error.message)
}
