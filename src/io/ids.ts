// The only door to randomness.
import { createHash, randomBytes } from "node:crypto"

/** Sortable by time of creation, so that "newest first" is a scan of the primary key. */
export function newId(prefix: string, now: Date = new Date()): string {
  const time = now.getTime().toString(36).padStart(9, "0")
  return `${prefix}_${time}${randomBytes(10).toString("hex")}`
}

export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString("base64url")}`

export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")
