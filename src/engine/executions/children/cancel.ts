// Cancels a run that another one started, while the one that called it goes on and hears of it.
import type { RunError } from "../../../core/execution.ts"
import type { ExecutionRow } from "../../../store/execution-store.ts"
import { approvalsOf } from "../../approvals/read.ts"
import { withdrawApprovals } from "../../approvals/withdraw.ts"
import type { EngineParts } from "../../engine-parts.ts"
import { ofTenant } from "../../execution-access.ts"
import { runUntilSettled, takeUp } from "../execute.ts"
import { notifyNodes } from "../notify-nodes.ts"
import { toReply } from "../reply.ts"
import { cancelledAlone, isCancelledAlone, openBelow } from "./end.ts"
import { rootOfRun } from "./scope.ts"

/**
 * One that waits, or that another node runs: whoever runs its root finds the row, and answers the call with it. One that has
 * ended meanwhile stays as it ended.
 */
export async function cancelChild(row: ExecutionRow, error: RunError, parts: EngineParts): Promise<ExecutionRow> {
  const root = await rootOfRun(row, parts)
  const cancelled = cancelledAlone(row, error, parts)
  await parts.executions.journal.append([{ kind: "execution", row: cancelled }], "now")
  const stored = await parts.executions.executions.get(ofTenant(row), row.id)
  if (stored === null || !isCancelledAlone(stored)) return stored ?? row
  const below = root === null ? [] : openBelow(row, await parts.executions.executions.below(root))
  const inner = below.map((one) => cancelledAlone(one, error, parts))
  await parts.executions.journal.append(
    inner.map((one) => ({ kind: "execution" as const, row: one })),
    "now",
  )
  await withdrawApprovals(await approvalsOf(row, parts), "cancel", parts)
  for (const one of [cancelled, ...inner]) parts.runs.publish(one.id, () => ({ type: "end", reply: toReply(one, [], parts) }))
  if (root !== null) await wake(root, parts)
  return cancelled
}

async function wake(root: ExecutionRow, parts: EngineParts): Promise<void> {
  if (parts.runs.get(root.id) !== undefined) return parts.runs.awaitingAnswer(root.id)?.restart()
  if (root.status === "running") return notifyNodes(root.id, parts)
  const ready = root.status === "paused" ? await takeUp(root, new AbortController(), parts) : null
  if (ready === null) return
  runUntilSettled(ready, parts).catch((error: unknown) =>
    parts.log.error({ executionId: root.id, error: String(error) }, "An execution could not go on after a run below it was cancelled"),
  )
}
