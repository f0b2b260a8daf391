// One run of an execution: from its journal through the sandbox until it ends or pauses.
//
// Order of events: the recorded events go to the sandbox with the code; live calls pass the gate; when the sandbox is
// done, the outcome is appended. A pause waits until it is durable, because a human may answer it on another node at
// once. So does an end that came from outside, such as a cancellation, because no replay would come to it. An end that
// follows from the journal waits only for what was remembered, such as the last answer of a model: after a crash a replay
// comes to the same end. A run that lost its lease in the meantime writes nothing: the store refuses an outcome of an
// older run.
import { debugMode, production } from "../../catalog/tools/working-copies.ts"
import type { AgentProgram } from "../../core/agents/agent.ts"
import type { CallNotice } from "../../core/call/notice.ts"
import type { Principal } from "../../core/principal.ts"
import type { SandboxOutcome, SandboxRun } from "../../sandbox/sandbox.ts"
import type { ApprovalRow, CallRow, ExecutionHead, ExecutionRow } from "../../store/execution-store.ts"
import { endUnbegun } from "./children/unbegun.ts"
import { closeAsked } from "../approvals/close.ts"
import { pausingApprover } from "../approvals/pausing-approver.ts"
import { nonPausingApprover } from "../approvals/non-pausing-approver.ts"
import { createBudget } from "../gate/budget.ts"
import { createCallsInFlight } from "./calls-in-flight.ts"
import { createRunPlaces } from "../gate/run-places.ts"
import { callTimeoutOf } from "../gate/timeout.ts"
import { viewCall } from "./call-view.ts"
import type { EngineParts } from "../engine-parts.ts"
import { AnswerArrived, Cancellation, LeaseLost } from "./run-registry.ts"
import { principalKey } from "../../io/fair-queue.ts"
import type { RunBytes } from "../gate/held-bytes.ts"
import { newLease } from "./lease.ts"
import { executionHost } from "./host.ts"
import type { HostContext } from "./host.ts"
import { sessionOf } from "../gate/session-value.ts"
import { withPrograms } from "./nested-run.ts"
import { programPrincipal } from "../programs/program.ts"
import { askToStart, startTargetOf } from "../programs/agent-start.ts"
import { openExecutionJournal } from "./journal.ts"
import type { ExecutionJournal, Recording } from "./journal.ts"
import { createAllowance } from "./children/allowance.ts"
import { createChildRuns } from "./children/child-runs.ts"
import type { RecordedAnswers } from "./start/recorded-answers.ts"
import { openToolLogs } from "../programs/tool-logs.ts"
import { endedByItself, journalFailure, onItsWay, toOutcome } from "./outcome.ts"

/** An execution as it is about to run. */
export type ReadyExecution = {
  readonly row: ExecutionRow
  readonly isStored: boolean
  readonly recording: Recording
  /** Those of the execution that it replays. */
  readonly answers: RecordedAnswers
  /** What it asked humans so far; what this run asks is added. */
  readonly approvals: ApprovalRow[]
  /** The runs that agents started in earlier runs of it. */
  readonly below: readonly ExecutionHead[]
  readonly abort: AbortController
}

/** One that runs longer is stored although it has recorded nothing, so that it can be found, followed and stopped. */
const listedAfterMs = 200

/** Code may end while calls are still being checked: whether they are made is known shortly after. */
const undecidedWaitMs = 5000

export type RunEnd =
  | { readonly kind: "settled"; readonly row: ExecutionRow }
  /** Nothing was started, because too much is waiting. */
  | { readonly kind: "refused"; readonly message: string }
  /** A human has answered while the code went on: it begins again, and now finds the answer. */
  | { readonly kind: "again"; readonly row: ExecutionRow }
  /** The process is closing, or the lease is lost; whoever takes it over goes on. */
  | { readonly kind: "handed_over" }

