// What an approval means for its call.
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import type { ApprovalDecision, Resumption } from "../gate/approver.ts"

/** What needs no human, or has none who could be named. */
export const approved: ApprovalDecision = { status: "approved", approvalId: null }

export const fromStart: Resumption = { asked: [], state: null }

export function toDecision({ id, address, status }: ApprovalRow): ApprovalDecision {
  switch (status) {
    case "pending":
      return { status: "pending", approvalId: id }
    case "accept":
      return { status: "approved", approvalId: id }
    case "decline":
      return refused(fail("approval_declined", `'${address}' was declined; do not try it again without asking a human`))
    case "cancel":
    case "expired":
      return refused(fail("approval_cancelled", `The request to approve '${address}' was cancelled`))
  }
}

const refused = (failure: ToolFailure): ApprovalDecision => ({ status: "refused", failure })
