// The port of what an execution runs: sandbox code is one kind of program, an agent's loop another.
//
// Whatever a program does is replayed from the journal of its execution: it asks for the same calls, by the same keys, and
// gets the answers that were recorded. The sandbox replays by recorded events; an agent by what it remembered.
import type { ModelUsage } from "../core/agents/model-provider.ts"
import type { Principal } from "../core/principal.ts"
import type { JsonText } from "../core/tool.ts"
import type { AnswerForm, SandboxHost, SandboxOutcome, SandboxRun } from "./sandbox.ts"

/** Something that is done once: its answer is durable before a call or another step follows from it, and given again in every replay. */
export type RememberedStep = {
  readonly key: string
  readonly seq: number
  readonly path: string
  readonly argsJson: JsonText
  /** Where it is no value: the fields of an error. */
  readonly form?: "reject"
}

export type RecalledAnswer = { readonly form: AnswerForm; readonly json: JsonText }

export interface ProgramHost extends SandboxHost {
  /** As whom the program acts at this moment; null when nothing acts in this name any more, and the run ends. */
  current(): Promise<Principal | null>
  /** What was recorded under the key; null where nothing was. */
  recall(key: string): RecalledAnswer | null
  /** Null when what was remembered before could not be recorded: whoever takes over does it again. */
  remember(step: RememberedStep, work: (signal: AbortSignal) => Promise<JsonText>): Promise<JsonText | null>
  /** What a model says, as it arrives; it is not kept. */
  text(text: string): void
  /** By which approval a call waits; null where it does not. */
  approvalOf(key: string): string | null
  /** Of a call that was recorded. */
  addressOf(key: string): string | null
  /** As they were read. */
  argsOf(key: string): JsonText | null
  /** Counts a call before it is made. False: the program, or one that called it, may make no more; what was counted once may be made. */
  mayCall(key: string): boolean
  /** What the program and the programs that it called have used so far. `isSpentAbove`: one that called it may use no more. */
  spent(): { readonly usage: readonly ModelUsage[]; readonly isSpentAbove: boolean }
}

export interface ProgramRunner {
  /** Never rejects. */
  run(run: SandboxRun, host: ProgramHost): Promise<SandboxOutcome>
}
