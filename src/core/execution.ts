// One run of sandbox code as its users see it: status, interactions, reply and history.
import type { ModelUsage } from "./agents/model-provider.ts"
import type { ErrorCode } from "./errors.ts"
import type { Effect } from "./tool.ts"
import type { Owner } from "./address.ts"
import type { ApprovalBy, PolicyCondition, PolicyConditionCreate } from "./policy.ts"
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
  "limit_reached",
  "loop_detected",
  "model_error",
  "internal",
] as const
export type RunErrorCode = (typeof runErrorCodes)[number]

export type RunError = {
  readonly code: RunErrorCode
  readonly name: string
  readonly message: string
  readonly line?: number
  readonly column?: number
  /** For a ToolError: which call failed, and how. */
  readonly toolError?: { readonly tool: string; readonly code: string; readonly status?: number }
  /** The calls made so far, writes first. Those that are done must not be repeated. */
  readonly calls?: readonly CallRecap[]
}

/** A summary of a call that an execution has made. */
export type CallRecap = {
  /** The tool's path as the code wrote it. */
  readonly tool: string
  /** The arguments as JSON, shortened. */
  readonly args: string
  readonly effect: Effect
  /** `unknown`: the call may or may not have taken effect. `stopped`: a read that was interrupted. `not_made`: it was still to be approved. */
  readonly outcome: "done" | "unknown" | "under_way" | "stopped" | "not_made"
  /** The id of the created object, or the beginning of the result. */
  readonly answer?: string
  /** Where there is no room for each: so many calls like it, without their arguments. */
  readonly count?: number
}

export const resultsModes = ["envelope", "raw"] as const
export type ResultsMode = (typeof resultsModes)[number]
export const approvalModes = ["pause", "throw"] as const
export type ApprovalMode = (typeof approvalModes)[number]

/** `debug`: tools of the registry are their working copies, drafts included. */
export const executionModes = ["production", "debug"] as const
export type ExecutionMode = (typeof executionModes)[number]

export const programKinds = ["code", "agent"] as const
/** What an execution runs. */
export type ProgramKind = (typeof programKinds)[number]

export type ExecutionRequest = {
  readonly code: string
  readonly timeoutMs?: number
  readonly results?: ResultsMode
  readonly approval?: ApprovalMode
  /** Humans only: accepts the approvals of this execution, except forms, URLs, core tools and what agents call. Blocked tools stay blocked. */
  readonly autoApprove?: boolean
  /** By default `production`. `debug` is for humans with the right `registry.write`, and for tokens that they made for it. */
  readonly mode?: ExecutionMode
  /** The workspace whose tools it has, at `local.*`. */
  readonly workspace?: string
  /** An execution of code that the caller may read: as long as this one makes the calls that it made, they get the answers that it got. */
  readonly replayOf?: string
  /** The session whose values `store` and `load` use; by default the token's. */
  readonly session?: string
  /** Cancels the execution; over HTTP it only stops waiting, unless `cancelOnDisconnect` is set. */
  readonly signal?: AbortSignal
  /** Over HTTP: cancels the execution if the client disconnects before it has the reply. */
  readonly cancelOnDisconnect?: boolean
  /** False: replies as soon as it has started, with the id to follow it by. */
  readonly wait?: boolean
  /** In-process only: aborted when nobody waits for the reply any more; the execution continues. */
  readonly left?: AbortSignal
  /** In-process only: receives the id as soon as the execution starts, so that it can be followed. */
  readonly onStart?: (executionId: string) => void
  /** In-process only: `first` shows as many questions of a pause as a model can read at once; an answer without ids means those. */
  readonly questions?: "all" | "first"
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
  /** The source does not say what the tool changes, so the worst is assumed. */
  readonly effectAssumed?: true
  /** Who made the call: the token's name for an agent, the user for a human. */
  readonly requestedBy: string
  /** Why the call needs a human. */
  readonly reason: string
  /** The policy that requires approval; absent if the tool's effect alone does. */
  readonly rule?: AskingRule
  /** Whom the rules name as approvers; each of them must hold. */
  readonly by?: readonly ApprovalBy[]
  /** Who can approve, where the human who asks, or whose agent asks, cannot. */
  readonly answerers?: string
  /** The line of the code that makes the call, counted from 1, as reported by the code itself. */
  readonly line?: number
  /** The tool whose own code makes the call; absent for calls of the execution's code. */
  readonly via?: string
  /** The agent whose run asks. */
  readonly agent?: AskingAgent
  /** The tools and agents that lead to the call, from the execution's own program on; absent for its own calls. */
  readonly path?: readonly string[]
  /** The request that would be sent, without credentials, if the source can tell. */
  readonly request?: RequestPreview
  /** The conditions of the rule that `remember: "always"` adds unless the answer says others. Absent: none. */
  readonly rememberWhen?: readonly PolicyCondition[]
  readonly requestedSchema?: unknown
  readonly url?: string
}

/** `step`: of its run, from 1; absent before the first. */
export type AskingAgent = { readonly slug: string; readonly version: string; readonly step?: number }
export type AskingRule = { readonly id: string; readonly owner: Owner; readonly pattern: string }
export type RequestPreview = { readonly method: string; readonly url: string }

/** `tool`: whose code logged it, where that is not the execution's own. */
export type LogLine = { readonly level: string; readonly text: string; readonly tool?: string }

