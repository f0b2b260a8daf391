// Handles a tool that asks the human for input while it runs.
//
// What a tool holds in memory cannot be kept for days, so it is run again from its start when the answer is there, and
// every question that was answered before is answered at once. A tool therefore asks before it changes anything. One that
// can go on from a state of its own gives that with its questions, and gets it back.
import type { Elicit, ElicitAnswer, ElicitRequest } from "../../core/call/elicit.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { Approver } from "./approver.ts"
import type { CallTarget, GateCall } from "./call.ts"

/** Not an answer and not an error: the call waits for a human. */
export type Pending = { readonly ok: "pending"; readonly approvalId: string }

export const isPending = (answer: ToolResult | Pending): answer is Pending => answer.ok === "pending"

/** Thrown through the tool's code: no error of it. */
export class QuestionAsked extends Error {
  readonly outcome: Pending | ToolFailure
  constructor(outcome: Pending | ToolFailure) {
    super(outcome.ok === "pending" ? "Waiting for a human; the tool is run again once they have answered" : outcome.error.message)
    this.outcome = outcome
  }
}

/** The run ended under the call, which has no answer: whoever goes on makes it again. */
export class CallAbandoned extends Error {
  override readonly name = "CallAbandoned"
}

export async function withElicit(
  call: GateCall,
  target: CallTarget,
  approvals: Approver,
  work: (elicit: Elicit) => Promise<ToolResult>,
): Promise<ToolResult | Pending> {
  const resumption = approvals.resumption(call)
  const asked = new Set(resumption.asked)
  let unanswered: Pending | ToolFailure | null = null
  const ask = async (request: ElicitRequest): Promise<ElicitAnswer> => {
    const question = await approvals.question(call, target, asked, request)
    if (question.status === "answered") return question.answer
    unanswered = question.status === "refused" ? question.failure : { ok: "pending", approvalId: question.approvalId }
    throw new QuestionAsked(unanswered)
  }
  const elicit: Elicit = Object.assign(ask, resumption.state === null ? {} : { state: resumption.state })
  try {
    const result = await work(elicit)
    return unanswered ?? result
  } catch (error) {
    if (error instanceof QuestionAsked) return error.outcome
    throw error
  }
}
