// The one line that every tool call passes, in this order, with every branch in sight.
//
//   replay ▶ resolve ▶ check args ▶ effect ▶ policy ▶ approval ▶ budget ▶ credential ▶ call ▶ record
//
// What the journal knows is answered from it, so that nothing happens twice. Arguments are checked before anything is
// decided or sent, so that a model's mistake costs nothing and a human is never asked about it. What a call does may
// follow from them, and is known before policy decides and for everything after it. The credential is
// opened last, so that its bytes exist for the length of the call only, and what comes back is cleaned of them before
// anybody sees or records it. A call that is no read is durably journaled before it starts and after it ends.
import type { CallNotice } from "../../core/call/notice.ts"
import type { McpPassThrough } from "../../core/call/pass-through.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolResult } from "../../core/result.ts"
import { redactAnswer } from "../../credentials/redact.ts"
import { openAnswerTurn } from "../../io/answer-turn.ts"
import { principalKey } from "../../io/fair-queue.ts"
import type { Approver } from "../approvals/approver.ts"
import type { Budget } from "./budget.ts"
import { resolveTarget, targetOfCall } from "./target.ts"
import type { TargetParts } from "./target.ts"
import type { CallJournal } from "./journal.ts"
import { isPending, withElicit } from "./elicitation.ts"
import type { Pending } from "./elicitation.ts"
import type { PolicyEvaluator } from "../../catalog/policies/evaluator.ts"
import { blocked } from "../../catalog/tools/access.ts"

export type GateParts = TargetParts & { readonly policyEvaluator: PolicyEvaluator }

/** Who calls, from where, and what that place remembers. */
export type GateContext = {
  readonly principal: Principal
  readonly journal: CallJournal
  readonly approvals: Approver
  readonly budget: Budget
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Of a caller who speaks the source's own protocol. */
  readonly passThrough?: McpPassThrough
  /** What a call says on its way. */
  notify(address: string, notice: CallNotice): void
}

export type GateCall = {
  readonly key: string
  readonly seq: number
  readonly path: string
  readonly argsJson: string
  readonly args: Record<string, unknown>
  /** Where the code makes it; null outside of code. */
  readonly line: number | null
}

export async function gate(call: GateCall, context: GateContext, parts: GateParts): Promise<ToolResult | Pending> {
  const { principal, journal, approvals, budget } = context

  const recorded = journal.replay(call)
  if (recorded.state === "done") return recorded.result
  if (recorded.state === "unknown") return journal.refused(call, recorded.result)

  const resolution = await resolveTarget(principal, call.path, parts)
  if (!resolution.ok) return journal.refused(call, resolution)

  const invalid = await resolution.target.checkArgs(call.args, call.argsJson)
  if (invalid !== null) return journal.refused(call, invalid, resolution.target)
  const target = await targetOfCall(resolution.target, call.args)

  const verdict = await parts.policyEvaluator.decide(principal, target, call.args)
  if (verdict.action === "block") return journal.refused(call, blocked(target.subject), target, verdict)

  const approval = await approvals.decide(call, target, verdict)
  if (approval.status === "pending") return journal.waiting(call, target, verdict, approval.approvalId)
  if (approval.status === "refused") return journal.refused(call, approval.failure, target, verdict)

  const exhausted = budget.take(call)
  if (exhausted !== null) return journal.refused(call, exhausted, target, verdict)

  const opened = await target.open()
  if (!opened.ok) return journal.refused(call, opened, target, verdict)

  await journal.started(call, target, verdict, approval.approvalId)
  const turn = openAnswerTurn(principalKey(principal), parts.limits)
  try {
    const answer = await withElicit(call, target, approvals, (elicit) =>
      opened.call({
        args: call.args,
        effect: target.effect,
        signal: context.signal,
        timeoutMs: context.timeoutMs,
        elicit,
        answerTurn: turn,
        ...(context.passThrough === undefined ? {} : { passThrough: context.passThrough }),
        notify: (notice) => context.notify(target.address, notice),
      }),
    )
    if (isPending(answer)) return journal.waiting(call, target, verdict, answer.approvalId)
    // Calls that were made side by side are answered one after the other, and there may be no room left for all of them.
    const clean = await redactAnswer(answer, opened.secrets, turn)
    return await journal.done(call, target, verdict, (turn.keep() ? budget.full() : null) ?? clean)
  } finally {
    turn.end()
  }
}
