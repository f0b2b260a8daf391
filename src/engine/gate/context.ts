// Where a call comes from: who makes it, and what that place remembers, allows and wants to know.
import type { CallNotice } from "../../core/call/notice.ts"
import type { McpPassThrough } from "../../core/call/pass-through.ts"
import type { CodeProgram } from "../../core/call/program.ts"
import type { ToolResult } from "../../core/result.ts"
import type { Principal } from "../../core/principal.ts"
import type { ResolveMode } from "../../catalog/tools/working-copies.ts"
import type { Approver } from "./approver.ts"
import type { Budget } from "./budget.ts"
import type { CallTarget, GateCall, ToolCall } from "./call.ts"
import type { CallJournal } from "./journal.ts"
import type { PlaceQueue } from "./places.ts"

/** `Answer`: what the caller gets, in the form that its journal records. */
export type GateContext<Answer> = {
  readonly principal: Principal
  readonly journal: CallJournal<Answer>
  readonly approvals: Approver
  readonly budget: Budget
  /** Whose `store` and `load` these are. */
  readonly session: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** The default group of this run. */
  readonly places: PlaceQueue
  /** How long a call waits for a place in a group; the run may end before. */
  readonly placeWaitMs: number
  /** Of a caller who speaks the source's own protocol. */
  readonly passThrough?: McpPassThrough
  /** The principal with the roles of this moment. Rejects when nothing acts in its name any more, as when its token was revoked: the whole run ends then, without an answer. */
  current(): Promise<Principal>
  /** The target of a call that the catalog has no tool for; null for every other. */
  ownTarget?(call: ToolCall, principal: Principal): Promise<CallTarget> | null
  /** In which tools of the registry are resolved; calls of code that performs a call have that of their parent. */
  readonly mode: ResolveMode
  /** Runs the code that performs a call. */
  runCode(call: GateCall, program: CodeProgram): Promise<ToolResult>
  /** What a call says on its way. */
  notify(address: string, notice: CallNotice): void
}
