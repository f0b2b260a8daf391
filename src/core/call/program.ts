// Code that performs a call: what a tool made of code hands to the engine.
import type { ProgramKind } from "../execution.ts"
import type { ToolResult } from "../result.ts"

export type CodeProgram = {
  /** By default `code`; for an agent `code` is the JSON of an `AgentProgram`. */
  readonly kind?: ProgramKind
  readonly code: string
  /** The code's global `input`. */
  readonly input: unknown
  /** Null: the code has no `tools`. Its calls pass the gate as an agent of whoever calls. */
  readonly reach: ProgramReach | null
  /** Of the running code; calls that wait for a human do not count. */
  readonly timeoutMs: number
}

/** Which `user`-owned tools of its caller the code reaches: all, where they made it themselves, or those that patterns name. */
export type ProgramReach = { readonly own: "all" | readonly string[] }

export type RunCode = (program: CodeProgram) => Promise<ToolResult>
