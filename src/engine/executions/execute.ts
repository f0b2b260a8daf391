// Starts an execution, and runs any execution until it ends or pauses.
import { setTimeout as sleep } from "node:timers/promises"
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutionReply, ExecutionRequest, Replied } from "../../core/execution.ts"
import type { Principal } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import { currentAccess } from "../../identity/access.ts"
import { principalKey } from "../../io/fair-queue.ts"
import { newId, randomSeed } from "../../io/ids.ts"
import type { ApprovalRow, ExecutionRow } from "../../store/execution-store.ts"
import { isGrant } from "../approvals/row.ts"
import { approvalsOf } from "../approvals/read.ts"
import { withdrawApprovals } from "../approvals/withdraw.ts"
import { endCalls } from "./call-end.ts"
import type { EngineParts } from "../engine-parts.ts"
import { isVisible } from "../execution-access.ts"
import { approvalExpired, endStored, isOverdue } from "./end.ts"
import type { RunBytes } from "../gate/held-bytes.ts"
import { readLogs } from "../programs/tool-logs.ts"
import { LeaseLost, type ActiveRun } from "./run-registry.ts"
import { calledByNobody, runsBelow } from "./children/scope.ts"
import { newLease } from "./lease.ts"
import { requireDebug } from "../../identity/debug-right.ts"
import { toReply } from "./reply.ts"
import { showReply } from "./pause-shown.ts"
import { readAnswers, replayedRow } from "./start/recorded-answers.ts"
import { checkRequest } from "./start/request-check.ts"
import { runExecution } from "./run.ts"
import type { ReadyExecution } from "./run.ts"
import { awaitSettledElsewhere } from "./await.ts"

export async function execute(principal: Principal, request: ExecutionRequest, parts: EngineParts): Promise<ExecutionReply> {
  checkRequest(principal, request, parts.limits)
  if (request.mode === "debug") requireDebug(await currentAccess(principal, parts))
  if (request.workspace !== undefined) requireWorkspace(principal, request.workspace, parts)
  const row = newRow(principal, request, parts)
  const fresh = request.replayOf === undefined ? row : await replayedRow(principal, row, request.replayOf, parts)
  return startRow(principal, fresh, request, parts)
}

/** `isKeptFirst`: somebody is to find it before it ends, so that it must be there whatever happens to this node. */
type RowRequest = Omit<ExecutionRequest, "code"> & { readonly isKeptFirst?: boolean }

/** Runs what is new, and replies when it ends or pauses, or where nobody waits, as soon as it has begun. */
export async function startRow(
  principal: Principal,
  row: ExecutionRow,
  { wait = true, onStart, ...request }: RowRequest,
  parts: EngineParts,
): Promise<ExecutionReply> {
  if (wait) return executeRow(principal, row, { ...request, ...(onStart === undefined ? {} : { onStart }) }, parts)
  const started = Promise.withResolvers<void>()
  const begun = {
    ...request,
    isKeptFirst: true,
    // Nobody sees how it pauses.
    left: AbortSignal.abort(),
    onStart(id: string) {
      onStart?.(id)
      started.resolve()
    },
  }
  const settled = executeRow(principal, row, begun, parts)
  // What becomes of it is in its history; what was never started is told here.
  await Promise.race([started.promise, settled])
  settled.catch((error: unknown) => parts.log.error({ executionId: row.id, error: String(error) }, "An execution could not go on"))
  return toReply(row, [], parts)
}

/** Replies when it ends or pauses. */
async function executeRow(principal: Principal, fresh: ExecutionRow, request: RowRequest, parts: EngineParts): Promise<ExecutionReply> {
  const room = parts.storedQuota.admit(principal)
  if (room !== null) await room
  const held = holdCode(principal, fresh.code, parts)
  const abort = new AbortController()
  const cancel = (): void => abort.abort()
  request.signal?.addEventListener("abort", cancel, { once: true })
  try {
    const approvals: ApprovalRow[] = []
    const isStored = request.isKeptFirst === true
    const kept = isStored ? await keep(fresh, parts) : fresh
    const recording = { calls: [], events: [] }
    const answers = await readAnswers(kept, recording, parts)
    const settled = runAnywhere({ row: kept, isStored, recording, answers, approvals, below: [], abort }, parts)
    request.onStart?.(fresh.id)
    const row = await settled
    // One that asked nobody has no approvals.
    return await showReply(principal, row, approvals.length === 0 ? [] : await approvalsOf(row, parts), readerOf(request), parts)
  } finally {
    held.close()
    request.signal?.removeEventListener("abort", cancel)
  }
}

