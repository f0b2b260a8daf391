// What one principal can do with executions: run code, read what happened, follow it, and answer what waits.
import { checkExecute } from "../core/execute-check.ts"
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Principal } from "../core/principal.ts"
import { followApprovals } from "./approvals/changes.ts"
import type { ApprovalChanges } from "./approvals/changes.ts"
import { withAudit, withRefusalAudit } from "./audit/audit.ts"
import { auditOf } from "./audit/read.ts"
import type { EngineParts } from "./engine-parts.ts"
import { followEvents } from "./events/events.ts"
import type { Events } from "./events/events.ts"
import { executeTool } from "./execute-tool.ts"
import { pageCalls } from "./call-details.ts"
import { cancelExecution } from "./executions/cancel.ts"
import { execute } from "./executions/execute.ts"
import { followExecution } from "./executions/follow.ts"
import { listApprovals, listExecutions, readResult, showApproval, showExecution } from "./executions/history.ts"
import { answerApproval, resumeExecution } from "./executions/resume.ts"
import { findIds } from "./id-find.ts"

type Api = Pick<ExecutorApi, "executions" | "ids" | "approvals" | "audit" | "events" | "run" | "resume" | "execute">
type Parts = EngineParts & { readonly approvalChanges: ApprovalChanges; readonly events: Events }

export function executionsApi(principal: Principal, parts: Parts): Api {
  const audit = withAudit(principal, parts)
  const auditRefusal = withRefusalAudit(principal, parts)
  return {
    executions: {
      list: (filter = {}) => listExecutions(principal, filter, parts),
      get: (id) => showExecution(principal, id, parts),
      calls: (id, page = {}) => pageCalls(principal, id, page, parts),
      result: (id, piece = {}) => readResult(principal, id, piece, parts),
      cancel: (id) => audit("execution.cancel", id, () => cancelExecution(principal, id, parts)),
      events: (id, signal) => followExecution(principal, id, signal, parts),
    },
    ids: { find: (prefix) => findIds(principal, prefix, parts) },
    approvals: {
      list: (filter = {}) => listApprovals(principal, filter, parts),
      get: (id) => showApproval(principal, id, parts),
      answer: (id, answer) => auditRefusal(`approval.${answer.action}`, id, () => answerApproval(principal, id, answer, parts)),
      events: (signal) => followApprovals(principal, signal, parts),
    },
    audit: auditOf(principal, parts),
    events: { follow: (options = {}) => followEvents(principal, options, parts) },
    run: (code, options = {}) => execute(principal, { code, ...options }, parts),
    resume: (id, answer) => auditRefusal(`approval.${answer.action}`, id, () => resumeExecution(principal, id, answer, parts)),
    execute: async (address, args = {}, options = {}) => {
      checkExecute(address, options)
      return executeTool(principal, address, args, options, parts)
    },
  }
}
