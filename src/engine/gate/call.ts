// A call on its way through the gate: what was asked for, the target that it resolves to, and what its source gets.
import type { Elicit } from "../../core/call/elicit.ts"
import type { CallNotice } from "../../core/call/notice.ts"
import type { McpPassThrough } from "../../core/call/pass-through.ts"
import type { RunCode } from "../../core/call/program.ts"
import type { RequestPreview } from "../../core/execution.ts"
import type { ExecutionSettings } from "../../core/registry/execution.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { Effect } from "../../core/tool.ts"
import type { AnswerTurn } from "../../io/answer-turn.ts"
import type { EffectOfArgs, ReadArgs } from "../../sources/source-adapter.ts"

type Asked = {
  /** Its identity in the journal, the same in every replay. */
  readonly key: string
  readonly seq: number
  /** The tool's path, or the name that `store` and `load` give. */
  readonly path: string
  readonly argsJson: string
  readonly args: Record<string, unknown>
  /** Where the code makes it; null outside of code. */
  readonly line: number | null
  /** The tools that lead to it, the last of which makes it; absent where the execution's own program does. */
  readonly callers?: readonly string[]
  /** The approval that a call before it waits for: it may ask a human, but not start. */
  readonly behind?: string
}

export type ToolCall = Asked & { readonly kind: "tool" }
/** What Executor itself answers to code: a value without an envelope. */
export type BuiltinCall = Asked & { readonly kind: "builtin" | "store" | "load" }
export type GateCall = ToolCall | BuiltinCall

/** `reject`: the fields of the error that the code gets. */
export type BuiltinAnswer = { readonly form: "value" | "reject"; readonly json: string }

/** The tool that a call is for, in the one form that the gate knows. */
export type CallTarget = {
  readonly address: string
  /** What policies match. */
  readonly subject: string
  readonly effect: Effect
  /** Its source does not say what it changes. */
  readonly isEffectAssumed?: boolean
  readonly requiresApproval: boolean
  /** Where the arguments of a call say what it does; null where every call has the effect above. */
  readonly effectOf: EffectOfArgs | null
  /** How many of its calls may run at once, and for how long; null where nobody said. */
  readonly execution: ExecutionSettings | null
  /** The argument with an address of the caller's choosing: reads ask too, because it is a way out for data. */
  readonly addressArg?: string
  readonly alwaysAsks: boolean
  /** Why, where that is another reason than a change of the tool. */
  readonly asksBecause?: string
  /** Of a tool that was made here: the version that this is; null for others. */
  version(): string | null
  readonly title: string
  readonly approvalDescription: string | null
  /** Of everything that a human approves: a change asks again. */
  definitionHash(): string
  /** The arguments as they are meant; null where they are taken as they are. */
  readonly readArgs: ReadArgs | null
  /** `argsJson`: the same as text, which tells their size without writing them again. */
  checkArgs(args: Record<string, unknown>, argsJson: string): Promise<ToolFailure | null>
  /** The request that a call with these would send, where its source can say. */
  preview(args: Record<string, unknown>): RequestPreview | null
  open(): Promise<OpenTarget | ToolFailure>
}

/** Ready to be called; its secrets are to be replaced in the answer. */
export type OpenTarget = { readonly ok: true; readonly secrets: readonly string[]; call(run: SourceCall): Promise<ToolResult> }

/** What the target of a call gets, past every decision. */
export type SourceCall = {
  readonly args: Record<string, unknown>
  readonly effect: Effect
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly elicit: Elicit
  readonly answerTurn: AnswerTurn
  readonly passThrough?: McpPassThrough
  readonly runCode: RunCode
  notify(notice: CallNotice): void
}
