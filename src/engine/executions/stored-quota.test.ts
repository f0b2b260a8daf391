// Tests that what is stored is counted rarely, that a principal is refused only while there is no room, and that a failed count refuses nobody.
import { setImmediate } from "node:timers/promises"
import { expect, test } from "vitest"
import { withLimits } from "../../core/limits.ts"
import { silentLog } from "../../io/log.ts"
import { executionRow } from "../../store/executions/testing/samples.ts"
import { createStoredQuota } from "./stored-quota.ts"

const agent = { tenant: "t", user: "u", tokenId: "tok_1" }
const other = { ...agent, tokenId: "tok_2" }
const limits = withLimits({ executionsStoredBytesPerPrincipalMax: 80_000 })

function setUp() {
  const state = { nowMs: 10_000, trims: [] as unknown[], unendedBytes: 0, gate: Promise.resolve() }
  const rows = {
    async trim(who: object, bytesMax: number) {
      state.trims.push([who, bytesMax])
      await state.gate
      return { unendedBytes: state.unendedBytes }
    },
  }
  const clock = { now: () => new Date(state.nowMs), monotonicMs: () => state.nowMs }
  const quota = createStoredQuota({ rows, limits, clock, log: silentLog })
  const store = (chars: number, who = agent): void =>
    quota.add(who, [{ kind: "execution", row: executionRow(agent, { code: "x".repeat(chars) }) }])
  return { state, quota, store }
}

test("the store counts after each eighth of the limit, and only for whoever wrote so much", async () => {
  const { state, quota, store } = setUp()
  for (let n = 0; n < 6; n += 1) store(1000)
  expect([quota.admit(agent), state.trims]).toEqual([null, []])
  store(3000)
  expect(state.trims).toEqual([[agent, 80_000]])
  await setImmediate()
  store(3000)
  store(9000, other)
  expect([quota.admit(agent), quota.admit(other), state.trims.length]).toEqual([null, null, 1])
})

test("whoever writes more while the store still counts is refused until it has", async () => {
  const { state, quota, store } = setUp()
  const counted = Promise.withResolvers<void>()
  state.gate = counted.promise
  store(10_000)
  expect(quota.admit(agent)).toBeNull()
  store(10_000)
  await expect(quota.admit(agent)).rejects.toMatchObject({ code: "rate_limited", message: expect.stringContaining("faster") })
  expect(quota.admit(other)).toBeNull()
  counted.resolve()
  await setImmediate()
  state.nowMs += 1000
  await expect(quota.admit(agent)).resolves.toBeUndefined()
  expect(state.trims).toHaveLength(2)
})

test("what has not ended may take half; it is counted again before anybody is refused, not each time", async () => {
  const { state, quota, store } = setUp()
  state.unendedBytes = 50_000
  store(10_000)
  await setImmediate()
  await expect(quota.admit(agent)).rejects.toMatchObject({ code: "rate_limited", message: expect.stringContaining("approvals list") })
  expect(state.trims).toHaveLength(1)
  state.nowMs += 1000
  await expect(Promise.all([quota.admit(agent), quota.admit(agent)])).rejects.toMatchObject({ code: "rate_limited" })
  expect(state.trims).toHaveLength(2)
  state.nowMs += 1000
  state.unendedBytes = 100
  await expect(quota.admit(agent)).resolves.toBeUndefined()
  expect(quota.admit(agent)).toBeNull()
})

test("a count that fails refuses nobody", async () => {
  const { state, quota, store } = setUp()
  state.gate = Promise.reject(new Error("The store is away"))
  store(10_000)
  await setImmediate()
  expect(quota.admit(agent)).toBeNull()
})
