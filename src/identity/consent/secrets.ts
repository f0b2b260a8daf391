// Derives the access and refresh tokens of a grant from its secret and generation.
//
// Only hashes are stored. Because tokens are derived, a client that asks twice at once gets the same answer from any
// node. The expiry of an access token is part of its text, which its hash covers.
import { isSameText, keyedHash } from "../../io/keyed-hash.ts"

export type RefreshToken = { readonly secret: string; readonly generation: number }

const refreshPattern = /^exr_([\w-]{43})\.(\d{1,9})\.([\w-]{43})$/
const accessPattern = /^exa_([0-9a-z]{1,9})\.[\w-]{43}$/

export function writeRefreshToken({ secret, generation }: RefreshToken, key: Uint8Array): string {
  return `exr_${secret}.${generation}.${keyedHash(key, ["refresh", secret, String(generation)])}`
}

/** Null where we did not write it, so that a guess cannot end a grant. */
export function readRefreshToken(text: string, key: Uint8Array): RefreshToken | null {
  const [, secret = "", generation = "", seal = ""] = refreshPattern.exec(text) ?? []
  return secret !== "" && isSameText(seal, keyedHash(key, ["refresh", secret, generation]))
    ? { secret, generation: Number(generation) }
    : null
}

export function writeAccessToken({ secret, generation }: RefreshToken, endsAt: Date, key: Uint8Array): string {
  const end = Math.floor(endsAt.getTime() / 1000).toString(36)
  return `exa_${end}.${keyedHash(key, ["access", secret, String(generation), end])}`
}

/** False for tokens without an expiry in their text. */
export function isAccessOver(token: string, now: Date): boolean {
  const end = accessPattern.exec(token)?.[1]
  return end !== undefined && Number.parseInt(end, 36) * 1000 <= now.getTime()
}
