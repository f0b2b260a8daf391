// What the gate needs to know about a human's approval, regardless of where the call comes from.
import type { ElicitAnswer, ElicitRequest } from "../../core/call/elicit.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { PolicyVerdict } from "../../catalog/policies/evaluator.ts"
import type { CallTarget, GateCall } from "./call.ts"

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

export type Approver = {
  /** For what policy does not block. A human's "no" to this very call wins over every rule and every other answer. */
  decide(call: GateCall, target: CallTarget, verdict: PolicyVerdict): Promise<ApprovalDecision>
  /** From where a call that asked before goes on: which questions it is past, and the state that it gave with the next. */
  resumption(call: GateCall): Resumption
  /** A question that a tool asks during a call. `asked`: those before it in this run, to which it is added. */
  question(call: GateCall, target: CallTarget, asked: Set<string>, request: ElicitRequest): Promise<QuestionState>
  /** The same for what an agent's run calls, and everything below it: nobody has approved that beforehand. */
  forAgents(): Approver
}
