// Cancels a run that another one started, while the one that called it goes on and hears of it.
import type { RunError } from "../../../core/execution.ts"
import type { ExecutionRow } from "../../../store/execution-store.ts"
import { approvalsOf } from "../../approvals/read.ts"
import { withdrawApprovals } from "../../approvals/withdraw.ts"
import type { EngineParts } from "../../engine-parts.ts"
import { runUntilSettled, takeUp } from "../execute.ts"
import { notifyNodes } from "../notify-nodes.ts"
import { toReply } from "../reply.ts"
import { cancelledAlone } from "./end.ts"
import { rootOfRun } from "./scope.ts"

/** One that waits, or that another node runs: whoever runs its root finds the row, and answers the call with it. */
export async function cancelChild(row: ExecutionRow, error: RunError, parts: EngineParts): Promise<ExecutionRow> {
  const root = await rootOfRun(row, parts)
  const below = root === null ? [] : await parts.executions.executions.below(root)
  const ended = cancelledAlone(row, below, error, parts)
  const records = ended.map((one) => ({ kind: "execution" as const, row: one }))
  await parts.executions.journal.append(records, "now")
  await withdrawApprovals(await approvalsOf(row, parts), "cancel", parts)
  for (const one of ended) parts.runs.publish(one.id, () => ({ type: "end", reply: toReply(one, [], parts) }))
  if (root !== null) await wake(root, parts)
  return ended[0] ?? row
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
