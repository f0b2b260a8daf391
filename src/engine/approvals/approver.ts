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
  /** For what policy does not block. A human's "no" to this very call wins over every rule and every other answer. */
  decide(call: GateCall, target: CallTarget, verdict: PolicyVerdict): Promise<ApprovalDecision>
  /** From where a call that asked before goes on: which questions it is past, and the state that it gave with the next. */
  resumption(call: GateCall): Resumption
  /** A question that a tool asks during a call. `asked`: those before it in this run, to which it is added. */
  question(call: GateCall, target: CallTarget, asked: Set<string>, request: ElicitRequest): Promise<QuestionState>
}

/** What needs no human, or has none who could be named. */
export const approved: ApprovalDecision = { status: "approved", approvalId: null }

export function toDecision({ id, address, status }: ApprovalRow): ApprovalDecision {
  switch (status) {
    case "pending":
      return { status: "pending", approvalId: id }
    case "accept":
      return { status: "approved", approvalId: id }
    case "decline":
      return refused(fail("approval_declined", `'${address}' was declined; do not try it again without asking a human`))
    case "cancel":
    case "expired":
      return refused(fail("approval_cancelled", `The request to approve '${address}' was cancelled`))
  }
}

const refused = (failure: ToolFailure): ApprovalDecision => ({ status: "refused", failure })
