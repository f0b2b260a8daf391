// Calls one tool outside an execution: through the same gate, but unable to pause. An agent's run is an execution all the same.
import type { ExecuteOptions } from "../core/executor-api.ts"
import type { PassThroughOptions } from "../core/call/pass-through.ts"
import type { Principal } from "../core/principal.ts"
import { fail } from "../core/result.ts"
import type { ToolResult } from "../core/result.ts"
import { newAuditRow } from "./audit/row.ts"
import { nonPausingApprover } from "./approvals/non-pausing-approver.ts"
import { unlimitedBudget } from "./gate/budget.ts"
import type { CallJournal } from "./gate/journal.ts"
import type { CallTarget, GateCall, ToolCall } from "./gate/call.ts"
import type { GateContext } from "./gate/context.ts"
import type { EngineParts } from "./engine-parts.ts"
import { withUnrecordedPrograms } from "./programs/unrecorded-run.ts"
import type { RunAgent } from "./programs/unrecorded-run.ts"
import { answerOfOpenRun, runDirectly } from "./executions/start/direct-call.ts"
import type { DirectCall } from "./executions/start/direct-call.ts"
import { gate } from "./gate/gate.ts"
import { unsharedPlaces } from "./gate/run-places.ts"
import { sessionOf } from "./gate/session-value.ts"
import type { PolicyVerdict } from "../catalog/policies/evaluator.ts"
import { production } from "../catalog/tools/working-copies.ts"
import { noLonger } from "../identity/access.ts"

const neverAborted = new AbortController().signal

export async function executeTool(
  given: Principal,
  path: string,
  args: Record<string, unknown>,
  options: ExecuteOptions & PassThroughOptions,
  parts: EngineParts,
): Promise<ToolResult> {
  // Whoever called may have been authenticated long ago, as programs and sessions are.
  const access = await parts.access.of(given)
  if (access === null) return fail("unauthorized", noLonger)
  const { principal } = access
  const current = async (): Promise<Principal> => {
    const now = await parts.access.of(given)
    if (now === null) throw new NoLonger()
    return now.principal
  }
  const timeoutMs = options.timeoutMs ?? parts.limits.callTimeoutMs
  const call: ToolCall = { kind: "tool", key: "", seq: 0, path, argsJson: toJson(args), args, line: null }
  const context: Omit<GateContext<ToolResult>, "runCode"> = {
    principal,
    journal: auditJournal(principal, parts),
    approvals: nonPausingApprover(principal, null, options.approve, parts),
    budget: unlimitedBudget,
    session: sessionOf(principal),
    mode: production,
    signal: options.signal ?? neverAborted,
    timeoutMs,
    places: unsharedPlaces,
    placeWaitMs: timeoutMs,
    current,
    notify: (_address, notice) => options.notify?.(notice),
    ...(options.passThrough === undefined ? {} : { passThrough: options.passThrough }),
  }
  const { notify } = context
  const direct: DirectCall = { path, argsJson: call.argsJson, callers: [], signal: context.signal, notify }
  const open = await answerOfOpenRun(principal, direct, parts)
  if (open !== null) return open
  const runAgent: RunAgent = (caller, made, program, signal) => {
    // As it was asked for: the gate may have read its arguments in another way.
    const own = made.callers === undefined ? direct : { ...made, callers: made.callers, signal, notify }
    return runDirectly(caller, own, program, parts)
  }
  return gate(call, withUnrecordedPrograms(context, runAgent, parts), parts).catch((error: unknown) => {
    if (error instanceof NoLonger) return fail("unauthorized", noLonger)
    throw error
  })
}

/** Whoever asked was disabled, or their token revoked, while the call waited. */
class NoLonger extends Error {}

/** What is no JSON is refused by the check of the arguments, which comes before anything reads this text. */
function toJson(args: unknown): string {
  try {
    return JSON.stringify(args) ?? "{}"
  } catch {
    return "{}"
  }
}

/** There is nothing to replay; what happened is audited. */
function auditJournal(principal: Principal, parts: EngineParts): CallJournal<ToolResult> {
  const startedMs = parts.clock.monotonicMs()
  const audit = (call: GateCall, result: ToolResult, target: CallTarget | undefined, verdict: PolicyVerdict | undefined): void => {
    const facts = {
      action: "call",
      subject: target?.address ?? call.path,
      decision: verdict?.action ?? null,
      rule: verdict?.rule?.id ?? null,
      outcome: result.ok ? "ok" : result.error.code,
      details: JSON.stringify({ ms: Math.round(parts.clock.monotonicMs() - startedMs) }),
    }
    const row = newAuditRow(principal, facts, parts.clock)
    parts.executions.journal
      .append([{ kind: "audit", row }], "soon")
      .catch((error: unknown) => parts.log.error({ error: String(error) }, "A call could not be audited"))
  }
  return {
    replay: () => ({ state: "new" }),
    refused: (call, failure, target, verdict) => {
      audit(call, failure, target, verdict)
      return failure
    },
    // Its approver answers every question itself, so that nothing waits, and only code has built-ins.
    waiting: () => fail("internal", "A call outside an execution cannot pause"),
    answered: () => fail("internal", "A call outside an execution has no built-ins"),
    started: () => Promise.resolve(),
    done: (call, target, verdict, result) => {
      audit(call, result, target, verdict)
      return Promise.resolve(result)
    },
  }
}
