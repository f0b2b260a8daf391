// What the gate needs to know about a human's approval, regardless of where the call comes from.
import type { ElicitAnswer, ElicitRequest } from "../../core/call/elicit.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import type { CallTarget } from "../gate/target.ts"
import type { GateCall } from "../gate/gate.ts"
import type { PolicyVerdict } from "../../catalog/policies/evaluator.ts"

export type ApprovalDecision =
  /** `approvalId`: by which answer of a human; null where none was needed. */
  | { readonly status: "approved"; readonly approvalId: string | null }
  | { readonly status: "pending"; readonly approvalId: string }
  | { readonly status: "refused"; readonly failure: ToolFailure }

export type QuestionState =
  | { readonly status: "answered"; readonly answer: ElicitAnswer }
  | { readonly status: "pending"; readonly approvalId: string }
  /** Nobody can be asked. */
  | { readonly status: "refused"; readonly failure: ToolFailure }

export type Resumption = { readonly asked: readonly string[]; readonly state: string | null }

export const fromStart: Resumption = { asked: [], state: null }

export type Approver = {
  /** For what policy allows. */
  readonly unasked: ApprovalDecision
  ask(call: GateCall, target: CallTarget, verdict: PolicyVerdict): Promise<ApprovalDecision>
  /** From where a call that asked before goes on: which questions it is past, and the state that it gave with the next. */
  resumption(call: GateCall): Resumption
  /** A question that a tool asks during a call. `asked`: those before it in this run, to which it is added. */
  question(call: GateCall, target: CallTarget, asked: Set<string>, request: ElicitRequest): Promise<QuestionState>
}

/** What needs no human, or has none who could be named. */
export const approved: ApprovalDecision = { status: "approved", approvalId: null }

/** What the code learns of a human who did not say yes. */
export const refusal = ({ address, status }: ApprovalRow): ApprovalDecision => ({
  status: "refused",
  failure:
    status === "decline"
      ? fail("approval_declined", `'${address}' was declined; do not try it again without asking a human`)
      : fail("approval_cancelled", `The request to approve '${address}' was cancelled`),
})
