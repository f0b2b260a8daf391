// Records the answer to what an execution asked of a human.
//
// The store changes pending rows only, so that of two answers at once one wins and both learn which.
import { ExecutorError } from "../core/errors.ts"
import { answerActions } from "../core/execution.ts"
import type { AnswerAction, ApprovalAnswer } from "../core/execution.ts"
import type { Principal } from "../core/principal.ts"
import type { ApprovalRow } from "../store/execution-store.ts"
import { checkContent } from "./approval-content.ts"
import { checkRemember, rememberAlways } from "./approval-remember.ts"
import type { EngineParts } from "./engine-parts.ts"

/** Whoever calls this has found that the principal may answer. */
export async function recordAnswer(
  principal: Principal,
  approvals: readonly ApprovalRow[],
  request: ApprovalAnswer,
  parts: EngineParts,
): Promise<void> {
  checkAnswer(request)
  const pending = approvals.filter((approval) => approval.status === "pending")
  const other = approvals.find((approval) => approval.status !== "pending" && approval.status !== request.action)
  if (other !== undefined) throw alreadyAnswered(other)
  if (request.action === "accept") for (const approval of pending) checkContent(approval, request.content)
  const isForAlways = request.action === "accept" && request.remember === "always"
  if (isForAlways) await checkRemember(principal, pending, parts)
  if (pending.length === 0) return
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
  for (const id of new Set(pending.flatMap((row) => (row.executionId === null ? [] : [row.executionId])))) parts.live.asking(id)?.restart()
  const lost = rows.find((row) => row.status !== request.action)
  if (lost !== undefined) throw alreadyAnswered(lost)
  if (isForAlways) await rememberAlways(principal, pending, parts)
}

/** Whoever is in the same process is checked by nobody before. */
function checkAnswer({ action, remember }: ApprovalAnswer): void {
  if (!answerActions.includes(action)) throw new ExecutorError("invalid_request", `action must be one of ${answerActions.join(", ")}`)
  if (remember !== undefined && remember !== "execution" && remember !== "always")
    throw new ExecutorError("invalid_request", "remember must be execution or always")
}

const said: Record<AnswerAction | "expired" | "pending", string> = {
  accept: "accepted",
  decline: "declined",
  cancel: "cancelled",
  expired: "expired",
  pending: "pending",
}

const alreadyAnswered = (row: ApprovalRow): ExecutorError =>
  new ExecutorError("already_answered", `The approval '${row.id}' was ${said[row.status]} already`, {
    approvalId: row.id,
    answer: row.status,
  })
