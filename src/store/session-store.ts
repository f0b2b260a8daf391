// The store port for browser sessions, sign-in codes and invitations.
import type { SignInMethod } from "../core/people/session.ts"
import type { Scope } from "../core/principal.ts"
import type { After } from "./store.ts"

/** Sessions of humans in browsers, and the one-time codes that open them. */
export interface BrowserSessionRows {
  /** Without a scope: a cookie is where it comes from. */
  find(kind: BrowserSessionRow["kind"], hash: string): Promise<BrowserSessionRow | null>
  /** Drops those of the tenant that ran out before it was made. */
  put(row: BrowserSessionRow): Promise<void>
  /** Removes it, and answers it to exactly one of those who try. */
  take(kind: BrowserSessionRow["kind"], hash: string): Promise<BrowserSessionRow | null>
  /** Sessions without codes, by id. `user` null: of everybody in the tenant. */
  list(who: SessionOwners, page: After<string>): Promise<BrowserSessionRow[]>
  /** One session, by its id. */
  remove(who: SessionOwners, id: string): Promise<boolean>
  /** Sessions and codes. */
  removeAll(scope: Scope): Promise<void>
  /** Caches need not know. */
  seen(row: BrowserSessionRow, at: string): Promise<void>
}
export type SessionOwners = { readonly tenant: string; readonly user: string | null }
export type BrowserSessionRow = {
  readonly tenant: string
  readonly user: string
  readonly id: string
  readonly kind: "code" | "session"
  readonly hash: string
  /** Of the key that a session acts with; null for codes, and for sessions that may only look. */
  readonly keyHash: string | null
  readonly createdAt: string
  readonly expiresAt: string
  readonly lastSeenAt: string | null
  /** How the human signed in; null for codes. */
  readonly method: SignInMethod | null
  /** The network that it was opened from. */
  readonly address: string | null
  readonly userAgent: string | null
}

/** Links by which people become users; found by the hash of their secret. */
export interface InvitationRows {
  /** Without a scope: a link is where it comes from. Also one that was used. */
  findByHash(hash: string): Promise<InvitationRow | null>
  get(tenant: string, id: string): Promise<InvitationRow | null>
  /** Those that were not accepted, by id. */
  list(tenant: string, page: After<string>): Promise<InvitationRow[]>
  /** A new one. */
  put(row: InvitationRow): Promise<void>
  /** True for exactly one of those who try. It is from then on of the user who accepted. */
  accept(tenant: string, id: string, accepted: { readonly user: string; readonly at: string }): Promise<boolean>
  remove(tenant: string, id: string): Promise<boolean>
  /** Those that ran out before this time. */
  dropExpired(tenant: string, before: string): Promise<void>
}
export type InvitationRow = {
  readonly tenant: string
  readonly id: string
  readonly hash: string
  /** The user that it is for: it goes with them. */
  readonly user: string
  /** Whoever accepts it must have this address, where it is given. */
  readonly email: string | null
  readonly roles: readonly string[]
  readonly invitedBy: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly acceptedAt: string | null
}
