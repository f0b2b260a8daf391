// What one principal can do with questions that wait for a human.
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Principal } from "../core/principal.ts"
import { followApprovals } from "./approvals/changes.ts"
import type { FollowParts } from "./approvals/changes.ts"
import { withRefusalAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"
import { listApprovals, showApproval } from "./executions/history.ts"
import { answerApproval } from "./executions/resume.ts"

export function approvalsApi(principal: Principal, parts: EngineParts & FollowParts): ExecutorApi["approvals"] {
  const auditRefusal = withRefusalAudit(principal, parts)
  return {
    list: (filter = {}) => listApprovals(principal, filter, parts),
    get: (id) => showApproval(principal, id, parts),
    answer: (id, answer) => auditRefusal(`approval.${answer.action}`, id, () => answerApproval(principal, id, answer, parts)),
    events: (signal) => followApprovals(principal, signal, parts),
  }
}