export async function runExecution(ready: ReadyExecution, parts: EngineParts): Promise<RunEnd> {
  const { row, abort } = ready
  const startedMs = parts.clock.monotonicMs()
  const live = parts.runs.get(row.id)
  if (live !== undefined) live.run = row.run
  // The lease of a claim; what was prolonged since must not be shortened by it when the code begins again.
  if (live !== undefined && row.leaseUntil !== null) live.leaseUntilMs = Math.max(live.leaseUntilMs, Date.parse(row.leaseUntil))
  const isWithinLease = (): boolean => (live?.leaseUntilMs ?? 0) > parts.clock.now().getTime()
  const inFlight = createCallsInFlight()
  const toolLogs = openToolLogs(row.logs, parts.limits)
  const journal = openExecutionJournal(row, ready.recording, ready.isStored, {
    answers: ready.answers,
    journal: parts.executions.journal,
    clock: parts.clock,
    onCall: (call) => {
      inFlight.decided(call.key)
      if (call.answerJson !== null) context?.budget.spend(call.answerJson.length)
      closeOpen(call, ready, journal, parts)
      parts.runs.publish(row.id, () => ({ type: "call", call: viewCall(call, children.idAt(call.key)) }))
      children.tellCall(call)
    },
    onAppend: (records) => parts.storedQuota.add(row, records),
    onStored: () => {
      if (live !== undefined) live.isStored = true
    },
    freshLease: () => {
      const lease = newLease(parts)
      if (live !== undefined) live.leaseUntilMs = Date.parse(lease.until)
      return lease
    },
    isHandedOver: () => abort.signal.reason instanceof LeaseLost,
    isWithinLease,
    isHeld: async () => isWithinLease() && (await isOwnRun(row, parts)) && isWithinLease(),
    isLatest: () => isOwnRun(row, parts),
    onFailure: (error) => {
      parts.log.error({ executionId: row.id, error: String(error) }, "The journal of an execution could not be written")
      abort.abort(journalFailure)
    },
  })
  const children = createChildRuns({ root: row, known: ready.below, approvals: ready.approvals, journal }, parts)
  if (live !== undefined) live.calls = () => journal.calls()
  const listing = setTimeout(() => journal.keepRow(), listedAfterMs)
  const signals = openSignals(abort.signal)
  // Code that calls nothing needs nothing of it.
  const held: RunBytes[] = []
  let context: HostContext | null = null
  const agent = row.program === "agent" ? (JSON.parse(row.code) as AgentProgram) : null // written by `agent-run.ts`
  const openContext = () => {
    const own = parts.heldBytes.open(principalKey(row))
    held.push(own)
    const allowance = agent === null ? null : createAllowance("", agent.agent.definition, journal.calls(), null, parts.limits)
    const place = { allowance, children, lineage: [{ id: row.id, depth: 0 }], callers: [] }
    const base = { ...hostContext(ready, agent, journal, own, parts), ...place, signal: signals.calls(), inFlight, toolLogs }
    context = withPrograms(base, { row, journal, signal: signals.run }, parts)
    return context
  }
  const host = executionHost(row.id, { journal, toolLogs }, openContext, parts)
  const stopAsking = parts.runs.onAnswer(row.id, {
    pending: () => ready.approvals.flatMap((approval) => (approval.status === "pending" ? [approval.id] : [])),
    restart: () => signals.endRun(new AnswerArrived("A human has answered")),
  })
  const run: SandboxRun = {
    id: `${row.id}.${row.run}`,
    principal: `${row.tenant}/${sessionOf(row)}`,
    code: row.code,
    results: row.results,
    seed: Buffer.from(row.seed, "hex"),
    startedAtMs: row.startedAtMs,
    wallMs: Math.max(1, row.wallMs - row.wallUsedMs),
    replay: journal.replayEvents(),
    outputsSeen: row.outputsSeen,
    signal: signals.run,
  }
  const unstarted = agent === null ? null : await askToStart(agent, host, signals.run)
  const outcome = await confirmed(unstarted ?? (await parts.runners[row.program].run(run, host)), journal, abort)
  clearTimeout(listing)
  for (const own of held) own.close()
  stopAsking()
  if (outcome.status === "refused") return { kind: "refused", message: outcome.message }
  const isHandedOver = (outcome.status === "killed" && outcome.reason === "closed") || abort.signal.reason instanceof LeaseLost
  if (isHandedOver) return { kind: "handed_over" }
  const wallUsedMs = row.wallUsedMs + (parts.clock.monotonicMs() - startedMs)
  if (outcome.status === "stopped" && signals.run.reason instanceof AnswerArrived) {
    // A write that is under way is to be found done, not uncertain.
    await Promise.allSettled(inFlight.answering())
    const { logs, emitted } = outcome.report
    return {
      kind: "again",
      row: { ...row, wallUsedMs, logs: JSON.stringify(toolLogs.with(logs)), outputsSeen: logs.length + emitted.length },
    }
  }
  // Code that ended by itself may have left calls behind that it did not want to wait for; code that was stopped wants nothing more.
  if (outcome.status === "stopped" || outcome.status === "killed") signals.endCalls()
  const undecided = endedByItself(outcome) ? await inFlight.undecided(undecidedWaitMs) : []
  const calls = [...journal.calls(), ...undecided.filter(({ kind }) => kind === "tool").map(onItsWay)]
  const settled = toOutcome(
    outcome,
    { row, approvals: ready.approvals, calls, toolLogs, signal: abort.signal, wallUsedMs: Math.round(wallUsedMs) },
    parts,
  )
  const below = settled.status === "paused" ? [] : children.endAll()
  const isReplayed = endedByItself(outcome)
  const unbegun = outcome.status === "stopped" ? endUnbegun(row, journal.calls()) : []
  const saved = journal.append(
    [...below, ...unbegun, { kind: "outcome", tenant: row.tenant, executionId: row.id, run: row.run, outcome: settled }],
    isReplayed ? "soon" : "now",
  )
  if (settled.status === "paused") await saved
  else {
    const logged = saved.catch((error: unknown) =>
      parts.log.error({ executionId: row.id, error: String(error) }, "The end of an execution could not be recorded"),
    )
    if (!isReplayed) await logged
  }
  return { kind: "settled", row: { ...row, ...settled } }
}

