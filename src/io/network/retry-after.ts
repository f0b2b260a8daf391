// Reads the header in which an upstream says when to come back.
import type { Clock } from "../clock.ts"

/** Milliseconds from now; null when the header is missing or makes no sense. */
export function retryAfterMs(header: string | undefined, clock: Clock): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - clock.now().getTime())
}
