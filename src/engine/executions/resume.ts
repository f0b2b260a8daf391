// Takes a human's answers, and continues the executions that waited for them.
//
// Order of events: who may answer, whether the content fits its form, the answer itself, then the run. Whoever comes
// second waits for the run of the first and gets the same reply.
import { ExecutorError } from "../../core/errors.ts"
import type {
  AnswerAction,
  ApprovalAnswer,
  ApprovalReply,
  ExecutionReply,
  RememberedRule,
  Replied,
  ResumeRequest,
  RunError,
} from "../../core/execution.ts"
import type { Principal, TokenPrincipal } from "../../core/principal.ts"
import type { ApprovalRow, ExecutionRow } from "../../store/execution-store.ts"
import { recordAnswer } from "../approvals/answer.ts"
import { thoseAnswerable, cancelHint } from "../approvals/answerers.ts"
import { isGrant } from "../approvals/row.ts"
import { newAuditRow } from "../audit/row.ts"
import { withAudit } from "../audit/audit.ts"
import type { EngineParts } from "../engine-parts.ts"
import { answerableApproval, approvalsOf, readApproval } from "../approvals/read.ts"
import { runAnywhere, takeUp } from "./execute.ts"
import { approvalExpired, endStored, isOverdue } from "./end.ts"
import { rootOfRun } from "./children/scope.ts"
import { withdrawApprovals } from "../approvals/withdraw.ts"
import { getChangeable, isVisible, ofTenant } from "../execution-access.ts"
import { notifyNodes } from "./notify-nodes.ts"
import { toReply } from "./reply.ts"
import { inOrder, showReply } from "./pause-shown.ts"
import { awaitSettled } from "./await.ts"

export async function resumeExecution(
  principal: Principal,
  id: string,
  request: ResumeRequest,
  parts: EngineParts,
): Promise<ExecutionReply> {
  const row = await getChangeable(principal, id, parts)
  const overdue = await endOverdue(row, parts)
  if (overdue !== null) return overdue
  const meant = await findMeant(principal, row, request, parts)
  // It may have paused meanwhile: whoever ran it looked for answers before this one was there.
  const { found } = await answer(principal, meant, request, () => getChangeable(principal, id, parts), parts)
  return goOn(found, meant, { principal, reader: request }, parts)
}

/** Answers that a human gave to a client which they allowed to ask them, and that arrive under the client's own token. */
export type RelayedAnswers = Replied & { readonly mode: "native" | "model"; readonly answers: readonly ResumeRequest[] }

/** The one way in which an agent's token carries an acceptance: a human must have allowed that mode for this very token. */
export async function relayAnswers(
  principal: TokenPrincipal,
  id: string,
  relayed: RelayedAnswers,
  parts: EngineParts,
): Promise<ExecutionReply> {
  requireMode(principal, relayed.mode)
  const row = await getChangeable(principal, id, parts)
  const overdue = await endOverdue(row, parts)
  if (overdue !== null) return overdue
  // A client that was told only that the code still runs has seen no question, so that its human answered none.
  if (row.status === "paused" && (await isUnseen(principal, row, relayed.answers, parts)))
    return showReply(principal, row, await approvalsOf(row, parts), relayed, parts)
  const audit = withAudit(principal, parts)
  const all: ApprovalRow[] = []
  for (const one of relayed.answers) {
    const meant = await findMeant(principal, row, one, parts)
    all.push(...meant)
    for (const approval of meant)
      await audit(`approval.${one.action}.${relayed.mode}`, approval.id, () => recordAnswer(principal, [approval], withoutIds(one), parts))
  }
  return goOn(await getChangeable(principal, id, parts), all, { principal, reader: relayed }, parts)
}

async function isUnseen(viewer: Principal, row: ExecutionRow, answers: readonly ResumeRequest[], parts: EngineParts): Promise<boolean> {
  if (answers.every((one) => one.approvalId !== undefined || one.approvalIds !== undefined)) return false
  return (await parts.shownPauses.latest(viewer, row)) === null
}

export type RelayedApproval = { readonly mode: RelayedAnswers["mode"]; readonly action: AnswerAction }

/** The same for a call outside an execution: whoever made it makes it again. */
export async function relayApproval(principal: TokenPrincipal, id: string, relayed: RelayedApproval, parts: EngineParts): Promise<void> {
  requireMode(principal, relayed.mode)
  const approval = await readApproval(principal, id, parts)
  const { action, mode } = relayed
  await withAudit(principal, parts)(`approval.${action}.${mode}`, id, () => recordAnswer(principal, [approval], { action }, parts))
}

