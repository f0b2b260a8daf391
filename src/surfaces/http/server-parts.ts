// What the HTTP surface needs of the product.
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Limits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import type { Log } from "../../io/log.ts"

export type ServerStatus = {
  readonly version: string
  readonly integrations: number
  readonly connections: number
  readonly tools: number
  readonly store: "sqlite" | "postgresql"
}

export type ServerParts = {
  /** Everything it does, it does as that principal. */
  api(principal: Principal): ExecutorApi
  authenticate(token: string): Promise<Principal | null>
  status(): Promise<ServerStatus>
  readonly limits: Limits
  readonly log: Log
}
