// What the gate needs from a journal, regardless of where the call comes from.
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { CallTarget } from "./target.ts"
import type { Pending } from "./elicitation.ts"
import type { GateCall } from "./gate.ts"
import type { PolicyVerdict } from "../../catalog/policies/evaluator.ts"

/** What is known of a call from an earlier run of the same execution. */
export type Recorded =
  | { readonly state: "new" }
  | { readonly state: "done"; readonly result: ToolResult }
  /** It was under way when the process died, and it was no read. */
  | { readonly state: "unknown"; readonly result: ToolFailure }

export type CallJournal = {
  replay(call: GateCall): Recorded
  refused(call: GateCall, failure: ToolFailure, target?: CallTarget, verdict?: PolicyVerdict): ToolFailure
  waiting(call: GateCall, target: CallTarget, verdict: PolicyVerdict, approvalId: string): Pending
  /** Resolves when the call may start: for what is no read, when this is durable. `approvalId`: the answer by which it may. */
  started(call: GateCall, target: CallTarget, verdict: PolicyVerdict, approvalId: string | null): Promise<void>
  /** Resolves when the answer may be delivered. */
  done(call: GateCall, target: CallTarget, verdict: PolicyVerdict, result: ToolResult): Promise<ToolResult>
}
