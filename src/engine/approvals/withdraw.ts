// Withdraws the approvals of an execution that ends without an answer.
import type { ApprovalRow } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"

/** What was answered in the meantime keeps its answer. */
export async function withdrawApprovals(
  approvals: readonly ApprovalRow[],
  status: "cancel" | "expired",
  parts: Pick<EngineParts, "executions" | "clock">,
): Promise<void> {
  const open = approvals.filter((approval) => approval.status === "pending")
  const [first] = open
  if (first === undefined) return
  await parts.executions.approvals.answer(
    first.tenant,
    open.map((approval) => approval.id),
    { status, content: null, remember: null, answeredBy: null, answeredAt: parts.clock.now().toISOString() },
  )
}
