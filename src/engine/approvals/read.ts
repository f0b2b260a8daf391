// Reads the approvals that an execution has requested so far.
import type { ApprovalRow, ExecutionRow } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"

/** A call may need an approval, and then ask something of its own a few times. */
const approvalsPerCall = 4

export const approvalsOf = (
  row: Pick<ExecutionRow, "tenant" | "id">,
  parts: Pick<EngineParts, "executions" | "limits">,
): Promise<ApprovalRow[]> =>
  parts.executions.approvals.list(
    { tenant: row.tenant, user: null, tokenId: null },
    { executionId: row.id },
    { after: null, limit: parts.limits.executionCallsMax * approvalsPerCall },
  )
