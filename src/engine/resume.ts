// Takes a human's answers, and lets the executions that waited for them go on.
//
// Order of events: who may answer, whether the content fits its form, the answer itself, then the run. Whoever comes
// second waits for the run of the first and gets the same reply.
import { ExecutorError } from "../core/errors.ts"
import type { AnswerAction, ApprovalAnswer, ExecutionReply, ResumeRequest } from "../core/execution.ts"
import type { Principal, TokenPrincipal } from "../core/principal.ts"
import type { ApprovalRow, ExecutionRow } from "../store/execution-store.ts"
import { recordAnswer } from "./approval-answer.ts"
import { isGrant } from "./approval-new.ts"
import { newAuditRow } from "./audit-row.ts"
import { audited } from "./audited.ts"
import type { EngineParts } from "./engine-parts.ts"
import { approvalsOf } from "./approval-read.ts"
import { runAnywhere, takeUp } from "./execute.ts"
import { approvalExpired, endStored, isOverdue } from "./execution-end.ts"
import { withdrawApprovals } from "./approval-withdraw.ts"
import { getExecution, visibilityOf } from "./execution-access.ts"
import { noApproval } from "./history.ts"
import { tellNews } from "./execution-news.ts"
import { toReply } from "./execution-reply.ts"
import { waitForRest } from "./execution-wait.ts"

export async function resumeExecution(
  principal: Principal,
  id: string,
  request: ResumeRequest,
  parts: EngineParts,
): Promise<ExecutionReply> {
  const row = await getExecution(principal, id, parts)
  const overdue = await endOverdue(row, parts)
  if (overdue !== null) return overdue
  await answer(principal, await findMeant(row, request, parts), request, parts)
  // It may have paused meanwhile: whoever ran it looked for answers before this one was there.
  return goOn(await getExecution(principal, id, parts), parts)
}

/** Answers that a human gave to a client which they allowed to ask them, and that arrive under the client's own token. */
export type RelayedAnswers = { readonly mode: "native" | "model"; readonly answers: readonly ResumeRequest[] }

/** The one way in which an agent's token carries an acceptance: a human must have allowed that mode for this very token. */
export async function relayAnswers(
  principal: TokenPrincipal,
  id: string,
  relayed: RelayedAnswers,
  parts: EngineParts,
): Promise<ExecutionReply> {
  requireMode(principal, relayed.mode)
  const row = await getExecution(principal, id, parts)
  const overdue = await endOverdue(row, parts)
  if (overdue !== null) return overdue
  const note = audited(principal, parts)
  for (const one of relayed.answers) {
    const meant = await findMeant(row, one, parts)
    for (const approval of meant)
      await note(`approval.${one.action}.${relayed.mode}`, approval.id, () => recordAnswer(principal, [approval], withoutIds(one), parts))
  }
  return goOn(await getExecution(principal, id, parts), parts)
}

export type RelayedApproval = { readonly mode: RelayedAnswers["mode"]; readonly action: AnswerAction }

/** The same for a call outside an execution: whoever made it makes it again. */
export async function relayApproval(principal: TokenPrincipal, id: string, relayed: RelayedApproval, parts: EngineParts): Promise<void> {
  requireMode(principal, relayed.mode)
  const approval = await parts.executions.approvals.get(visibilityOf(principal), id)
  if (approval === null) throw noApproval(id)
  const { action, mode } = relayed
  await audited(principal, parts)(`approval.${action}.${mode}`, id, () => recordAnswer(principal, [approval], { action }, parts))
}

function requireMode(principal: TokenPrincipal, mode: RelayedAnswers["mode"]): void {
  if (principal.elicitation.includes(mode)) return
  throw new ExecutorError("forbidden", `This token may not relay a human's answers (${mode}); a human must allow it`)
}

/** A relayed answer is for this once: only a human themselves makes rules. */
const withoutIds = ({ action, content }: ResumeRequest): ApprovalAnswer => ({ action, ...(content === undefined ? {} : { content }) })

/** Without ids it answers what the latest pause showed, never something asked since. */
async function findMeant(row: ExecutionRow, request: ResumeRequest, parts: EngineParts): Promise<ApprovalRow[]> {
  const all = await approvalsOf(row, parts)
  const ids = request.approvalIds ?? (request.approvalId === undefined ? null : [request.approvalId])
  const shown = all.filter((approval) => approval.pause <= row.pauseCount && isShownLast(approval, row))
  const meant = ids === null ? (shown.length > 0 ? shown : answeredLast(all)) : all.filter((approval) => ids.includes(approval.id))
  const missing = ids?.find((one) => !all.some((approval) => approval.id === one))
  if (missing !== undefined) throw new ExecutorError("not_found", `Execution '${row.id}' has no approval '${missing.slice(0, 80)}'`)
  if (meant.length === 0 && row.status === "paused")
    throw new ExecutorError("conflict", `Execution '${row.id}' waits for nothing that can be answered`)
  return meant
}

