// The only door to randomness.
import { createHash, hash, randomBytes, randomFillSync } from "node:crypto"
import { createTimeSlices } from "./time-slices.ts"

/** A question to the system's generator costs the same for one byte and for a thousand. */
const pool = Buffer.alloc(4096)
let poolAt = pool.length

/** Each byte is given out once. */
function randomHex(bytes: number): string {
  if (poolAt + bytes > pool.length) {
    randomFillSync(pool)
    poolAt = 0
  }
  poolAt += bytes
  const text = pool.toString("hex", poolAt - bytes, poolAt)
  pool.fill(0, poolAt - bytes, poolAt)
  return text
}

let lastMs = 0
let madeInMs = 0

/** Sortable by time of creation, also of several made in one millisecond, so that "newest first" is a scan of the primary key. */
export function newId(prefix: string, now: Date = new Date()): string {
  const ms = now.getTime()
  madeInMs = ms === lastMs ? madeInMs + 1 : 0
  lastMs = ms
  const order = madeInMs.toString(36).padStart(3, "0")
  return `${prefix}_${ms.toString(36).padStart(9, "0")}${order}${randomHex(9)}`
}

export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString("base64url")}`

export const sha256 = (content: string | Uint8Array): string => hash("sha256", content)

/** The same of a content in pieces, in slices that leave the event loop free. */
export async function sha256Of(pieces: Iterable<string | Uint8Array>): Promise<string> {
  const slices = createTimeSlices()
  const hashing = createHash("sha256")
  for (const piece of pieces) {
    hashing.update(piece)
    if (slices.isOver()) await slices.next()
  }
  return hashing.digest("hex")
}

/** 256 bits in hex, from which all randomness of one execution follows. */
export const randomSeed = (): string => randomHex(32)
