// The store port for OAuth: our clients at providers, consents in progress, and the grants that connections use.
import type { ConnectionRef, Owner } from "../core/address.ts"
import type { OauthAuthMethod, OauthClientKind, OauthGrantType } from "../core/oauth.ts"
import type { PrincipalKind, Scope } from "../core/principal.ts"
import type { JsonText } from "../core/tool.ts"
import type { After } from "./store.ts"

export interface OauthStore {
  readonly oauthClients: OauthClientRows
  readonly oauthFlows: OauthFlowRows
  readonly oauthGrants: OauthGrantRows
}

/** The clients that a tenant is at providers; their secrets are in the vault. */
export interface OauthClientRows {
  list(scope: Scope, page: After<string>): Promise<OauthClientRow[]>
  get(scope: Scope, id: string): Promise<OauthClientRow | null>
  /** Inserts or replaces. */
  put(scope: Scope, row: OauthClientRow): Promise<void>
  /** Its secret goes with it. */
  remove(scope: Scope, id: string): Promise<boolean>
}
export type OauthClientRow = {
  readonly id: string
  readonly kind: OauthClientKind
  readonly name: string
  /** As the provider knows us. */
  readonly clientId: string
  readonly authMethod: OauthAuthMethod
  /** `OauthServer` */
  readonly server: JsonText
  /** The integration it was made for; null where it serves any. */
  readonly integration: string | null
  /** What a provider registered; null where a human did that. */
  readonly redirectUri: string | null
  /** A JSON object of text: what goes into the authorization URL besides the standard's own. */
  readonly authorizationParams: JsonText
  readonly createdAt: string
  readonly expiresAt: string | null
}

/** Consents under way. Its state and verifier are in the vault. */
export interface OauthFlowRows {
  /** Drops those of the tenant that ran out before it was made, with their secrets. */
  put(row: OauthFlowRow): Promise<void>
  /** Without a scope: the link is where it comes from. */
  findById(id: string): Promise<OauthFlowRow | null>
  /** Without a scope: the provider's answer is where it comes from. */
  findByState(stateHash: string): Promise<OauthFlowRow | null>
  /** Whether this browser is now the only one that can finish it. */
  bind(flow: OauthFlowRow, browserHash: string): Promise<boolean>
  /** Whether this was the one time. */
  use(flow: OauthFlowRow, at: string): Promise<boolean>
  /** Keeps why it came to nothing. */
  fail(flow: OauthFlowRow, error: string): Promise<void>
}
export type OauthFlowRow = {
  readonly tenant: string
  readonly user: string
  readonly id: string
  /** Who asked for it. */
  readonly principalKind: PrincipalKind
  readonly tokenId: string | null
  readonly stateHash: string
  readonly browserHash: string | null
  readonly integration: string
  readonly owner: Owner
  readonly name: string
  readonly oauthClientId: string
  /** `OauthServer`, as it was when the human was sent there. */
  readonly server: JsonText
  readonly scopes: JsonText
  readonly resource: string | null
  /** What the human was shown: where the token may be sent. */
  readonly origins: JsonText
  readonly redirectUri: string
  readonly redirectTo: string | null
  readonly createdAt: string
  readonly expiresAt: string
  readonly usedAt: string | null
  readonly error: string | null
}

/** What a connection's tokens came from; the tokens are in the vault. A grant goes with its connection. */
export interface OauthGrantRows {
  get(scope: Scope, ref: ConnectionRef): Promise<OauthGrantRow | null>
  /** Inserts or replaces; null drops it. */
  put(scope: Scope, ref: ConnectionRef, row: OauthGrantRow | null): Promise<void>
  /** True for exactly one of those who try to renew this version before `until`. */
  claim(scope: Scope, ref: ConnectionRef, claim: GrantClaim): Promise<boolean>
}
export type GrantClaim = { readonly version: number; readonly owner: string; readonly now: string; readonly until: string }
export type OauthGrantRow = ConnectionRef & {
  readonly grantType: OauthGrantType
  readonly oauthClientId: string
  /** `OauthServer` */
  readonly server: JsonText
  /** Asked for. */
  readonly scopes: JsonText
  /** As the provider stated them; null: those that were asked for. */
  readonly grantedScopes: JsonText | null
  readonly resource: string | null
  /** The user who consented. */
  readonly grantedBy: string
  /** Raised by every new token. */
  readonly version: number
  /** Whether a new token can be had without a human. */
  readonly renewable: boolean
  /** Null: no token was fetched yet. */
  readonly issuedAt: string | null
  readonly renewAt: string | null
  readonly expiresAt: string | null
  /** Set when the provider no longer honours it: only a human can mend that. */
  readonly lapsedAt: string | null
  readonly lapsedReason: string | null
  readonly leaseOwner: string | null
  readonly leaseUntil: string | null
}

export const oauthClientSecretRef = (id: string): string => `oauth-client:${id}`
export const oauthFlowSecretRef = (id: string): string => `oauth-flow:${id}`
