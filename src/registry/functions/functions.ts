// The port of functions that tools may call: an allow-list of names.
import type { ToolResult } from "../../core/result.ts"

export interface FunctionRegistry {
  /** Null when there is none of that name. */
  find(name: string): { readonly name: string; readonly description: string; readonly reads: boolean } | null
  names(): readonly string[]
  /** At most three that somebody may have meant. */
  nearest(name: string): readonly string[]
  /** Values in and out are JSON. What a function throws is a failure in the envelope. */
  call(name: string, args: Record<string, unknown>, run: FunctionRun): Promise<ToolResult>
}

export type FunctionRun = {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Whose turn a thread is: callers share the threads fairly. */
  readonly who: string
}
