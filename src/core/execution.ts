// One run of sandbox code as its users see it: status, interactions, reply and history.
import type { ErrorCode } from "./errors.ts"
import type { Effect } from "./tool.ts"
import type { Owner } from "./address.ts"
import type { PolicyCondition, PolicyConditionCreate } from "./policy.ts"
import type { Caller } from "./principal.ts"

export const executionStatuses = ["running", "paused", "completed", "failed", "cancelled"] as const
export type ExecutionStatus = (typeof executionStatuses)[number]

export const runErrorCodes = [
  "thrown",
  "syntax",
  "timeout",
  "cpu_limit",
  "memory_limit",
  "output_limit",
  "cancelled",
  "approval_expired",
  "replay_diverged",
  "internal",
] as const
export type RunErrorCode = (typeof runErrorCodes)[number]

export type RunError = {
  readonly code: RunErrorCode
  readonly name: string
  readonly message: string
  readonly line?: number
  readonly column?: number
  /** Of a ToolError: which call failed, and how. */
  readonly toolError?: { readonly tool: string; readonly code: string; readonly status?: number }
  /** What was called until then, writes first: what is done must not be repeated. */
  readonly calls?: readonly CallRecap[]
}

/** A call that an execution has made, in short. */
export type CallRecap = {
  /** As the code named it. */
  readonly tool: string
  /** The beginning of their JSON. */
  readonly args: string
  readonly effect: Effect
  /** `unknown`: it may or may not have happened. */
  readonly outcome: "done" | "unknown" | "under_way"
  /** The id of what was made, or the beginning of the answer. */
  readonly answer?: string
}

export const resultsModes = ["envelope", "raw"] as const
export type ResultsMode = (typeof resultsModes)[number]
export const approvalModes = ["pause", "throw"] as const
export type ApprovalMode = (typeof approvalModes)[number]

export type ExecutionRequest = {
  readonly code: string
  readonly timeoutMs?: number
  readonly results?: ResultsMode
  readonly approval?: ApprovalMode
  /** Humans only: accepts `approval` interactions of this execution; not forms, URLs or core tools, and never a block. */
  readonly autoApprove?: boolean
  /** The session of a client whose `store` and `load` are to be its own; by default the token's. */
  readonly session?: string
  readonly signal?: AbortSignal
  /** In-process only: aborted when nobody waits for the reply any more; the execution goes on. */
  readonly left?: AbortSignal
  /** In-process only: told the id as soon as it runs, so that it can be followed. */
  readonly onStart?: (executionId: string) => void
}

export type InteractionKind = "approval" | "form" | "url"

/** What a paused execution waits for. */
export type Interaction = {
  readonly approvalId: string
  readonly kind: InteractionKind
  readonly message: string
  readonly address: string
  readonly args: unknown
  readonly effect: Effect
  /** Who made the call: an agent by the name of its token, a human by their user. */
  readonly requestedBy: string
  /** Why a human is asked. */
  readonly reason: string
  /** The policy that asks; none where the tool's effect alone does. */
  readonly rule?: AskingRule
  /** The line of the code that makes the call, from 1, as the code itself says. */
  readonly line?: number
  /** The request that would be sent, without credentials, where its source can say. */
  readonly request?: RequestPreview
  readonly requestedSchema?: unknown
  readonly url?: string
}

export type AskingRule = { readonly id: string; readonly owner: Owner; readonly pattern: string }
export type RequestPreview = { readonly method: string; readonly url: string }

export type LogLine = { readonly level: string; readonly text: string }

export type StructuredOutcome =
  | {
      readonly status: "running" | "completed" | "failed" | "cancelled"
      readonly result: unknown
      readonly logs: readonly LogLine[]
      readonly emitted: readonly unknown[]
      readonly error?: RunError
    }
  | {
      readonly status: "waiting_for_interaction"
      readonly executionId: string
      readonly interactions: readonly Interaction[]
      readonly approvalUrl: string | null
      readonly expiresAt: string
      readonly logs: readonly LogLine[]
      readonly emitted: readonly unknown[]
      /** What was called before an earlier question and since, writes first. */
      readonly calls?: readonly CallRecap[]
    }

/** What `POST /executions` and `resume` answer. */
export type ExecutionReply = {
  readonly executionId: string
  readonly status: ExecutionStatus
  readonly text: string
  readonly structured: StructuredOutcome
  readonly isError: boolean
}

export type CallStatus = "waiting" | "started" | "done"

export type CallView = {
  readonly address: string
  readonly args: unknown
  readonly decision: string
  readonly rule?: string
  readonly status: CallStatus
  readonly ms: number | null
  readonly error?: { readonly code: ErrorCode; readonly message: string }
  /** What a human was asked about it, and who answered how. */
  readonly approval?: { readonly approvalId: string; readonly answer: string; readonly by: string | null }
}

export type ExecutionView = ExecutionReply & {
  readonly code: string
  readonly principal: Caller
  readonly createdAt: string
  readonly endedAt: string | null
  readonly calls: readonly CallView[]
}

export type ExecutionSummary = Omit<ExecutionView, "structured" | "calls" | "text" | "isError">

export const answerActions = ["accept", "decline", "cancel"] as const
export type AnswerAction = (typeof answerActions)[number]

/** Without ids it answers what the latest pause showed that the acting principal has seen. */
export type ResumeRequest = Replied & {
  readonly action: AnswerAction
  readonly content?: unknown
  readonly approvalId?: string
  readonly approvalIds?: readonly string[]
}

/** The signal is aborted when nobody waits for the reply any more: what it shows then counts as unseen. The execution goes on. */
export type Replied = { readonly signal?: AbortSignal }

export type ApprovalAnswer = Replied & {
  readonly action: AnswerAction
  readonly content?: unknown
  /** `execution`: the same tool, any arguments, this execution. `always`: an `allow` rule of the approver's own. */
  readonly remember?: "execution" | "always"
  /** With `always`: what the arguments of later calls must meet; without it the rule allows any. */
  readonly when?: readonly PolicyConditionCreate[]
}

/** The rule that `remember: "always"` made, or found made already. */
export type RememberedRule = AskingRule & { readonly when: readonly PolicyCondition[]; readonly message: string }

export type ApprovalReply = ExecutionReply & { readonly remembered?: readonly RememberedRule[] }

export type ApprovalView = Interaction & {
  readonly executionId: string | null
  readonly status: "pending" | AnswerAction | "expired"
  readonly principal: Caller
  readonly createdAt: string
  readonly expiresAt: string
}

/** Something began or stopped waiting for a human. */
export type ApprovalsEvent = { readonly type: "approvals" }

export type ExecutionEvent =
  | { readonly type: "call"; readonly call: CallView }
  | { readonly type: "log"; readonly line: LogLine }
  /** How far a call is, as its source tells. */
  | { readonly type: "progress"; readonly address: string; readonly progress: number; readonly total?: number; readonly message?: string }
  | { readonly type: "emit"; readonly value: unknown }
  | { readonly type: "pause"; readonly reply: ExecutionReply }
  | { readonly type: "end"; readonly reply: ExecutionReply }
