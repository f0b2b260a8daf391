// Finds the one question that an id means: its own, or the only one that an execution waits for.
import { executorCommand } from "../../../io/executor-command.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { ApprovalView } from "../../../core/execution.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { resolveId } from "../id-resolve.ts"
import { UsageError } from "../usage-error.ts"

export async function findApproval(word: string, api: ExecutorApi): Promise<ApprovalView> {
  const id = await resolveId(word, ["apr", "exe"], api)
  if (id.startsWith("apr_")) return api.approvals.get(id)
  const inbox = await api.approvals.list({ executionId: id })
  // Whoever asked can show and withdraw what others must answer.
  const { items } = inbox.items.length > 0 ? inbox : await api.approvals.list({ executionId: id, waitingFor: "others" })
  const [only, ...more] = items
  if (only === undefined)
    throw new ExecutorError(
      "not_found",
      `Execution ${id} has no open approvals of yours. To list open approvals, run ${executorCommand} approvals list`,
    )
  if (more.length > 0)
    throw new UsageError(
      `Execution ${id} has ${items.length} open approvals. Pass the id of one of them, or answer them all with ${executorCommand} resume ${id}:\n  ${items.map((one) => one.approvalId).join("\n  ")}`,
    )
  return api.approvals.get(only.approvalId)
}
