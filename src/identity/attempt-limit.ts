// How often something may be tried: so many attempts in a row, then one each time a share of the window has passed.
//
// Kept in memory, so that each node counts for itself: with three nodes an attacker gets three times as many attempts,
// which is still far too few to guess anything. The least recently tried keys are forgotten when there are too many.
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import { LruMap } from "../core/lru-map.ts"
import type { Clock } from "../io/clock.ts"
import { sha256 } from "../io/ids.ts"

export type AttemptLimit = {
  /** Counts an attempt; what is refused is not counted. */
  take(key: string): null | { readonly retryAfterMs: number }
}

type AttemptRule = { readonly attemptsMax: number; readonly windowMs: number; readonly keysMax: number }

export function createAttemptLimit({ attemptsMax, windowMs, keysMax }: AttemptRule, clock: Pick<Clock, "monotonicMs">): AttemptLimit {
  const shareMs = Math.floor(windowMs / Math.max(attemptsMax, 1))
  /** When all attempts of a key are free again. Keys are hashed, because strangers choose them and their length. */
  const freeAtMs = new LruMap<string, number>(keysMax)
  return {
    take(key) {
      const nowMs = clock.monotonicMs()
      const id = sha256(key)
      const waitMs = Math.max((freeAtMs.get(id) ?? nowMs) - nowMs, 0) + shareMs - windowMs
      if (waitMs > 0) return { retryAfterMs: Math.ceil(waitMs) }
      freeAtMs.set(id, nowMs + waitMs + windowMs)
      return null
    },
  }
}

/**
 * Sign-in attempts. By address: `RequestFacts.addressPrefix`. By account: whatever the attempt names, in the one form in
 * which it is looked up, together with its tenant.
 */
export type SignInLimits = { readonly byAddress: AttemptLimit; readonly byAccount: AttemptLimit }

export function createSignInLimits(limits: Limits, clock: Pick<Clock, "monotonicMs">): SignInLimits {
  const rule = { windowMs: limits.signInAttemptsWindowMs, keysMax: limits.signInAttemptKeysMax }
  return {
    byAddress: createAttemptLimit({ ...rule, attemptsMax: limits.signInAttemptsPerAddressMax }, clock),
    byAccount: createAttemptLimit({ ...rule, attemptsMax: limits.signInAttemptsPerAccountMax }, clock),
  }
}

/** Throws `rate_limited`, which HTTP answers with 429 and `Retry-After`. */
export function requireAttempt(limit: AttemptLimit, key: string): void {
  const refusal = limit.take(key)
  if (refusal === null) return
  const seconds = Math.ceil(refusal.retryAfterMs / 1000)
  throw new ExecutorError("rate_limited", `Too many sign-in attempts; try again in ${seconds} s`, {
    retryable: true,
    retryAfterMs: refusal.retryAfterMs,
  })
}
