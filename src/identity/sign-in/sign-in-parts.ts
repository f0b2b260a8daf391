// What the functions of signing in take as their last parameter.
import type { Limits } from "../../core/limits.ts"
import type { Scope } from "../../core/principal.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import type { EnvAccess } from "../../credentials/env/reference.ts"
import type { ProviderNetwork } from "../../credentials/oauth/oauth.ts"
import type { VaultOn } from "../../credentials/vault.ts"
import type { Clock } from "../../io/clock.ts"
import type { Network } from "../../io/network/outbound.ts"
import type { Store, UserRow } from "../../store/store.ts"
import type { AccessReader } from "../access.ts"
import type { BrowserSessions } from "../session-open.ts"

export type SignInParts = {
  readonly store: Store
  readonly access: AccessReader
  readonly vaultOn: VaultOn
  readonly network: Network
  readonly env: EnvAccess
  readonly limits: Limits
  readonly clock: Clock
  readonly oauthLinks: { base(): string | null; signInRedirectUri(): string }
}

export type SignInFlowParts = SignInParts & {
  readonly browserSessions: BrowserSessions
  readonly audit: SignInAudit
  /** Uses up the open invitation that the link or the verified address names, and answers whom it is for; null: there is none. */
  acceptInvitation(invited: InvitedPerson, store: Store): Promise<UserRow | null>
}

/** `link`: its secret, for somebody who followed one. */
export type InvitedPerson = { readonly tenant: string; readonly link: string | null; readonly email: string | null }

/** `subject`: the provider. */
export type SignInAudit = {
  signedIn(who: Scope, subject: string, details: Readonly<Record<string, unknown>>, facts: RequestFacts): Promise<void>
  refused(tenant: string, refusal: SignInRefused, facts: RequestFacts): Promise<void>
}

export type SignInRefused = {
  readonly subject: string
  readonly error: unknown
  /** Whom the provider named, where they are known here. */
  readonly user?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** An admin wrote the issuer, and only an admin can. */
export const providerNetwork = (issuer: string, parts: Pick<SignInParts, "network" | "limits">): ProviderNetwork => ({
  outbound: parts.network.outbound({ literalUrls: [issuer] }),
  limits: parts.limits,
})

/** For the vault, whose entries of the organization belong to no user. */
export const ofTenant = (tenant: string): Scope => ({ tenant, user: "" })
