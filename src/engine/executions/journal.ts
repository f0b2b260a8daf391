// The journal of one execution: its calls, decisions and results, in memory for this run and durable for the next.
//
// A call is a row that goes from waiting to started to done; an event says in which order answers and timers reached
// the code. Reads are appended and not waited for. What is no read waits: before it starts, so that a crash leaves a
// trace of it, and after it ended, so that it is never done again. It starts only if the lease still stands once its
// trace is durable: whoever takes the execution over then sees the trace, so that no write is ever started twice.
// What a program remembers, such as the answer of a model, is on its way to the disk while the calls that follow from it
// are decided; none of them starts before it is there, and no end that follows from it is told to anybody.
import { fail } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { Clock } from "../../io/clock.ts"
import { sha256 } from "../../io/ids.ts"
import type { SandboxAnswer, SettleEvent } from "../../sandbox/sandbox.ts"
import type { RememberedStep } from "../../sandbox/program-runner.ts"
import { writeJsonText } from "../../io/json-write.ts"
import type { CallRow, EventRow, ExecutionRow, JournalRecord, JournalRows } from "../../store/execution-store.ts"
import type { CallJournal } from "../gate/journal.ts"
import type { BuiltinAnswer, CallTarget, GateCall } from "../gate/call.ts"
import { isOf, isOwn, toSettleEvent } from "../programs/settle-events.ts"
import { LeaseLost } from "./run-registry.ts"
import type { RecordedAnswers } from "./start/recorded-answers.ts"
import type { PolicyVerdict } from "../../catalog/policies/evaluator.ts"

/** Its answers are those that the code gets. */
export type ExecutionJournal = CallJournal<SandboxAnswer> & {
  /** What replay delivers, in the recorded order. */
  replayEvents(): SettleEvent[]
  settle(event: SettleEvent): void
  /** The journal of the code that performs this call; null where other code began to perform it. */
  program(key: string, code: string): ProgramJournal | null
  /** Records what a program did itself: it is durable before a call starts, and before `kept` resolves. */
  remember(step: RememberedStep, json: string, ms: number): void
  /** Resolves when all that was remembered is durable, and throws `LeaseLost` when it cannot be, or when another node has the execution. */
  kept(): Promise<void>
  /**
   * Resolves when an end that follows from what was remembered may be told: whoever takes the execution over from then on
   * comes to the same end. Throws `LeaseLost` where somebody has taken it before.
   */
  confirmed(): Promise<void>
  call(key: string): CallRow | undefined
  calls(): Iterable<CallRow>
  /** Stores the execution's row, unless a record has taken it along already. */
  keepRow(): void
  /** Goes in front of whatever is appended next. */
  append(records: readonly JournalRecord[], urgency: "now" | "soon"): Promise<void>
}

export type ProgramJournal = {
  /** When its code started for the first time. */
  readonly startedAtMs: number
  readonly replay: SettleEvent[]
  settle(event: SettleEvent): void
}

export type JournalParts = {
  readonly journal: JournalRows
  readonly clock: Clock
  readonly answers: RecordedAnswers
  onCall(row: CallRow): void
  onAppend(records: readonly JournalRecord[]): void
  /** The execution's row is durable from now on. */
  onStored(): void
  /** The lease with which the row is stored for the first time. */
  freshLease(): { readonly owner: string; readonly until: string }
  /** Whether this run was given up for another: what it breaks off is no answer, and the other one asks again. */
  isHandedOver(): boolean
  /** Whether nobody else may have taken the execution, as far as this node knows. */
  isWithinLease(): boolean
  /** Whether nobody else has taken the execution. */
  isHeld(): Promise<boolean>
  /** Whether nobody else had taken it when it was read; the lease may have run out. */
  isLatest(): Promise<boolean>
  /** The journal cannot be written: the execution must not go on. */
  onFailure(error: unknown): void
}

export type Recording = { readonly calls: readonly CallRow[]; readonly events: readonly EventRow[] }