function requireMode(principal: TokenPrincipal, mode: RelayedAnswers["mode"]): void {
  if (principal.elicitation.includes(mode)) return
  throw new ExecutorError("forbidden", `This token may not relay a human's answers (${mode}); a human must allow it`)
}

/** A relayed answer is for this once: only a human themselves makes rules. */
const withoutIds = ({ action, content }: ResumeRequest): ApprovalAnswer => ({ action, ...(content === undefined ? {} : { content }) })

/** Without ids: what the principal was shown last. */
async function findMeant(principal: Principal, row: ExecutionRow, request: ResumeRequest, parts: EngineParts): Promise<ApprovalRow[]> {
  const all = await approvalsOf(row, parts)
  const ids = request.approvalIds ?? (request.approvalId === undefined ? null : [request.approvalId])
  const meant = ids === null ? await findShown(principal, row, all, parts) : all.filter((approval) => ids.includes(approval.id))
  const missing = ids?.find((one) => !all.some((approval) => approval.id === one))
  if (missing !== undefined) throw new ExecutorError("not_found", `Execution '${row.id}' has no approval '${missing.slice(0, 80)}'`)
  if (meant.length === 0 && row.status === "paused")
    throw new ExecutorError("conflict", `Execution '${row.id}' is not waiting for an answer`)
  return ids === null ? thoseAnswerable(principal, meant, request.action, parts) : meant
}

/** Whoever was shown nothing means the pause of this moment, and means it still when they repeat themselves. */
async function findShown(principal: Principal, row: ExecutionRow, all: readonly ApprovalRow[], parts: EngineParts): Promise<ApprovalRow[]> {
  const latest = await parts.shownPauses.latest(principal, row)
  if (latest === null) await parts.shownPauses.record(principal, row, null)
  // It may have been shown a later one since this row was read.
  const pause = Math.min(latest?.pause ?? row.pauseCount, row.pauseCount)
  const seen = inOrder(all).slice(0, latest?.questions ?? all.length)
  const asked = seen.filter((approval) => approval.pause <= pause)
  const shown = asked.filter((approval) => approval.status === "pending" || approval.pause === pause)
  return shown.length > 0 ? shown : answeredLast(asked)
}

export async function answerApproval(
  principal: Principal,
  id: string,
  request: ApprovalAnswer,
  parts: EngineParts,
): Promise<ApprovalReply> {
  const approval = await answerableApproval(principal, id, parts)
  const find = async (): Promise<ExecutionRow | null> =>
    approval.executionId === null ? null : parts.executions.executions.get(ofTenant(principal), approval.executionId)
  const before = await find()
  const overdue = before === null ? null : await endOverdue(before, parts)
  if (overdue !== null) return overdue
  const { rules, found: row } = await answer(principal, [await withExpiry(approval, parts)], request, find, parts)
  const remembered = rules.length === 0 ? {} : { remembered: rules }
  if (row === null) return { ...withoutExecution(request.action), ...remembered }
  // Whoever asked did not wait for it, so that nobody waits for them.
  if (isGrant(approval)) return { ...toReply(row, [], parts), text: answeredText[request.action], isError: false, ...remembered }
  const reply = await goOn(row, [approval], { principal, reader: request }, parts)
  return { ...(isVisible(row, principal) ? reply : withoutContent(request.action, row)), ...remembered }
}

/** Whoever answers for somebody else lets one call happen; what their code makes of it is not theirs to read. */
const withoutContent = (action: AnswerAction, { user }: ExecutionRow): ExecutionReply => ({
  ...withoutExecution(action),
  text: `${saidText[action]}: the execution of ${user} goes on.`,
})

const saidText: Record<AnswerAction, string> = { accept: "Accepted", decline: "Declined", cancel: "Cancelled" }

/** A request outside a pause has nobody who ends it. */
async function withExpiry(approval: ApprovalRow, parts: EngineParts): Promise<ApprovalRow> {
  if (approval.status !== "pending" || approval.expiresAt > parts.clock.now().toISOString()) return approval
  await withdrawApprovals([approval], "expired", parts)
  return { ...approval, status: "expired" }
}

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
  // With its root, once that is looked at.
  if (row.rootId !== null) return null
  if (isOverdue(row, parts)) return toReply(await endStored(row, approvalExpired, parts), [], parts)
  // Whoever answers once more is answered the same.
  return row.status === "failed" && codeOf(row) === approvalExpired.code ? toReply(row, [], parts) : null
}

const codeOf = ({ error }: ExecutionRow): string | null => (error === null ? null : (JSON.parse(error) as RunError).code) // written by a run

