// The only door to randomness.
import { createHash, randomBytes } from "node:crypto"

let lastMs = 0
let madeInMs = 0

/** Sortable by time of creation, also of several made in one millisecond, so that "newest first" is a scan of the primary key. */
export function newId(prefix: string, now: Date = new Date()): string {
  const ms = now.getTime()
  madeInMs = ms === lastMs ? madeInMs + 1 : 0
  lastMs = ms
  const order = madeInMs.toString(36).padStart(3, "0")
  return `${prefix}_${ms.toString(36).padStart(9, "0")}${order}${randomBytes(9).toString("hex")}`
}

export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString("base64url")}`

export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")

/** 256 bits in hex, from which all randomness of one execution follows. */
export const randomSeed = (): string => randomBytes(32).toString("hex")
