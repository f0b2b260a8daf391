// Tests that what waits is counted rarely, that answers make room at once, and that a failed count refuses nobody for long.
import { expect, test } from "vitest"
import { withLimits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import { createWaitingQuota } from "./waiting-quota.ts"

const agent: Principal = { tenant: "t", user: "u", roles: [], rights: [], kind: "agent", tokenId: "tok_1" }
const limits = withLimits({ approvalsPendingPerAgentMax: 3, approvalsPendingPerUserMax: 5, approvalsPendingPerExecutionMax: 2 })

function setUp() {
  const state = { nowMs: 0, stored: { count: 0, bytes: 0 }, reads: 0, isBroken: false }
  const approvals = {
    waiting: () => {
      state.reads += 1
      return state.isBroken ? Promise.reject(new Error("The store is away")) : Promise.resolve(state.stored)
    },
  }
  const clock = { now: () => new Date(state.nowMs), monotonicMs: () => state.nowMs }
  const quota = createWaitingQuota(approvals, limits, clock)
  const take = async (principal = agent, argsJson = "{}", inExecution = 0): Promise<string | null> =>
    (await quota.take(principal, argsJson, inExecution))?.error.code ?? null
  return { state, take }
}

test("a flood is counted once, and refused at the limit of its principal", async () => {
  const { state, take } = setUp()
  expect(await Promise.all(Array.from({ length: 5 }, () => take()))).toEqual([null, null, null, "rate_limited", "rate_limited"])
  expect(await take({ ...agent, tokenId: "tok_2" })).toBeNull()
  expect(await take({ ...agent, kind: "human", tokenId: null })).toBeNull()
  expect(state.reads).toBe(3)
})

test("what was answered makes room before anybody is refused again", async () => {
  const { state, take } = setUp()
  state.stored = { count: 3, bytes: 0 }
  expect(await take()).toBe("rate_limited")
  state.stored = { count: 2, bytes: 0 }
  state.nowMs += 150
  expect(await take()).toBeNull()
})

test("the size of arguments counts, and what one execution asks", async () => {
  const { state, take } = setUp()
  state.stored = { count: 0, bytes: limits.approvalsPendingBytesMax - 5 }
  expect(await take(agent, '{"a":1}')).toBe("rate_limited")
  expect(await take(agent, "{}")).toBeNull()
  expect(await take(agent, "{}", 2)).toBe("budget_exceeded")
})

test("a count that failed is not kept", async () => {
  const { state, take } = setUp()
  state.isBroken = true
  await expect(take()).rejects.toThrow("The store is away")
  state.isBroken = false
  expect(await take()).toBeNull()
})
