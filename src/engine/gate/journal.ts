// What the gate needs from a journal, regardless of where the call comes from.
//
// The journal is also where a result takes the form that its caller gets: to code, exactly what was recorded.
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { PolicyVerdict } from "../../catalog/policies/evaluator.ts"
import type { BuiltinAnswer, BuiltinCall, CallTarget, GateCall } from "./call.ts"

/** What is known of a call from an earlier run of the same execution. */
export type Recorded<Answer> =
  | { readonly state: "new" }
  | { readonly state: "done"; readonly answer: Answer }
  /** It was under way when the process died, and it was no read. */
  | { readonly state: "unknown"; readonly failure: ToolFailure }

export type CallJournal<Answer> = {
  replay(call: GateCall): Recorded<Answer>
  refused(call: GateCall, failure: ToolFailure, target?: CallTarget, verdict?: PolicyVerdict): Answer
  answered(call: BuiltinCall, answer: BuiltinAnswer): Answer
  waiting(call: GateCall, target: CallTarget, verdict: PolicyVerdict, approvalId: string): Answer
  /** Resolves when the call may start: for what is no read, when this is durable. `approvalId`: the answer by which it may. */
  started(call: GateCall, target: CallTarget, verdict: PolicyVerdict, approvalId: string | null): Promise<void>
  /** Resolves when the answer may be delivered. */
  done(call: GateCall, target: CallTarget, verdict: PolicyVerdict, result: ToolResult): Promise<Answer>
}
