// Stops an execution: its code, its upstream requests and what it asked of humans.
import { ExecutorError } from "../core/errors.ts"
import type { ExecutionReply, RunError } from "../core/execution.ts"
import type { Principal } from "../core/principal.ts"
import type { ExecutionOutcome, ExecutionRow } from "../store/execution-store.ts"
import { withdrawApprovals } from "./approval-withdraw.ts"
import type { EngineParts } from "./engine-parts.ts"
import { approvalsOf } from "./execute.ts"
import { newLease } from "./lease.ts"
import { getExecution } from "./execution-access.ts"
import { toReply } from "./execution-reply.ts"

export async function cancelExecution(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionReply> {
  const row = await getLiveOrStored(principal, id, parts)
  if (typeof row === "string") return reply(await stopHere(row, parts), parts)
  if (row.status !== "running" && row.status !== "paused") return reply(row, parts)
  return reply(await endStored(row, cancelled(principal), parts), parts)
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
  parts.live.publish(row.id, () => ({ type: "end", reply: toReply(ended, [], parts) }))
  return ended
}

/** The id alone when it runs here and may not be stored yet. */
async function getLiveOrStored(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionRow | string> {
  const live = parts.live.get(id)
  if (live !== undefined && live.tenant === principal.tenant && live.isVisibleTo(principal)) return id
  return getExecution(principal, id, parts)
}

async function stopHere(id: string, parts: EngineParts): Promise<ExecutionRow> {
  const live = parts.live.get(id)
  if (live === undefined) throw new ExecutorError("not_found", `There is no execution '${id}'`)
  live.abort.abort()
  const row = await live.ended
  return row.status === "paused" ? endStored(row, cancelled(null), parts) : row
}

const cancelled = (principal: Principal | null): RunError => ({
  code: "cancelled",
  name: "CancelledError",
  message:
    principal === null
      ? "The execution was cancelled"
      : `The execution was cancelled by ${principal.kind === "agent" ? "an agent" : "a human"}`,
})

const reply = async (row: ExecutionRow, parts: EngineParts): Promise<ExecutionReply> => toReply(row, await approvalsOf(row, parts), parts)
