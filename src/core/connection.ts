// A connection gives an integration an owner, a name and credentials, and syncs its tools.
import type { AuthTemplate, ConnectionAuth, Placement } from "./auth.ts"
import type { ConnectionAddress, ConnectionName, IntegrationSlug, Owner } from "./address.ts"

/** `syncing`: its source is being read for the first time. `needs_review`: the source now names an origin that nobody confirmed. `error`: the last refresh failed; the previous tools remain. */
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
  /** Why the connection is unusable even though it is set up: no operations, no server, or an `include` that matches nothing. */
  readonly warnings: readonly string[]
  /** Tools that differ from the version a human accepted; they require approval until a human accepts them again. */
  readonly changedTools: readonly string[]
  readonly createdAt: string
}

/** A connection that currently offers no tools, and why. */
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
  /** Accepts the current version of changed tools: the listed ones, or all of them. */
  readonly acceptTools?: true | readonly string[]
}

export type ConnectionHealth = { readonly ok: boolean; readonly status: ConnectionStatus; readonly message: string }
