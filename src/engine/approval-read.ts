// What an execution has asked of humans so far.
import type { ApprovalRow, ExecutionRow } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"

export const approvalsOf = (row: ExecutionRow, parts: Pick<EngineParts, "executions" | "limits">): Promise<ApprovalRow[]> =>
  parts.executions.approvals.list(
    { tenant: row.tenant, user: null, tokenId: null },
    { executionId: row.id },
    { after: null, limit: parts.limits.executionCallsMax },
  )