export type StructuredOutcome =
  | {
      readonly status: "running" | "completed" | "failed" | "cancelled"
      readonly result: unknown
      readonly logs: readonly LogLine[]
      readonly emitted: readonly unknown[]
      readonly error?: RunError
      /** Of one that is running: what was called so far, writes first. */
      readonly calls?: readonly CallRecap[]
      /** Of an agent's run that has ended. */
      readonly toolOutputs?: readonly AgentToolOutput[]
      readonly context?: Readonly<Record<string, unknown>>
      readonly state?: { readonly lastAgentOutput: unknown }
      readonly usage?: ModelUsage & { readonly steps: number; readonly calls: number }
    }
  | {
      readonly status: "waiting_for_interaction"
      readonly executionId: string
      readonly interactions: readonly Interaction[]
      readonly approvalUrl: string | null
      readonly expiresAt: string
      readonly logs: readonly LogLine[]
      readonly emitted: readonly unknown[]
      /** The calls made so far if the execution has paused before, writes first. */
      readonly calls?: readonly CallRecap[]
      /** How many more it waits for than are shown: they are asked once these are answered. */
      readonly more?: number
    }

/** What a tool answered to an agent, in the order of its calls; long ones are cut. */
export type AgentToolOutput = {
  readonly tool: string
  readonly callId: string
  readonly ok: boolean
  readonly output: unknown
  /** The arguments as the model wrote them, where they were read as something else. */
  readonly written?: string
}

/** The response of `POST /executions` and `resume`. */
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
  /** The question to a human, their answer, and who gave it. */
  readonly approval?: { readonly approvalId: string; readonly answer: string; readonly by: string | null }
  /** The run that it started, where it called an agent. */
  readonly runId?: string
  /** How many tools made of tools it came through; absent for calls of the execution's own code. */
  readonly depth?: number
}

export type ExecutionView = ExecutionReply & {
  readonly code: string
  readonly program: ProgramKind
  readonly mode: ExecutionMode
  readonly principal: Caller
  /** The execution whose recorded answers it began with. */
  readonly replayOf?: string
  /** The execution that called it as an agent; absent for what nobody called. */
  readonly parentId?: string
  /** The first of those that led to it, where its approvals appear. */
  readonly rootId?: string
  readonly createdAt: string
  readonly endedAt: string | null
  readonly calls: readonly CallView[]
}

export type ExecutionSummary = Omit<ExecutionView, "structured" | "calls" | "text" | "isError"> & {
  /** How many calls its own code or agent has made, without those that tools made. */
  readonly callCount: number
}

export const answerActions = ["accept", "decline", "cancel"] as const
export type AnswerAction = (typeof answerActions)[number]

/** Without ids, it answers the approvals in the latest pause that the acting principal was shown. */
export type ResumeRequest = Replied & {
  readonly action: AnswerAction
  readonly content?: unknown
  readonly approvalId?: string
  readonly approvalIds?: readonly string[]
}

export type Replied = {
  /** Aborted when nobody waits for the reply any more: what it shows then counts as unseen. The execution goes on. */
  readonly signal?: AbortSignal
} & Shown

export type Shown = Pick<ExecutionRequest, "questions">

export type ApprovalAnswer = Replied & {
  readonly action: AnswerAction
  readonly content?: unknown
  /** `execution`: allows the tool with any arguments in this execution. `always`: adds an `allow` rule owned by the approver. */
  readonly remember?: "execution" | "always"
  /** With `always`: conditions on the arguments of later calls; without it, those of `rememberWhen`, else the rule allows any arguments. */
  readonly when?: readonly PolicyConditionCreate[]
}

/** The rule that `remember: "always"` created, or that already existed. */
export type RememberedRule = AskingRule & { readonly when: readonly PolicyCondition[]; readonly message: string }

export type ApprovalReply = ExecutionReply & { readonly remembered?: readonly RememberedRule[] }

export type ApprovalView = Interaction & {
  readonly executionId: string | null
  readonly status: "pending" | AnswerAction | "expired"
  readonly principal: Caller
  /** Whether the reader asks, or an agent of theirs. */
  readonly isOwn: boolean
  /** Whether the reader may approve it; `answerers` says who may otherwise. */
  readonly mayAnswer: boolean
  /** The code that asks, where one approval is read by somebody who may answer it. */
  readonly code?: string
  readonly createdAt: string
  readonly expiresAt: string
  /** When it stopped waiting; absent while it is pending. */
  readonly answeredAt?: string
  /** The user who did; absent where it was withdrawn or expired. */
  readonly answeredBy?: string
}

/** An approval was added or settled. */
export type ApprovalsEvent = { readonly type: "approvals" }

export type ExecutionEvent =
  | { readonly type: "call"; readonly call: CallView }
  | { readonly type: "log"; readonly line: LogLine }
  /** The progress of a call, as reported by its source. */
  | { readonly type: "progress"; readonly address: string; readonly progress: number; readonly total?: number; readonly message?: string }
  | { readonly type: "emit"; readonly value: unknown }
  /** What an agent's model says, piece by piece; on a node that does not run it, answer by answer. `path`: of an agent below the one that is followed, the tools that lead to it, and its run. */
  | { readonly type: "text"; readonly text: string; readonly path?: readonly string[]; readonly runId?: string }
  | { readonly type: "pause"; readonly reply: ExecutionReply }
  | { readonly type: "end"; readonly reply: ExecutionReply }
