// A hash that only holders of a key can make: HMAC-SHA-256 over parts that cannot be shifted into one another.
import { createHmac, timingSafeEqual } from "node:crypto"

/** 43 characters that a URL can hold. */
export const keyedHash = (key: Uint8Array, parts: readonly string[]): string =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url")

/** Takes the same time wherever the two differ. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
