// The port through which the registry learns whether code can be read at all.
import type { Scope } from "../principal.ts"

/** `line` and `column` count from 1, in the code as it was written. */
export type CodeProblem = { readonly message: string; readonly line?: number; readonly column?: number }

export interface CodeSyntax {
  /** Null where the code can be read. Throws `rate_limited` where too much is waiting. */
  problemIn(scope: Scope, code: string): Promise<CodeProblem | null>
}
