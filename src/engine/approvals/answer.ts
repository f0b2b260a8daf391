// Records a human's answer to an approval.
//
// The store changes pending rows only, so that of two answers at once one wins and both learn which.
import { ExecutorError } from "../../core/errors.ts"
import { answerActions } from "../../core/execution.ts"
import type { AnswerAction, ApprovalAnswer, RememberedRule } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import { parseConditions } from "../../policy/condition-parse.ts"
import { checkContent } from "./content.ts"
import { hashArgs, isGrant } from "./row.ts"
import { requireAnswerer } from "./answerers.ts"
import { checkRemember, rememberAlways, requireUnnamed } from "./remember.ts"
import type { EngineParts } from "../engine-parts.ts"

/** Throws for whoever may not answer one of them; then none is answered. */
export async function recordAnswer(
  principal: Principal,
  approvals: readonly ApprovalRow[],
  request: ApprovalAnswer,
  parts: EngineParts,
): Promise<readonly RememberedRule[]> {
  checkAnswer(request, approvals)
  const pending = approvals.filter((approval) => approval.status === "pending")
  for (const approval of pending) await requireAnswerer(principal, approval, request.action, parts)
  const other = approvals.find((approval) => approval.status !== "pending" && isOther(approval, request))
  if (other !== undefined) throw alreadyAnswered(other)
  if (request.action === "accept") for (const approval of pending) checkContent(approval, request.content, approvals.length)
  const isForAlways = request.remember === "always"
  if (request.remember !== undefined) await requireUnnamed(approvals, parts)
  if (isForAlways) await checkRemember(principal, approvals, parts)
  if (pending.length > 0) await recordPending(principal, pending, request, parts)
  return isForAlways ? rememberAlways(principal, approvals, request, parts) : []
}

async function recordPending(
  principal: Principal,
  pending: readonly ApprovalRow[],
  request: ApprovalAnswer,
  parts: EngineParts,
): Promise<void> {
  const rows = await parts.executions.approvals.answer(
    principal.tenant,
    pending.map((row) => row.id),
    {
      status: request.action,
      content: request.content === undefined ? null : JSON.stringify(request.content),
      remember: request.remember ?? null,
      answeredBy: principal.user,
      answeredAt: parts.clock.now().toISOString(),
    },
  )
  // A grant changes nothing for the code that asked for it: that went on without.
  for (const id of new Set(pending.flatMap((row) => (row.executionId === null || isGrant(row) ? [] : [row.executionId]))))
    parts.runs.awaitingAnswer(id)?.restart()
  const lost = rows.find((row) => isOther(row, request))
  if (lost !== undefined) throw alreadyAnswered(lost)
}

/** Whether an answered row was answered in another way than this. */
function isOther(row: ApprovalRow, { action, content, remember }: ApprovalAnswer): boolean {
  if (row.status !== action) return true
  if (remember === "execution" && row.remember === null) return true
  if (row.kind !== "form" || action !== "accept") return false
  return hashArgs(content ?? {}) !== hashArgs(row.content === null ? {} : JSON.parse(row.content))
}

/** Whoever is in the same process is checked by nobody before. */
function checkAnswer({ action, remember, when }: ApprovalAnswer, approvals: readonly ApprovalRow[]): void {
  if (!answerActions.includes(action)) throw new ExecutorError("invalid_request", `action must be one of ${answerActions.join(", ")}`)
  if (remember !== undefined && remember !== "execution" && remember !== "always")
    throw new ExecutorError("invalid_request", "remember must be execution or always")
  if (when !== undefined && remember !== "always")
    throw new ExecutorError("invalid_request", "when limits a rule, so it requires remember: always")
  parseConditions(when ?? [])
  if (remember === undefined) return
  if (action !== "accept") throw new ExecutorError("invalid_request", `remember applies to accept only; leave it out to ${action}`)
  if (approvals.some(({ kind }) => kind !== "approval"))
    throw new ExecutorError("invalid_request", "Only approvals can be remembered; a tool's own questions are asked every time")
}

const said: Record<AnswerAction | "pending", string> = {
  accept: "accepted",
  decline: "declined",
  cancel: "cancelled",
  pending: "pending",
}

function alreadyAnswered(row: ApprovalRow): ExecutorError {
  const details = { approvalId: row.id, answer: row.status }
  if (row.status === "expired")
    return new ExecutorError(
      "conflict",
      `The approval '${row.id}' expired before it was answered; make the call again to request a new one`,
      details,
    )
  const who = row.answeredBy === null ? "" : ` by ${row.answeredBy}`
  return new ExecutorError("already_answered", `The approval '${row.id}' was already ${said[row.status]}${who}`, details)
}