export function openExecutionJournal(
  execution: ExecutionRow,
  recording: Recording,
  isStored: boolean,
  parts: JournalParts,
): ExecutionJournal {
  const calls = new Map(recording.calls.map((row) => [row.key, row]))
  const startedMs = new Map<string, number>()
  let position = recording.events.length
  let isRowStored = isStored
  let remembered: Promise<void> = Promise.resolve()
  let hasRemembered = false

  const append = (records: readonly JournalRecord[], urgency: "now" | "soon"): Promise<void> => {
    if (parts.isHandedOver()) return Promise.resolve()
    const isFirst = !isRowStored
    isRowStored = true
    const all = isFirst ? withRow(records) : records
    parts.onAppend(all)
    const appended = parts.journal.append(all, urgency)
    return isFirst ? appended.then(parts.onStored) : appended
  }
  /** The first records take the row along. What ends before anything was recorded is written once, as it ended. */
  const withRow = (records: readonly JournalRecord[]): readonly JournalRecord[] => {
    const [first, ...rest] = records
    if (first?.kind === "outcome")
      return [{ kind: "execution", row: { ...execution, ...first.outcome, leaseOwner: null, leaseUntil: null } }, ...rest]
    const { owner, until } = parts.freshLease()
    return [{ kind: "execution", row: { ...execution, leaseOwner: owner, leaseUntil: until } }, ...records]
  }
  const appendSoon = (records: readonly JournalRecord[]): void => {
    append(records, "soon").catch(parts.onFailure)
  }
  /** What cannot be recorded must not go on: the run ends, and the call has no answer. */
  const appendNow = async (record: JournalRecord): Promise<void> => {
    try {
      await append([record], "now")
    } catch (error) {
      parts.onFailure(error)
      throw new LeaseLost(`The journal of execution ${execution.id} could not be written`)
    }
  }
  const put = (row: CallRow): JournalRecord => {
    calls.set(row.key, row)
    parts.onCall(row)
    return { kind: "call", row, asker: execution }
  }
  const rowOf = (
    call: Pick<GateCall, "key" | "seq" | "path" | "argsJson"> & Partial<Pick<GateCall, "line">>,
    target: CallTarget | undefined,
    verdict: PolicyVerdict | undefined,
  ): CallRow => ({
    tenant: execution.tenant,
    executionId: execution.id,
    key: call.key,
    seq: call.seq,
    path: call.path,
    address: target?.address ?? call.path,
    argsJson: call.argsJson,
    effect: target?.effect ?? "read",
    state: "started",
    decision: verdict?.action ?? "none",
    rule: verdict?.rule?.id ?? null,
    approvalId: calls.get(call.key)?.approvalId ?? null,
    answerForm: null,
    answerJson: null,
    errorCode: null,
    errorMessage: null,
    startedAt: parts.clock.now().toISOString(),
    ms: null,
    run: execution.run,
    line: isLine(call.line) ? call.line : null,
  })
  const finish = (row: CallRow, result: ToolResult, json: string): { readonly record: JournalRecord; readonly answer: SandboxAnswer } => {
    const record = put({
      ...row,
      run: execution.run,
      state: "done",
      answerForm: "envelope",
      answerJson: json,
      errorCode: result.ok ? null : result.error.code,
      errorMessage: result.ok ? null : result.error.message.slice(0, 500),
      ms: elapsed(startedMs.get(row.key), parts.clock),
    })
    return { record, answer: { form: "envelope", json } }
  }
  const answered = (call: GateCall, { form, json }: BuiltinAnswer): SandboxAnswer => {
    appendSoon([put({ ...rowOf(call, undefined, undefined), state: "done", answerForm: form, answerJson: json, ms: 0 })])
    return { form, json }
  }

  return {
    append,
    call: (key) => calls.get(key),
    calls: () => calls.values(),
    keepRow() {
      if (!isRowStored) appendSoon([])
    },
    replay(call) {
      const row = calls.get(call.key)
      if (row?.answerForm && row.answerJson !== null) return { state: "done", answer: { form: row.answerForm, json: row.answerJson } }
      const replayed = row === undefined ? parts.answers(call) : null
      if (replayed !== null) {
        put(replayed.row)
        appendSoon([{ kind: "call", row: replayed.row }]) // nothing was done, so that the audit has no entry of it
        return { state: "done", answer: replayed.answer }
      }
      const isUncertain = row?.state === "started" && row.effect !== "read"
      return isUncertain ? { state: "unknown", failure: outcomeUnknown(row) } : { state: "new" }
    },
    answered,
    refused(call, failure, target, verdict) {
      if (call.kind !== "tool") return answered(call, { form: "reject", json: JSON.stringify(failure.error) })
      // What was decided in an earlier run counts only as long as nothing else was decided.
      const before = verdict === undefined ? calls.get(call.key) : undefined
      const { record, answer } = finish(before ?? rowOf(call, target, verdict), failure, JSON.stringify(failure))
      appendSoon([record])
      return answer
    },
    waiting(call, target, verdict, approvalId) {
      appendSoon([put({ ...rowOf(call, target, verdict), state: "waiting", approvalId })])
      return { form: "pending" }
    },
    async started(call, target, verdict, approvalId) {
      startedMs.set(call.key, parts.clock.monotonicMs())
      const row = rowOf(call, target, verdict)
      const record = put(approvalId === null ? row : { ...row, approvalId })
      // A read that a crash interrupts is simply repeated, so that it needs no trace.
      if (target.effect === "read") return remembered
      // One commit may take along both what the call follows from and its trace.
      await Promise.all([remembered, appendNow(record)])
      if (!(await parts.isHeld())) throw new LeaseLost(`The lease of execution ${execution.id} expired`)
    },
    async done(call, target, verdict, result) {
      const row = calls.get(call.key) ?? rowOf(call, target, verdict)
      const { record, answer } = finish(row, result, await writeJsonText(result))
      if (target.effect === "read") appendSoon([record])
      else await appendNow(record)
      return answer
    },
    remember(step, json, ms) {
      const failure = step.form === undefined ? null : (JSON.parse(json) as { code: string; message: string }) // as its form says
      const row: CallRow = {
        ...rowOf(step, undefined, undefined),
        state: "done",
        answerForm: step.form ?? "value",
        answerJson: json,
        errorCode: failure?.code ?? null,
        errorMessage: failure?.message.slice(0, 500) ?? null,
        ms,
      }
      hasRemembered = true
      const [before, now] = [remembered, appendNow(put(row))]
      remembered = before.then(() => now)
      // Whatever follows from it sees the failure.
      for (const one of [now, remembered]) one.catch(() => {})
    },
    async kept() {
      await remembered
      // A node that stood still may find its execution elsewhere, where the same was done in the meantime.
      if (isRowStored && !parts.isWithinLease() && !(await parts.isLatest()))
        throw new LeaseLost(`The lease of execution ${execution.id} expired`)
    },
    async confirmed() {
      if (!hasRemembered) return
      await remembered
      if (!(await parts.isLatest())) throw new LeaseLost(`Execution ${execution.id} goes on elsewhere`)
    },
    settle: (event) => settle(event, event.type === "answer" ? event.key : null),
    replayEvents: () => recording.events.filter(isOwn).map((event) => toSettleEvent(event, calls)),
    program(key, code) {
      const prefix = `${key}/`
      const begun = `${prefix}${sha256(code)}`
      const [start, ...events] = recording.events.filter((event) => isOf(event, prefix))
      // What was recorded before the code was says nothing of it.
      if (start !== undefined && start.key !== begun && start.key !== prefix) return null
      const startedAtMs = start?.atMs ?? parts.clock.now().getTime()
      if (start === undefined) settle({ type: "tick", atMs: startedAtMs }, begun)
      return {
        startedAtMs,
        replay: events.map((event) => {
          const settled = toSettleEvent(event, calls)
          return settled.type === "tick" ? settled : { ...settled, key: settled.key.slice(prefix.length) }
        }),
        settle: (event) => settle(event, event.type === "answer" ? `${prefix}${event.key}` : prefix),
      }
    },
  }

  /** `key`: of the answer, or where a tick moves the code of a call, that call's with a slash behind it; the first one has the code's hash there too. */
  function settle(event: SettleEvent, key: string | null): void {
    const row: EventRow = {
      tenant: execution.tenant,
      executionId: execution.id,
      position,
      type: event.type,
      key,
      atMs: event.atMs,
      run: execution.run,
    }
    position += 1
    appendSoon([{ kind: "event", row }])
  }
}

/** The code reports it, and may report anything. */
export const isLine = (line: number | null | undefined): line is number =>
  typeof line === "number" && Number.isInteger(line) && line > 0 && line < 1_000_000
const elapsed = (sinceMs: number | undefined, clock: Clock): number =>
  sinceMs === undefined ? 0 : Math.round((clock.monotonicMs() - sinceMs) * 10) / 10

const outcomeUnknown = (row: CallRow): ToolFailure =>
  fail(
    "outcome_unknown",
    `The server stopped while '${row.address}' was in progress; it may or may not have taken effect. Check before you repeat it`,
  )
