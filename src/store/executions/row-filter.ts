// Which executions a list has, and which are forgotten.
import type { ExecutionStatus } from "../../core/execution.ts"
import type { ExecutionRow } from "../execution-store.ts"

/** `principal`: a user, or the id of a token. `tool`: the address of a call that it made. `parent` absent: only what nobody called; `any`: also what agents called. */
export type ExecutionRowFilter = {
  readonly status?: ExecutionStatus
  readonly principal?: string
  readonly tool?: string
  /** Only what this call has started and was not answered by. */
  readonly directCall?: string
  readonly since?: string
  readonly until?: string
  readonly parent?: "any" | Pick<ExecutionRow, "id" | "rootId">
}

/** Executions that ended before it go, except for the newest `keep` of each tenant; the audit is kept for longer. */
export type HistoryAge = { readonly before: string; readonly keep: number; readonly auditBefore: string }
