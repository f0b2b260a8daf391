// The calls of an execution with everything that a timeline shows: when, from where, and what came back.
import type { CallView } from "../execution.ts"
import type { Effect } from "../tool.ts"

export type CallDetail = CallView & {
  /** Its identity in the execution's journal; that of a call which a tool made begins with that tool's key and a slash. */
  readonly key: string
  /** As the code names the tool. */
  readonly path: string
  readonly effect: Effect
  /** When it last began, or began to wait for a human. */
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** The line of the code that makes it, counted from 1, as the code itself reports it. */
  readonly line?: number
  /** Recorded by an earlier run of the execution: the latest one took its answer from the journal. */
  readonly replayed?: true
  /** The execution from whose record it was answered, without being made. */
  readonly replayedFrom?: string
  /** How long a human was waited for. */
  readonly wait?: { readonly from: string; readonly to: string | null }
  /** What it returned; long ones by their beginning. */
  readonly answer?: unknown
  /** The arguments as an agent's model wrote them, where they were read as something else. */
  readonly written?: string
}
