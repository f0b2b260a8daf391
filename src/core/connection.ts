// A connection gives an integration an owner, a name and credentials, and syncs its tools.
import type { AuthTemplate, ConnectionAuth, Placement } from "./auth.ts"
import type { ConnectionAddress, ConnectionName, IntegrationSlug, Owner } from "./address.ts"
import type { OauthGrantType } from "./oauth.ts"

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
  /** Those that its source names since, to which nothing is sent until a human confirms them. */
  readonly unconfirmedOrigins: readonly string[]
  /** Where its tokens come from; null where somebody bound its credential by hand. */
  readonly consent: ConnectionConsent | null
  readonly toolCount: number
  readonly toolsSyncedAt: string | null
  /** Why the connection is unusable even though it is set up: no operations, no server, or an `include` that matches nothing. */
  readonly warnings: readonly string[]
  /** Tools that differ from the version a human accepted; they require approval until a human accepts them again. */
  readonly changedTools: readonly string[]
  readonly createdAt: string
}

export type ConnectionConsent = {
  readonly grant: OauthGrantType
  /** The provider's host. */
  readonly provider: string
  /** The id of the OAuth client here. */
  readonly client: string
  /** Asked for; empty: the provider's defaults. */
  readonly scopes: readonly string[]
  /** As the provider stated them; null where it stated none, which means those that were asked for. */
  readonly grantedScopes: readonly string[] | null
  readonly resource: string | null
  /** The user who consented. */
  readonly grantedBy: string
  readonly grantedAt: string | null
  /** When the token of now expires; null: the provider did not say. */
  readonly expiresAt: string | null
  /** Whether the next token comes without a human. */
  readonly renewable: boolean
  /** Why the provider no longer honours it; null while it does. */
  readonly ended: string | null
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
