// The tables of passkeys and their challenges.
import type { PasskeyPurpose } from "./passkey-store.ts"

export type PasskeyTables = { passkeys: PasskeysTable; passkey_challenges: PasskeyChallengesTable }

export type PasskeysTable = {
  tenant_id: string
  passkey_id: string
  user_id: string
  credential_id: string
  public_key: Uint8Array
  user_handle: string
  /** A bigint, which one driver answers as text. */
  counter: number | string
  /** 1: copied between devices. */
  synced: number
  /** `string[]` */
  transports: string
  name: string
  created_at: string
  last_used_at: string | null
}

export type PasskeyChallengesTable = {
  hash: string
  key_hash: string
  challenge_hash: string
  purpose: PasskeyPurpose
  subject: string
  user_handle: string
  created_at: string
  expires_at: string
}
