// The engine's side of a running sandbox: routes each call of the code, and keeps the order of events.
import { ExecutorError, errorTable } from "../../core/errors.ts"
import { withoutRoot } from "../../core/address.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import { withoutClaims } from "../../credentials/redact.ts"
import { newId } from "../../io/ids.ts"
import type { SandboxAnswer, SandboxCall, SandboxHost } from "../../sandbox/sandbox.ts"
import type { Budget } from "../gate/budget.ts"
import type { CallsInFlight } from "./calls-in-flight.ts"
import type { EngineParts } from "../engine-parts.ts"
import type { ExecutionJournal } from "./journal.ts"
import { Cancellation, LeaseLost } from "./run-registry.ts"
import { isPending } from "../gate/elicitation.ts"
import { gate } from "../gate/gate.ts"
import type { GateCall, GateContext } from "../gate/gate.ts"
import { keepValue, loadValue } from "./session-value.ts"

export type HostContext = GateContext & {
  readonly executionId: string
  readonly journal: ExecutionJournal
  readonly budget: Budget
  /** Whose `store` and `load` these are. */
  readonly session: string
  readonly inFlight: CallsInFlight
}

/** `open`: what calls need is made when there is one. */
export function executionHost(executionId: string, journal: ExecutionJournal, open: () => HostContext, parts: EngineParts): SandboxHost {
  let opened: HostContext | null = null
  return {
    async call(call) {
      const known = journal.answer(call.key)
      if (known !== null) return known
      const context = (opened ??= open())
      const answering = answerCall(call, context, parts)
      context.inFlight.add(call, answering)
      parts.runs.trackCall(answering)
      const answer = await answering
      if (answer.form !== "pending") context.budget.spend(answer.json.length)
      return answer
    },
    record: (event) => journal.settle(event),
    output(output) {
      if (output.kind === "log") parts.runs.get(executionId)?.logs.push(output.line)
      parts.runs.publish(executionId, () =>
        output.kind === "log" ? { type: "log", line: output.line } : { type: "emit", value: JSON.parse(output.json) as unknown },
      )
    },
  }
}

async function answerCall(call: SandboxCall, context: HostContext, parts: EngineParts): Promise<SandboxAnswer> {
  const { journal } = context
  if (await parts.tokenWatch.isRevoked(context.principal)) return endRun(context.executionId, new Cancellation("revocation"), parts)
  const asked: GateCall = { key: call.key, seq: call.seq, path: call.path, argsJson: call.argsJson, args: readArgs(call), line: call.line }
  try {
    const exhausted = context.budget.take(asked)
    if (exhausted !== null)
      return refuseUnread(asked, exhausted, call.kind === "tool" && !parts.builtins.has(withoutRoot(call.path)), journal)
    if (call.kind === "store") return recordValue(asked, await keepValue(context, call, parts), journal)
    if (call.kind === "load") return recordValue(asked, await loadValue(context, call, parts), journal)
    const builtin = parts.builtins.get(withoutRoot(call.path))
    if (builtin !== undefined) return await answerBuiltin(asked, () => builtin(context.principal, asked.args), context)
    const result = await gate(asked, context, parts)
    if (isPending(result)) return { form: "pending" }
  } catch (error) {
    if (error instanceof LeaseLost) return endRun(context.executionId, error, parts)
    journal.refused(asked, bugReport(error, call.path, parts))
  }
  return journal.answer(call.key) ?? { form: "reject", json: JSON.stringify({ code: "internal", message: "The call has no answer" }) }
}

/** Nothing more is called or written; the code waits for an answer that whoever takes over will give, or nobody if it is cancelled. */
function endRun(executionId: string, reason: LeaseLost | Cancellation, parts: EngineParts): SandboxAnswer {
  parts.runs.get(executionId)?.abort.abort(reason)
  return { form: "pending" }
}

/** They are journaled and counted like calls. */
async function answerBuiltin(call: GateCall, work: () => Promise<unknown>, { journal }: HostContext): Promise<SandboxAnswer> {
  try {
    return recordValue(call, { form: "value", json: JSON.stringify(withoutClaims(await work())) ?? "null" }, journal)
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    const { code, message, details } = error
    return recordValue(
      call,
      { form: "reject", json: JSON.stringify({ code, message, details, retryable: errorTable[code].retryable }) },
      journal,
    )
  }
}

/** What is over the budget is journaled without its arguments: they are what it has too many of. */
function refuseUnread(call: GateCall, failure: ToolFailure, isEnveloped: boolean, journal: ExecutionJournal): SandboxAnswer {
  const unread = { ...call, argsJson: "" }
  if (!isEnveloped) return recordValue(unread, { form: "reject", json: JSON.stringify(failure.error) }, journal)
  return { form: "envelope", json: JSON.stringify(journal.refused(unread, failure)) }
}

function recordValue(
  call: GateCall,
  answer: { readonly form: "value" | "reject"; readonly json: string },
  journal: ExecutionJournal,
): SandboxAnswer {
  journal.answered(call, answer.form, answer.json)
  return answer
}

function bugReport(error: unknown, path: string, parts: EngineParts) {
  const id = newId("err")
  parts.log.error({ id, path, error: error instanceof Error ? error.stack : String(error) }, "A call failed with an internal error")
  return fail("internal", `An internal error occurred; look it up in the log under ${id}`, { details: { id } })
}

/** `tools.x.y()` means no arguments; anything else that is no object is refused by the schema. What is stored is only passed on. */
function readArgs({ kind, argsJson }: SandboxCall): Record<string, unknown> {
  const value: unknown = argsJson === "" || kind !== "tool" ? null : JSON.parse(argsJson)
  return (value ?? {}) as Record<string, unknown> // checked against the tool's schema in the gate
}