async function keep(fresh: ExecutionRow, parts: EngineParts): Promise<ExecutionRow> {
  const { owner, until } = newLease(parts)
  const row = { ...fresh, leaseOwner: owner, leaseUntil: until }
  const records = [{ kind: "execution" as const, row }]
  parts.storedQuota.add(row, records)
  await parts.executions.journal.append(records, "now")
  return row
}

export function requireWorkspace(principal: Principal, id: string, { workspaceTools }: EngineParts): void {
  if (workspaceTools.isAttached(principal, id)) return
  throw new ExecutorError(
    "not_found",
    `No process of yours is attached to a workspace '${id}' at this server; open one with POST /workspaces, follow its events, then try again`,
  )
}

/** Code stays in memory from when it is asked for, also while it is queued. */
function holdCode(principal: Principal, code: string, { heldBytes, limits }: EngineParts): RunBytes {
  const held = heldBytes.open(principalKey(principal))
  held.add(code.length)
  if (held.ofPrincipal() <= limits.executionsJournalBytesPerPrincipalMax && held.ofAll() <= limits.executionsJournalBytesMax) return held
  held.close()
  const message =
    "The executions that run or are queued take all the memory that the server has for them; let some of them end, then try again"
  throw new ExecutorError("rate_limited", message, { retryable: true })
}

/** The signal is aborted when nobody will see the reply. */
function readerOf({ signal, left, questions = "all" }: Omit<ExecutionRequest, "code">): Replied {
  const signals = [signal, left].filter((one) => one !== undefined)
  return { signal: AbortSignal.any(signals), questions }
}

/** Until it ends or pauses, here or on the node that took it. */
export const runAnywhere = (ready: ReadyExecution, parts: EngineParts): Promise<ExecutionRow> =>
  awaitSettledElsewhere(ready.row, runUntilSettled(ready, parts), parts)

/** While it runs, others on this node can wait for it, follow it and stop it. */
export function runUntilSettled(ready: ReadyExecution, parts: EngineParts): Promise<ExecutionRow> {
  const { row } = ready
  const startedMs = parts.clock.monotonicMs() - row.wallUsedMs
  // Begun a moment later, because a run looks for itself among what is live.
  const ended = Promise.resolve()
    .then(() => runRepeatedly(ready, parts))
    .finally(() => parts.runs.remove(live))
  const live: ActiveRun = {
    tenant: row.tenant,
    user: row.user,
    id: row.id,
    rootId: null,
    tokenId: row.tokenId,
    abort: ready.abort,
    run: row.run,
    ended,
    isStored: ready.isStored,
    isVisibleTo: (principal) => isVisible(row, principal),
    leaseUntilMs: row.leaseUntil === null ? 0 : Date.parse(row.leaseUntil),
    logs: readLogs(row.logs),
    words: "",
    time: () => ({ usedMs: parts.clock.monotonicMs() - startedMs, wallMs: row.wallMs }),
    calls: () => ready.recording.calls,
  }
  parts.runs.add(live)
  // Whoever else waits for it sees the failure too; here it must not count as unhandled.
  ended.catch(() => {})
  return ended
}

/** An answer may come while the code is still running; then the pause is over as soon as it begins. */
async function runRepeatedly(ready: ReadyExecution, parts: EngineParts): Promise<ExecutionRow> {
  const end = await runExecution(ready, parts)
  if (end.kind === "refused") return runAdmitted(ready, end.message, parts)
  if (end.kind === "again") return runRepeatedly(await load(end.row, ready.abort, parts), parts)
  if (end.kind === "handed_over") throw handOver(ready, parts)
  const { row } = end
  const approvals = row.status === "paused" ? await approvalsOf(row, parts) : []
  // Code can go on until long after it has asked.
  const isLate = hasChanged(ready.approvals, approvals, (status) => status === "expired") || isOverdue(row, parts)
  if (isLate) return endStored(row, approvalExpired, parts)
  const isAnswered = row.status === "paused" && hasChanged(ready.approvals, approvals, (status) => status !== "pending")
  const next = isAnswered ? await takeUp(row, ready.abort, parts) : null
  if (next !== null) return runRepeatedly(next, parts)
  if (isAnswered) throw new LeaseLost("Another request has already answered and resumed the execution")
  if (row.status !== "paused") await withdrawOpen(ready, parts)
  parts.runs.publish(row.id, () => ({ type: row.status === "paused" ? "pause" : "end", reply: toReply(row, approvals, parts) }))
  return row
}

