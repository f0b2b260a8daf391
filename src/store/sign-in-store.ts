// The store port for signing in: providers, sign-ins under way, and who somebody is at an issuer.
import type { Scope } from "../core/principal.ts"
import type { JsonText } from "../core/tool.ts"

export interface SignInStore {
  readonly signInProviders: SignInProviderRows
  readonly signInFlows: SignInFlowRows
  readonly identities: IdentityRows
}

/** The OpenID Connect providers of a tenant; their secrets are in the vault. */
export interface SignInProviderRows {
  /** By id. */
  list(tenant: string): Promise<SignInProviderRow[]>
  get(tenant: string, id: string): Promise<SignInProviderRow | null>
  /** Inserts or replaces. */
  put(row: SignInProviderRow): Promise<void>
  /** Its secret and the sign-ins under way go with it; people stay. */
  remove(tenant: string, id: string): Promise<boolean>
}
export type SignInProviderRow = {
  readonly tenant: string
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly scopes: JsonText
  readonly claim: string
  /** `SignInRule[]` */
  readonly rules: JsonText
  readonly defaultRole: string | null
  /** `SignInAllow` */
  readonly allow: JsonText
  readonly createdAt: string
}

/** Sign-ins under way, each finished once. What is secret about them is in the vault. */
export interface SignInFlowRows {
  /** Drops those of the tenant that ran out before it was made, with their secrets. */
  put(row: SignInFlowRow): Promise<void>
  /** Without a scope: what the browser brings is where it comes from. */
  find(stateHash: string): Promise<SignInFlowRow | null>
  /** Removes it; whether this was the one time. */
  take(row: SignInFlowRow): Promise<boolean>
}
export type SignInFlowRow = {
  readonly tenant: string
  readonly id: string
  readonly provider: string
  /** `ticket`: a link to a test, whose state is in the link. */
  readonly purpose: "sign_in" | "test" | "ticket"
  readonly stateHash: string
  /** Null for tickets. */
  readonly cookieHash: string | null
  readonly keyHash: string | null
  readonly returnTo: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

/** Who somebody is at an issuer: a person can have several, each belongs to one person. */
export interface IdentityRows {
  get(tenant: string, issuer: string, subject: string): Promise<IdentityRow | null>
  /** Fails where it exists; the user must exist, and takes it with them. */
  add(row: IdentityRow): Promise<void>
  /** What became of their last sign-in; nothing where nobody is known. */
  signedIn(key: Pick<IdentityRow, "tenant" | "issuer" | "subject">, record: JsonText): Promise<void>
  /** The last sign-ins of a user, one of each issuer and subject. */
  signIns(scope: Scope): Promise<JsonText[]>
}
export type IdentityRow = {
  readonly tenant: string
  readonly issuer: string
  readonly subject: string
  readonly user: string
  readonly createdAt: string
}

export const signInProviderSecretRef = (id: string): string => `sign-in-provider:${id}`
export const signInFlowSecretRef = (id: string): string => `sign-in-flow:${id}`