export async function answerApproval(
  principal: Principal,
  id: string,
  request: ApprovalAnswer,
  parts: EngineParts,
): Promise<ExecutionReply> {
  const approval = await parts.executions.approvals.get(visibilityOf(principal), id)
  if (approval === null) throw noApproval(id)
  const find = async (): Promise<ExecutionRow | null> =>
    approval.executionId === null ? null : parts.executions.executions.get(visibilityOf(principal), approval.executionId)
  const before = await find()
  const overdue = before === null ? null : await endOverdue(before, parts)
  if (overdue !== null) return overdue
  await answer(principal, [await withExpiry(approval, parts)], request, parts)
  const row = await find()
  if (row === null) return withoutExecution(request.action)
  // Whoever asked did not wait for it, so that nobody waits for them.
  if (isGrant(approval)) return { ...toReply(row, [], parts), text: answeredText[request.action], isError: false }
  return goOn(row, parts)
}

/** A request outside a pause has nobody who ends it. */
async function withExpiry(approval: ApprovalRow, parts: EngineParts): Promise<ApprovalRow> {
  if (approval.status !== "pending" || approval.expiresAt > parts.clock.now().toISOString()) return approval
  await withdrawApprovals([approval], "expired", parts)
  return { ...approval, status: "expired" }
}

/** What is still pending, and what was answered when it was last pending, so that a repeated answer finds the same rows. */
const isShownLast = (approval: ApprovalRow, row: ExecutionRow): boolean =>
  approval.status === "pending" || approval.pause === row.pauseCount

/** When all is answered, a repeated answer means what the last one did. */
function answeredLast(all: readonly ApprovalRow[]): ApprovalRow[] {
  const latest = all
    .map((approval) => approval.answeredAt ?? "")
    .toSorted()
    .at(-1)
  return all.filter((approval) => approval.answeredAt !== null && approval.answeredAt === latest)
}

/** Whose time is up is given up, also when nobody has noticed before the answer came. */
async function endOverdue(row: ExecutionRow, parts: EngineParts): Promise<ExecutionReply | null> {
  if (isOverdue(row, parts)) return toReply(await endStored(row, approvalExpired, parts), [], parts)
  // Whoever answers once more is answered the same.
  return row.status === "failed" && row.error === JSON.stringify(approvalExpired) ? toReply(row, [], parts) : null
}

async function answer(principal: Principal, approvals: readonly ApprovalRow[], request: ApprovalAnswer, parts: EngineParts): Promise<void> {
  if (request.action === "accept" && principal.kind === "agent")
    throw new ExecutorError("forbidden", "An agent may not approve; a human must answer")
  const isNew = approvals.filter((approval) => approval.status === "pending")
  await recordAnswer(principal, approvals, request, parts)
  // It is not waited for: a process that died now would leave an answered execution behind.
  noteAnswers(principal, isNew, request, parts)
}

function noteAnswers(principal: Principal, approvals: readonly ApprovalRow[], request: ApprovalAnswer, parts: EngineParts): void {
  if (approvals.length === 0) return
  const records = approvals.map((approval) => {
    const details = JSON.stringify({ approvalId: approval.id, ...(request.remember === undefined ? {} : { remember: request.remember }) })
    const facts = {
      action: `approval.${request.action}`,
      subject: approval.address,
      outcome: "ok",
      executionId: approval.executionId,
      details,
    }
    return { kind: "audit" as const, row: newAuditRow(principal, facts, parts.clock) }
  })
  parts.executions.journal
    .append(records, "soon")
    .catch((error: unknown) => parts.log.error({ error: String(error) }, "An answer could not be noted in the audit"))
}

async function goOn(row: ExecutionRow, parts: EngineParts): Promise<ExecutionReply> {
  if (row.status === "running" && parts.live.get(row.id) === undefined) tellNews(row.id, parts)
  const ready = row.status === "paused" ? await takeUp(row, new AbortController(), parts) : null
  const rested = ready === null ? await waitForRest(row, parts) : await runAnywhere(ready, parts)
  const approvals = await approvalsOf(rested, parts)
  const isAnswered = rested.status === "paused" && approvals.every(({ status }) => status !== "pending" && status !== "expired")
  // Whoever ran it has paused, and is about to find the answer: that is no rest.
  if (ready === null && isAnswered) return goOn(rested, parts)
  return toReply(rested, approvals, parts)
}

const answeredText: Record<AnswerAction, string> = {
  accept: "Accepted: the same call passes once when it is made again.",
  decline: "Declined: the same call is told so once when it is made again.",
  cancel: "Cancelled: the same call is told so once when it is made again.",
}

/** A call outside an execution is not waited for: whoever made it makes it again. */
const withoutExecution = (action: AnswerAction): ExecutionReply => ({
  executionId: "",
  status: "completed",
  text: answeredText[action],
  structured: { status: "completed", result: null, logs: [], emitted: [] },
  isError: false,
})
