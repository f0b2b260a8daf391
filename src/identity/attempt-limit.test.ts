// How many attempts pass, when the next one does, and what an attacker with many keys gains.
import fc from "fast-check"
import { expect, test } from "vitest"
import { defaultLimits } from "../core/limits.ts"
import { createAttemptLimit, createSignInLimits, requireAttempt } from "./attempt-limit.ts"

function setUp(attemptsMax = 3, keysMax = 100) {
  const time = { nowMs: 1000 }
  const limit = createAttemptLimit({ attemptsMax, windowMs: 60_000, keysMax }, { monotonicMs: () => time.nowMs })
  return { time, limit }
}

test("so many pass, then one per share of the window", () => {
  const { time, limit } = setUp()
  expect([1, 2, 3].map(() => limit.take("a"))).toEqual([null, null, null])
  expect(limit.take("a")).toEqual({ retryAfterMs: 20_000 })
  time.nowMs += 15_000
  expect(limit.take("a")).toEqual({ retryAfterMs: 5000 })
  time.nowMs += 5000
  expect(limit.take("a")).toBeNull()
  expect(limit.take("a")).toEqual({ retryAfterMs: 20_000 })
})

test("refused attempts do not prolong the wait, and after the window all are free again", () => {
  const { time, limit } = setUp()
  for (let count = 0; count < 1000; count++) limit.take("a")
  expect(limit.take("a")).toEqual({ retryAfterMs: 20_000 })
  time.nowMs += 60_000
  expect([1, 2, 3, 4].map(() => limit.take("a") === null)).toEqual([true, true, true, false])
})

test("keys do not count for each other", () => {
  const { limit } = setUp(1)
  expect(["a", "b", "a"].map((key) => limit.take(key) === null)).toEqual([true, true, false])
})

test("a key that is under attack is not forgotten for the sake of others", () => {
  const { limit } = setUp(1, 10)
  limit.take("victim")
  for (let other = 0; other < 1000; other++) {
    limit.take(`other ${other}`)
    expect(limit.take("victim")).not.toBeNull()
  }
})

test("waiting for as long as it says is always enough, and never more than that passes in any window", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.integer({ min: 0, max: 30_000 })), (attemptsMax, gaps) => {
      const { time, limit } = setUp(attemptsMax)
      const passed: number[] = []
      for (const gapMs of gaps) {
        time.nowMs += gapMs
        const refusal = limit.take("a")
        if (refusal !== null) {
          time.nowMs += refusal.retryAfterMs
          expect(limit.take("a")).toBeNull()
        }
        passed.push(time.nowMs)
        // A window that begins full lets its attempts pass, and those that became free meanwhile.
        expect(passed.filter((atMs) => atMs > time.nowMs - 60_000).length).toBeLessThanOrEqual(2 * attemptsMax)
      }
    }),
  )
})

test("sign-in: an address gets more attempts than an account, and the refusal says when to try again", () => {
  const { byAddress, byAccount } = createSignInLimits(defaultLimits, { monotonicMs: () => 0 })
  const passing = (limit: typeof byAddress): number => {
    let count = 0
    while (limit.take("key") === null) count++
    return count
  }
  expect([passing(byAddress), passing(byAccount)]).toEqual([
    defaultLimits.signInAttemptsPerAddressMax,
    defaultLimits.signInAttemptsPerAccountMax,
  ])
  expect(() => requireAttempt(byAccount, "key")).toThrow("Too many sign-in attempts; try again in 30 s")
  expect(() => requireAttempt(byAccount, "another")).not.toThrow()
})
