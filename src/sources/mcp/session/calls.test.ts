// Tests which call a server means when it asks over a pipe that all calls share.
import { expect, test } from "vitest"
import { defaultLimits } from "../../../core/limits.ts"
import { openAnswerTurn } from "../../../io/answer-turn.ts"
import { createCalls } from "./calls.ts"
import type { CallInFlight } from "./calls.ts"

const callOf = (tool: string): CallInFlight => ({
  tool,
  elicit: () => Promise.resolve({ action: "cancel" }),
  log: () => {},
  streamListener: () => () => {},
  abort: () => {},
  answerTurn: openAnswerTurn("nobody", defaultLimits),
  stopClock: () => () => {},
})

/** A call that ends when it is told to. */
function running(calls: ReturnType<typeof createCalls>, tool: string) {
  const call = callOf(tool)
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = calls.run(call, () => promise)
  return { call, end: async () => (resolve(), await done) }
}

test("the only call", async () => {
  const calls = createCalls("a session", defaultLimits)
  const one = running(calls, "one")
  expect(await calls.asker()).toEqual({ kind: "call", call: one.call })
  expect(calls.current()).toBe(one.call)
  await one.end()
  expect(calls.current()).toBeNull()
  expect(await calls.asker()).toEqual({ kind: "nobody" })
})

test("the one that is left when the others have ended, while new ones wait", async () => {
  const calls = createCalls("a session", defaultLimits)
  const asking = running(calls, "asking")
  const other = running(calls, "other")
  expect(calls.current()).toBeNull()
  const asker = calls.asker()
  let isLateStarted = false
  const late = calls.run(callOf("late"), () => Promise.resolve((isLateStarted = true)))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(isLateStarted).toBe(false)
  await other.end()
  expect(await asker).toEqual({ kind: "call", call: asking.call })
  await late
  expect(isLateStarted).toBe(true)
  await asking.end()
})

test("all of them, when all of them ask", async () => {
  const calls = createCalls("a session", defaultLimits)
  const [a, b] = [running(calls, "a"), running(calls, "b")]
  const askers = Promise.all([calls.asker(), calls.asker()])
  for (const asker of await askers) expect(asker).toEqual({ kind: "several", calls: [a.call, b.call] })
  await Promise.all([a.end(), b.end()])
})

test("the call in whose context the question arrives", async () => {
  const calls = createCalls("a session", defaultLimits)
  const other = running(calls, "other")
  const call = callOf("mine")
  await calls.run(call, async () => {
    await Promise.resolve()
    expect(calls.current()).toBe(call)
    expect(await calls.asker()).toEqual({ kind: "call", call })
  })
  await other.end()
})