const admissionRetryMs = 250

/** What is new may be refused; what is stored was promised to go on, so that it waits for its turn. */
async function runAdmitted(ready: ReadyExecution, message: string, parts: EngineParts): Promise<ExecutionRow> {
  if (!ready.isStored) throw new ExecutorError("rate_limited", message, { retryable: true })
  await sleep(admissionRetryMs)
  return runRepeatedly(ready, parts)
}

/** Another node has it, and it settles there; or this process ends, and it goes on when one is back. */
function handOver(ready: ReadyExecution, parts: EngineParts): Error {
  const { reason }: { reason: unknown } = ready.abort.signal
  if (reason instanceof LeaseLost) return reason
  const isKept = ready.isStored || parts.runs.get(ready.row.id)?.isStored === true
  return new ExecutorError(
    "internal",
    isKept
      ? `The server is stopping. Execution ${ready.row.id} is kept and continues when a server starts`
      : "The server is stopping and the execution has not made any calls; run it again",
  )
}

/** Code can end without waiting for a human it asked. A run that was taken away leaves that to the one that goes on. */
async function withdrawOpen({ row, approvals }: ReadyExecution, parts: EngineParts): Promise<void> {
  if (!approvals.some((approval) => approval.status === "pending")) return
  try {
    const stored = await parts.executions.executions.get({ tenant: row.tenant, user: null, tokenId: null }, row.id)
    if (stored?.run !== row.run) return
    await withdrawApprovals(approvals, "cancel", parts)
    await endCalls(stored, (call) => (call.state === "waiting" ? unwaited : null), parts)
  } catch (error) {
    parts.log.error({ executionId: row.id, error: String(error) }, "The open approvals of an execution could not be withdrawn")
  }
}

const unwaited = fail("approval_cancelled", "The execution ended without waiting for this approval")

/** Takes a paused execution for a run of its own; null when somebody else was faster. */
export async function takeUp(row: ExecutionRow, abort: AbortController, parts: EngineParts): Promise<ReadyExecution | null> {
  const lease = newLease(parts)
  if (!(await parts.executions.executions.claim(row, lease))) return null
  const claimed: ExecutionRow = { ...row, status: "running", run: row.run + 1, leaseOwner: lease.owner, leaseUntil: lease.until }
  return load(claimed, abort, parts)
}

/** A claimed execution with everything that its replay needs. */
export async function load(row: ExecutionRow, abort: AbortController, parts: EngineParts): Promise<ReadyExecution> {
  const recording = await parts.executions.journal.read(row, row.id)
  const below = await runsBelow(row, recording, parts)
  // Code that asked for a grant went on without: the question outlives the execution.
  const approvals = (await approvalsOf(row, parts)).filter((approval) => approval.status !== "pending" || !isGrant(approval))
  return { row, isStored: true, recording, answers: await readAnswers(row, recording, parts), approvals, below, abort }
}

/** Whether something that this run saw as pending has come to this by now. */
const hasChanged = (
  seen: readonly ApprovalRow[],
  now: readonly ApprovalRow[],
  isChanged: (status: ApprovalRow["status"]) => boolean,
): boolean => {
  const pending = new Set(seen.filter((row) => row.status === "pending").map((row) => row.id))
  return now.some((row) => isChanged(row.status) && pending.has(row.id))
}

export function newRow(principal: Principal, request: ExecutionRequest, parts: EngineParts): ExecutionRow {
  const now = parts.clock.now()
  return {
    tenant: principal.tenant,
    id: newId("exe", now),
    user: principal.user,
    principalKind: principal.kind,
    tokenId: principal.tokenId,
    roles: JSON.stringify(principal.roles),
    code: request.code,
    results: request.results ?? "envelope",
    approval: request.approval ?? "pause",
    autoApprove: request.autoApprove ?? false,
    wallMs: request.timeoutMs ?? parts.limits.executionWallMs,
    seed: randomSeed(),
    startedAtMs: now.getTime(),
    status: "running",
    run: 1,
    // It is held from when it is stored.
    leaseOwner: null,
    leaseUntil: null,
    wallUsedMs: 0,
    pauseCount: 0,
    expiresAt: null,
    createdAt: now.toISOString(),
    endedAt: null,
    result: null,
    error: null,
    logs: "[]",
    emitted: "[]",
    outputsSeen: 0,
    session: request.session ?? null,
    mode: request.mode ?? "production",
    program: "code",
    workspace: request.workspace ?? null,
    replayOf: null,
    directCall: null,
    ...calledByNobody,
  }
}
