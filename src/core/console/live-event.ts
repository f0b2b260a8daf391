// The events of the whole server, as one reader is told them: that something changed, never what it is now.
import type { ExecutionStatus } from "../execution.ts"

/** What of the server's administration changed. */
export const changeTypes = [
  "catalog.changed",
  "registry.changed",
  "credentials.changed",
  "agents.changed",
  "models.changed",
  "pipelines.changed",
  "policies.changed",
  "people.changed",
  "notifications.changed",
] as const
export type ChangeType = (typeof changeTypes)[number]

export const executionChangeTypes = ["execution.started", "execution.changed", "execution.ended"] as const
export type ExecutionChangeType = (typeof executionChangeTypes)[number]

export const approvalChangeTypes = ["approval.opened", "approval.answered"] as const
export type ApprovalChangeType = (typeof approvalChangeTypes)[number]

/** `id`: where a stream that was lost goes on. */
export type LiveEvent = { readonly id: string } & (
  | {
      /** `ready`: all that follows is told. `reset`: events may be missing, so whatever was read before is read again. */
      readonly type: "ready" | "reset"
    }
  | { readonly type: ApprovalChangeType; readonly approvalId: string; readonly executionId: string | null }
  | {
      readonly type: ExecutionChangeType
      /** Left out: several of the reader's. */
      readonly executionId?: string
      readonly status?: ExecutionStatus
    }
  | {
      readonly type: ChangeType
      /** What was done, as the audit names it, and to what. Left out where the reader may not know, or nobody did it. */
      readonly action?: string
      readonly subject?: string
    }
)

export type FollowOptions = {
  /** The id of the last event that was read, to be told what came after it. */
  readonly after?: string
  readonly signal?: AbortSignal
}
