// Takes a human's answers, and lets the executions that waited for them go on.
//
// Order of events: who may answer, whether the content fits its form, the answer itself (the store changes pending rows
// only, so that of two at once one wins and both learn which), then the run. Whoever comes second waits for the run of
// the first and gets the same reply.
import { ExecutorError } from "../core/errors.ts"
import type { AnswerAction, ApprovalAnswer, ExecutionReply, ResumeRequest } from "../core/execution.ts"
import type { Principal } from "../core/principal.ts"
import type { ApprovalRow, ExecutionRow } from "../store/execution-store.ts"
import { checkContent } from "./approval-content.ts"
import { checkRemember, rememberAlways } from "./approval-remember.ts"
import type { EngineParts } from "./engine-parts.ts"
import { approvalsOf, runToRest, takeUp } from "./execute.ts"
import { getExecution, visibilityOf } from "./execution-access.ts"
import { toReply } from "./execution-reply.ts"
import { waitForRest } from "./execution-wait.ts"

/** Without ids it answers what the latest pause showed, never something asked since. */
export async function resumeExecution(
  principal: Principal,
  id: string,
  request: ResumeRequest,
  parts: EngineParts,
): Promise<ExecutionReply> {
  const row = await getExecution(principal, id, parts)
  const all = await approvalsOf(row, parts)
  const ids = request.approvalIds ?? (request.approvalId === undefined ? null : [request.approvalId])
  const shown = all.filter((approval) =>
    ids === null ? approval.pause <= row.pauseCount && isShownLast(approval, row) : ids.includes(approval.id),
  )
  const missing = ids?.find((one) => !all.some((approval) => approval.id === one))
  if (missing !== undefined) throw new ExecutorError("not_found", `Execution '${id}' has no approval '${missing.slice(0, 80)}'`)
  if (shown.length === 0 && row.status === "paused")
    throw new ExecutorError("conflict", `Execution '${id}' waits for nothing that can be answered`)
  await answer(principal, shown, request, parts)
  // It may have paused meanwhile: whoever ran it looked for answers before this one was there.
  return goOn(await getExecution(principal, id, parts), parts)
}

export async function answerApproval(
  principal: Principal,
  id: string,
  request: ApprovalAnswer,
  parts: EngineParts,
): Promise<ExecutionReply> {
  const approval = await parts.executions.approvals.get(visibilityOf(principal), id)
  if (approval === null) throw new ExecutorError("not_found", `There is no approval '${id.slice(0, 80)}'`)
  await answer(principal, [approval], request, parts)
  const row = approval.executionId === null ? null : await parts.executions.executions.get(visibilityOf(principal), approval.executionId)
  return row === null ? withoutExecution(request.action) : goOn(row, parts)
}

/** What is still pending, and what was answered when it was last pending, so that a repeated answer finds the same rows. */
const isShownLast = (approval: ApprovalRow, row: ExecutionRow): boolean =>
  approval.status === "pending" || approval.pause === row.pauseCount

async function answer(principal: Principal, approvals: readonly ApprovalRow[], request: ApprovalAnswer, parts: EngineParts): Promise<void> {
  if (request.action === "accept" && principal.kind === "agent")
    throw new ExecutorError("forbidden", "An agent may not approve; a human must answer")
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
  const lost = rows.find((row) => row.status !== request.action)
  if (lost !== undefined) throw alreadyAnswered(lost)
  if (isForAlways) await rememberAlways(principal, pending, parts)
}

async function goOn(row: ExecutionRow, parts: EngineParts): Promise<ExecutionReply> {
  const ready = row.status === "paused" ? await takeUp(row, new AbortController(), parts) : null
  const rested = ready === null ? await waitForRest(row, parts) : await runToRest(ready, parts)
  return toReply(rested, await approvalsOf(rested, parts), parts)
}

/** A call outside an execution is not waited for: whoever made it makes it again. */
const withoutExecution = (action: AnswerAction): ExecutionReply => ({
  executionId: "",
  status: "completed",
  text: action === "accept" ? "Accepted: the same call passes once when it is made again." : "Noted.",
  structured: { status: "completed", result: null, logs: [], emitted: [] },
  isError: false,
})

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
