// What the gate asks about a human's consent, wherever the call comes from.
import type { ElicitAnswer, ElicitRequest } from "../core/elicit.ts"
import type { ToolFailure } from "../core/result.ts"
import type { CallTarget } from "./call-target.ts"
import type { GateCall } from "./gate.ts"
import type { DeskVerdict } from "../catalog/policy-desk.ts"

export type ApprovalDecision =
  | { readonly status: "approved" }
  | { readonly status: "pending"; readonly approvalId: string }
  | { readonly status: "refused"; readonly failure: ToolFailure }

export type QuestionState =
  | { readonly status: "answered"; readonly answer: ElicitAnswer }
  | { readonly status: "pending"; readonly approvalId: string }
  /** Nobody can be asked. */
  | { readonly status: "refused"; readonly failure: ToolFailure }

export type Resumption = { readonly asked: readonly string[]; readonly state: string | null }

export const fromStart: Resumption = { asked: [], state: null }

export type ApprovalDesk = {
  /** For what policy allows. */
  readonly unasked: ApprovalDecision
  ask(call: GateCall, target: CallTarget, verdict: DeskVerdict): Promise<ApprovalDecision>
  /** From where a call that asked before goes on: which questions it is past, and the state that it gave with the next. */
  resumption(call: GateCall): Resumption
  /** A question that a tool asks during a call. `asked`: those before it in this run, to which it is added. */
  question(call: GateCall, target: CallTarget, asked: Set<string>, request: ElicitRequest): Promise<QuestionState>
}

export const approved: ApprovalDecision = { status: "approved" }
