// The part of the store port for passkeys, and for the challenges that a browser answers with one.
import type { Scope } from "../core/principal.ts"
import type { JsonText } from "../core/tool.ts"

export interface PasskeyStore {
  readonly passkeys: PasskeyRows
  readonly passkeyChallenges: PasskeyChallengeRows
}

export interface PasskeyRows {
  /** Without a scope: whoever signs in with it is known by it. */
  findByCredential(credentialId: string): Promise<PasskeyRow | null>
  /** Oldest first. */
  list(scope: Scope): Promise<PasskeyRow[]>
  /** False where the credential is known already, whoever has it. */
  add(row: PasskeyRow): Promise<boolean>
  rename(scope: Scope, id: string, name: string): Promise<boolean>
  remove(scope: Scope, id: string): Promise<boolean>
  /**
   * Notes a use. False where it is gone, or where a counter did not grow: somebody has a copy of the key. Synced keys and
   * those that do not count (0) are taken as they are.
   */
  used(row: PasskeyRow, counter: number, at: string): Promise<boolean>
}

export type PasskeyRow = {
  readonly tenant: string
  readonly user: string
  readonly id: string
  /** As the authenticator named it, in base64url; the same nowhere else. */
  readonly credentialId: string
  /** COSE */
  readonly publicKey: Uint8Array
  /** By which authenticators know the user; says nothing about them. */
  readonly userHandle: string
  readonly counter: number
  /** Copied between devices by its provider, so that its counter means nothing. */
  readonly isSynced: boolean
  /** `string[]` */
  readonly transports: JsonText
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** Each is answered once, by the browser that it was made for. */
export interface PasskeyChallengeRows {
  /** Drops those that ran out before it was made. */
  put(row: PasskeyChallengeRow): Promise<void>
  /** Removes it, and answers it to exactly one of those who try. */
  take(hash: string): Promise<PasskeyChallengeRow | null>
}

export type PasskeyChallengeRow = {
  /** Of the secret in the browser's cookie. */
  readonly hash: string
  /** Of the key that the page keeps. */
  readonly keyHash: string
  readonly challengeHash: string
  readonly purpose: PasskeyPurpose
  /** What it was made for: a user of a tenant, an invitation, or nobody yet. */
  readonly subject: string
  /** What the authenticator was told about the user; empty for a sign-in. */
  readonly userHandle: string
  readonly createdAt: string
  readonly expiresAt: string
}

export type PasskeyPurpose = "register" | "sign_in" | "accept_invitation"
