// An integration made usable: owner, name and credentials; it produces tools.
import type { AuthTemplate, ConnectionAuth, Placement } from "./auth.ts"
import type { ConnectionAddress, ConnectionName, IntegrationSlug, Owner } from "./address.ts"

/** `syncing`: its source is being read for the first time. `needs_review`: the source now names an origin that nobody confirmed. `error`: the last production failed; the tools before it stay. */
export type ConnectionStatus = "ready" | "syncing" | "needs_credentials" | "needs_review" | "error"

export type ConnectionView = {
  readonly address: ConnectionAddress
  readonly integration: IntegrationSlug
  readonly owner: Owner
  readonly name: ConnectionName
  readonly auth: { readonly template: AuthTemplate; readonly placements: readonly Placement[]; readonly bound: readonly string[] }
  readonly status: ConnectionStatus
  readonly error: string | null
  readonly origins: readonly string[]
  readonly toolCount: number
  readonly toolsSyncedAt: string | null
  /** Why it is of no use although it is connected: no operations, no server, nothing that `include` selects. */
  readonly warnings: readonly string[]
  /** Tools that are not what a human accepted: they ask for approval until somebody accepts them. */
  readonly changedTools: readonly string[]
  readonly createdAt: string
}

/** A connection that offers nothing now, and why. */
export type UnreadyConnection = { readonly address: string; readonly status: ConnectionStatus; readonly error: string | null }

export type ConnectionCreate = {
  readonly integration: string
  readonly owner?: Owner
  readonly name?: string
  readonly auth?: ConnectionAuth
}

export type ConnectionUpdate = {
  readonly auth?: ConnectionAuth
  readonly confirmOrigins?: readonly string[]
  /** Accepts changed tools as they are now: these, or all of them. */
  readonly acceptTools?: true | readonly string[]
}

export type ConnectionHealth = { readonly ok: boolean; readonly status: ConnectionStatus; readonly message: string }
