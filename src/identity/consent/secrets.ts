// The texts that clients hold: access and refresh tokens, each following from the grant's secret and its generation.
//
// Nothing of them is stored but hashes. Because they follow from the secret, a client that asks twice at once is given
// the same answer twice, by any node. The end of an access token is a part of its text, which its hash vouches for.
import { isSameText, keyedHash } from "../../io/keyed-hash.ts"

export type RefreshToken = { readonly secret: string; readonly generation: number }

const refreshPattern = /^exr_([\w-]{43})\.(\d{1,9})\.([\w-]{43})$/
const accessPattern = /^exa_([0-9a-z]{1,9})\.[\w-]{43}$/

export function writeRefreshToken({ secret, generation }: RefreshToken, key: Uint8Array): string {
  return `exr_${secret}.${generation}.${keyedHash(key, ["refresh", secret, String(generation)])}`
}

/** Null where we did not write it: whoever guesses ends nobody's grant. */
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

/** False for tokens that carry no end. */
export function isAccessOver(token: string, now: Date): boolean {
  const end = accessPattern.exec(token)?.[1]
  return end !== undefined && Number.parseInt(end, 36) * 1000 <= now.getTime()
}
