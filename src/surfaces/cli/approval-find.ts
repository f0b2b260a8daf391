// Finds one request in the inbox.
import { executorCommand } from "../../io/executor-command.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { ApprovalView } from "../../core/execution.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"

export async function findApproval(id: string, api: ExecutorApi): Promise<ApprovalView> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Awaited<ReturnType<ExecutorApi["approvals"]["list"]>> = await api.approvals.list(cursor === "" ? {} : { cursor })
    const found = page.items.find((one) => one.approvalId === id)
    if (found !== undefined) return found
    cursor = page.nextCursor
  }
  throw new ExecutorError("not_found", `There is no open approval '${id}'. To list open approvals, run ${executorCommand} approvals list`)
}