/** What it ended with may be told; otherwise it was stopped, because it goes on elsewhere or its journal cannot be written. */
async function confirmed(outcome: SandboxOutcome, journal: ExecutionJournal, abort: AbortController): Promise<SandboxOutcome> {
  if (!endedByItself(outcome)) return outcome
  try {
    await journal.confirmed()
    return outcome
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    // Where the journal could not be written, this is not the first reason.
    abort.abort(error)
    return { status: "stopped", reason: "cancelled", message: error.message, report: outcome.report }
  }
}

function closeOpen(call: CallRow, { approvals }: ReadyExecution, journal: ExecutionJournal, parts: EngineParts): void {
  if (approvals.length === 0) return
  const closed = closeAsked(call, approvals, parts.clock)
  // A journal that cannot be written stops the execution with its next record.
  if (closed.length > 0)
    void journal
      .append(
        closed.map((row) => ({ kind: "approval", row })),
        "soon",
      )
      .catch(() => {})
}

/** The run and its calls end with the execution, and each can end before it. */
function openSignals(whole: AbortSignal) {
  const run = new AbortController()
  let calls: AbortController | null = null
  const endBoth = (): void => {
    run.abort(whole.reason)
    calls?.abort(whole.reason)
  }
  if (whole.aborted) endBoth()
  else whole.addEventListener("abort", endBoth, { once: true })
  const openCalls = (): AbortController => {
    const opened = new AbortController()
    if (whole.aborted) opened.abort(whole.reason)
    return opened
  }
  return {
    run: run.signal,
    calls: () => (calls ??= openCalls()).signal,
    endRun: (reason: Error) => run.abort(reason),
    endCalls: () => calls?.abort(new Error("The execution has ended")),
  }
}

function hostContext(ready: ReadyExecution, agent: AgentProgram | null, journal: ExecutionJournal, held: RunBytes, parts: EngineParts) {
  const { row, approvals } = ready
  const principal = principalOf(row)
  const acting = actingAs(row, agent)
  const approver =
    row.approval === "throw"
      ? nonPausingApprover(principal, row.id, row.autoApprove ? "auto" : undefined, parts)
      : pausingApprover(principal, row, approvals, journal, parts)
  return {
    principal: acting(principal),
    journal,
    approvals: approver,
    timeoutMs: callTimeoutOf(row, parts.limits),
    places: createRunPlaces(),
    placeWaitMs: row.wallMs,
    budget: createBudget(parts.limits, ready.recording.calls, held),
    ...(agent === null ? {} : { ownTarget: startTargetOf(agent, parts) }),
    mode: row.mode === "debug" ? debugMode(async () => (await parts.access.of(principal))?.mayDebug ?? false) : production,
    session: row.session === null ? sessionOf(principal) : `${sessionOf(principal)}/${row.session}`,
    endRun: (reason: Error) => ready.abort.abort(reason),
    async current() {
      const access = await parts.access.of(principal)
      if (access === null) throw new Cancellation("revocation")
      return acting(access.principal)
    },
    notify: (address: string, notice: CallNotice) =>
      parts.runs.publish(row.id, () =>
        notice.type === "progress" ? { ...notice, address } : { type: "log", line: { level: notice.level, text: notice.text } },
      ),
  }
}

/** Code acts as whoever asked for it; an agent as an agent of theirs, whoever they are. Both with the execution's workspace. */
function actingAs({ workspace }: ExecutionRow, agent: AgentProgram | null): (principal: Principal) => Principal {
  const attached = workspace === null ? {} : { workspace }
  if (agent === null) return (principal) => (workspace === null ? principal : { ...principal, ...attached })
  const { own } = agent
  return (principal) => ({ ...programPrincipal(principal, { reach: { own } }), ...attached })
}

/** Whoever takes it over from now on finds the trace of what is about to start. Leases alone are as good as the clocks. */
async function isOwnRun(row: ExecutionRow, parts: EngineParts): Promise<boolean> {
  const stored = await parts.executions.leases.findRunning(row)
  return stored?.run === row.run
}

export const principalOf = (row: Pick<ExecutionRow, "tenant" | "user" | "roles" | "principalKind" | "tokenId">): Principal => ({
  tenant: row.tenant,
  user: row.user,
  roles: JSON.parse(row.roles) as string[], // written by `execute`
  // What it may do is asked of the principal of the moment.
  rights: [],
  kind: row.principalKind,
  tokenId: row.tokenId,
})
