// What the MCP host needs of the product.
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Limits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import type { McpHostApi } from "../../executor.ts"
import type { Log } from "../../io/log.ts"

export type McpHostParts = {
  api(principal: Principal): ExecutorApi
  readonly hostApi: McpHostApi
  /** Shows a human of this machine what an agent of theirs waits for, where there is a desktop; the agent learns nothing of it. */
  showApproval(principal: Principal, executionId: string): void
  /** 32 bytes that every node on the store has; signs what clients carry between two rounds. */
  readonly requestStateKey: Uint8Array
  readonly version: string
  readonly limits: Limits
  readonly log: Log
}