/** `find`: reads the execution once the answer is there. */
async function answer<Found>(
  principal: Principal,
  approvals: readonly ApprovalRow[],
  request: ApprovalAnswer,
  find: () => Promise<Found>,
  parts: EngineParts,
): Promise<{ readonly rules: readonly RememberedRule[]; readonly found: Found }> {
  if (request.action === "accept" && principal.kind === "agent")
    throw new ExecutorError("forbidden", "An agent cannot approve calls; a human must answer")
  for (const approval of approvals) await requireActing(approval, parts)
  const isNew = approvals.filter((approval) => approval.status === "pending")
  const rules = await recordAnswer(principal, approvals, request, parts)
  try {
    return { rules, found: await find() }
  } finally {
    // It is not waited for: a process that died now would leave an answered execution behind. Reading would wait for it.
    noteAnswers(principal, isNew, request, parts)
  }
}

/** What nobody acts for any more does not go on, whatever is answered. */
async function requireActing({ tenant, user, tokenId, status, executionId }: ApprovalRow, parts: EngineParts): Promise<void> {
  if (status !== "pending" || (await parts.access.of({ tenant, user, tokenId })) !== null) return
  throw new ExecutorError(
    "conflict",
    `'${user}' is disabled or removed, or the token that asked is no longer valid: this can only be cancelled, not answered${cancelHint(executionId)}`,
  )
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
    .catch((error: unknown) => parts.log.error({ error: String(error) }, "An answer could not be recorded in the audit log"))
}

/** Until it has ended or waits for an answer that nobody has given, on whichever node. */
export async function settleExecution(
  principal: Principal,
  row: ExecutionRow,
  reader: Replied,
  parts: EngineParts,
): Promise<ExecutionReply> {
  return (await endOverdue(row, parts)) ?? goOn(row, [], { principal, reader }, parts)
}

/** Whoever is answered. */
type Viewer = { readonly principal: Principal; readonly reader: Replied }

async function goOn(row: ExecutionRow, meant: readonly ApprovalRow[], viewer: Viewer, parts: EngineParts): Promise<ExecutionReply> {
  const { principal, reader } = viewer
  if (row.rootId !== null) return goOnAbove(row, meant, viewer, parts)
  if (row.status === "paused" && (await isRepeated(meant, row, parts)))
    return showReply(principal, row, await approvalsOf(row, parts), reader, parts)
  if (row.status === "running" && parts.runs.get(row.id) === undefined) notifyNodes(row.id, parts)
  const ready = row.status === "paused" ? await takeUp(row, new AbortController(), parts) : null
  const settled = ready === null ? await awaitSettled(row, parts) : await runAnywhere(ready, parts)
  // What has ended asks nothing more, and reading would wait until its end is durable.
  const approvals = settled.status === "paused" ? await approvalsOf(settled, parts) : []
  const isAnswered = settled.status === "paused" && approvals.every(({ status }) => status !== "pending" && status !== "expired")
  // Whoever ran it has paused, and is about to find the answer: it has not settled yet.
  if (ready === null && isAnswered) return goOn(settled, meant, viewer, parts)
  return showReply(principal, settled, approvals, reader, parts)
}

/** The root goes on, and with it the run that it started; whoever answered that one is told of it. */
async function goOnAbove(row: ExecutionRow, meant: readonly ApprovalRow[], viewer: Viewer, parts: EngineParts): Promise<ExecutionReply> {
  const root = await rootOfRun(row, parts)
  if (root !== null) await goOn(root, meant, viewer, parts)
  const now = (await parts.executions.executions.get(ofTenant(row), row.id)) ?? row
  return showReply(viewer.principal, now, await approvalsOf(now, parts), viewer.reader, parts)
}

/** Whether these answers were there before, and the code has gone on with them to what it waits for now. */
async function isRepeated(meant: readonly ApprovalRow[], row: ExecutionRow, parts: EngineParts): Promise<boolean> {
  if (meant.some(({ status }) => status === "pending")) return false
  const calls = new Map((await parts.executions.journal.calls(row, row.id, 0)).map((call) => [call.key, call]))
  const isTaken = ({ id, callKey }: ApprovalRow): boolean => {
    const call = calls.get(callKey ?? "")
    return call?.state !== "waiting" || call.approvalId !== id
  }
  return meant.every(isTaken) && (await approvalsOf(row, parts)).some(({ status }) => status === "pending")
}

const answeredText: Record<AnswerAction, string> = {
  accept: "Accepted: when the same call is made again, it passes once.",
  decline: "Declined: when the same call is made again, it fails once.",
  cancel: "Cancelled: when the same call is made again, it fails once.",
}

/** A call outside an execution is not waited for: whoever made it makes it again. */
const withoutExecution = (action: AnswerAction): ExecutionReply => ({
  executionId: "",
  status: "completed",
  text: answeredText[action],
  structured: { status: "completed", result: null, logs: [], emitted: [] },
  isError: false,
})
