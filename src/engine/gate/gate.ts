// The one line that every call passes, in this order, with every branch in sight.
//
//   replay ▶ token ▶ budget ┬▶ resolve ▶ check args ▶ effect ▶ policy ▶ approval ▶ place ▶ credential ▶ call ▶ redact ┬▶ record
//                           └▶ built-in ────────────────────────────────────────────────────────────────────────────┘
//
// What the journal knows is answered from it as it was recorded, so that nothing happens twice. A caller whose token was
// revoked, or whose execution has used up its budget, gets no further. What their roles of this moment do not include is
// not there to be resolved, also when a human has approved it before. What Executor itself answers to code reaches no
// source, so that there is nothing to decide about it. Arguments are checked before anything is decided or sent, so that
// a model's mistake costs nothing and a human is never asked about it. What a call does may follow from them, and is
// known before policy decides and for everything after it. Of tools that allow only so many calls at once, a call waits for
// its place when nothing else is left to decide, and frees it however it ends, also with a question to a human, so that
// nobody waits for somebody who is away. The credential is opened last, so that its bytes exist for
// the length of the call only, and what comes back is cleaned of them before anybody sees or records it. A call that is
// no read is durably journaled before it starts and after it ends. What the journal answers is what the caller gets.
import { redactAnswer } from "../../credentials/redact.ts"
import { openAnswerTurn } from "../../io/answer-turn.ts"
import { principalKey } from "../../io/fair-queue.ts"
import type { PolicyEvaluator } from "../../catalog/policies/evaluator.ts"
import { blocked } from "../../catalog/tools/access.ts"
import { answerBuiltin } from "./builtin-stage.ts"
import type { BuiltinStageParts } from "./builtin-stage.ts"
import type { GateCall } from "./call.ts"
import type { GateContext } from "./context.ts"
import { isPending, withElicit } from "./elicitation.ts"
import { noPlace, takePlace } from "./place-stage.ts"
import type { Places } from "./places.ts"
import { resolveTarget, targetOfCall, withReadArgs } from "./target.ts"
import type { TargetParts } from "./target.ts"
import { callWithin } from "./timeout.ts"

export type GateParts = TargetParts & BuiltinStageParts & { readonly policyEvaluator: PolicyEvaluator; readonly places: Places }

export async function gate<Answer>(call: GateCall, context: GateContext<Answer>, parts: GateParts): Promise<Answer> {
  const { journal, approvals, budget } = context

  const recorded = journal.replay(call)
  if (recorded.state === "done") return recorded.answer
  if (recorded.state === "unknown") return journal.refused(call, recorded.failure)

  const principal = await context.current()

  const exhausted = budget.take(call)
  if (exhausted !== null) return journal.refused({ ...call, argsJson: "" }, exhausted)

  if (call.kind !== "tool") return journal.answered(call, await answerBuiltin(call, { ...context, principal }, parts))

  const own = await context.ownTarget?.(call, principal)
  const resolution = own ? ({ ok: true, target: own } as const) : await resolveTarget(principal, call.path, context.mode, parts)
  if (!resolution.ok) return journal.refused(call, resolution)

  const asked = withReadArgs(call, resolution.target)
  const invalid = await resolution.target.checkArgs(asked.args, asked.argsJson)
  if (invalid !== null) return journal.refused(asked, invalid, resolution.target)
  const target = await targetOfCall(resolution.target, asked.args)

  const verdict = await parts.policyEvaluator.decide(principal, target, asked.args)
  if (verdict.action === "block") return journal.refused(asked, blocked(target.subject), target, verdict)

  const approval = await approvals.decide(asked, target, verdict)
  if (approval.status === "pending") return journal.waiting(asked, target, verdict, approval.approvalId)
  if (approval.status === "refused") return journal.refused(asked, approval.failure, target, verdict)
  if (call.behind !== undefined) return journal.waiting(asked, target, verdict, call.behind)

  const { execution } = target
  const place = execution === null ? noPlace : await takePlace(asked, target, execution, { ...context, principal }, parts)
  if (!place.ok) return journal.refused(asked, place, target, verdict)
  const turn = openAnswerTurn(principalKey(principal), parts.limits)
  try {
    const opened = await target.open()
    if (!opened.ok) return journal.refused(asked, opened, target, verdict)

    await journal.started(asked, target, verdict, approval.approvalId)
    const answer = await withElicit(asked, target, approvals, (elicit) =>
      callWithin(execution?.timeoutMs ?? null, opened, {
        args: asked.args,
        effect: target.effect,
        signal: context.signal,
        timeoutMs: context.timeoutMs,
        elicit,
        answerTurn: turn,
        ...(context.passThrough === undefined ? {} : { passThrough: context.passThrough }),
        runCode: (program) => context.runCode(asked, program),
        notify: (notice) => context.notify(target.address, notice),
      }),
    )
    if (isPending(answer)) return journal.waiting(asked, target, verdict, answer.approvalId)
    // Calls that were made side by side are answered one after the other, and there may be no room left for all of them.
    const clean = await redactAnswer(answer, opened.secrets, turn)
    return await journal.done(asked, target, verdict, (turn.keep() ? budget.full() : null) ?? clean)
  } finally {
    turn.end()
    place.leave()
  }
}
