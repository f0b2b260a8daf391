// Which executions a list has.
import type { ExecutionStatus } from "../../core/execution.ts"

/** `principal`: a user, or the id of a token. `tool`: the address of a call that it made. */
export type ExecutionRowFilter = {
  readonly status?: ExecutionStatus
  readonly principal?: string
  readonly tool?: string
  readonly since?: string
  readonly until?: string
}
