// The lock of a turn: who runs together, who alone, in which order, and what a cancelled call leaves behind.
import fc from "fast-check"
import { expect, test } from "vitest"
import { type LockMode, createExecutionLock } from "./execution-lock.ts"

const never = new AbortController().signal

/** A call that asks for the lock, and what can be seen of it. */
type Asker = { readonly mode: LockMode; readonly controller: AbortController; state: "waiting" | "holding" | "gone"; release?: () => void }

type Step = { readonly kind: "ask"; readonly mode: LockMode } | { readonly kind: "release" | "cancel"; readonly pick: number }

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("ask" as const), mode: fc.constantFrom<LockMode>("shared", "exclusive") }),
    fc.record({ kind: fc.constantFrom("release" as const, "cancel" as const), pick: fc.nat(50) }),
  ),
  { maxLength: 60 },
)

test("whatever happens in whatever order, an exclusive holder is alone, nobody overtakes, and nobody waits without a reason", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (program) => {
      const lock = createExecutionLock()
      const askers: Asker[] = []
      for (const step of program) {
        await perform(step, lock, askers)
        checkInvariants(askers)
      }
      // Once everybody who holds it lets go, again and again, nobody is left.
      while (askers.some(({ state }) => state === "holding")) {
        await perform({ kind: "release", pick: 0 }, lock, askers)
        checkInvariants(askers)
      }
      expect(askers.filter(({ state }) => state === "waiting")).toEqual([])
    }),
    { numRuns: 500 },
  )
})

async function perform(step: Step, lock: ReturnType<typeof createExecutionLock>, askers: Asker[]): Promise<void> {
  if (step.kind === "ask") {
    const asker: Asker = { mode: step.mode, controller: new AbortController(), state: "waiting" }
    askers.push(asker)
    void lock.acquire(asker.mode, asker.controller.signal).then((release) => {
      asker.state = release === null ? "gone" : "holding"
      if (release !== null) asker.release = release
    })
  } else {
    const wanted = step.kind === "release" ? "holding" : "waiting"
    const candidates = askers.filter(({ state }) => state === wanted)
    const picked = candidates[step.pick % Math.max(1, candidates.length)]
    if (picked === undefined) return
    if (step.kind === "cancel") picked.controller.abort()
    else {
      picked.release?.()
      picked.state = "gone"
    }
  }
  await new Promise(setImmediate)
}

function checkInvariants(askers: readonly Asker[]): void {
  const holding = askers.filter(({ state }) => state === "holding")
  const waiting = askers.filter(({ state }) => state === "waiting")
  if (holding.some(({ mode }) => mode === "exclusive")) expect(holding).toHaveLength(1)
  // Nobody who came later runs: it would have overtaken the first that waits.
  const firstWaiting = waiting[0]
  if (firstWaiting === undefined) return
  const position = askers.indexOf(firstWaiting)
  expect(holding.filter((asker) => askers.indexOf(asker) > position)).toEqual([])
  // The first that waits has a reason.
  const isBlocked = firstWaiting.mode === "exclusive" ? holding.length > 0 : holding.some(({ mode }) => mode === "exclusive")
  expect(isBlocked).toBe(true)
}

test("a waiting exclusive call holds back shared ones that come later", async () => {
  const lock = createExecutionLock()
  const first = await lock.acquire("shared", never)
  const order: string[] = []
  const writer = lock.acquire("exclusive", never).then((release) => (order.push("exclusive"), release))
  const reader = lock.acquire("shared", never).then((release) => (order.push("shared"), release))
  await new Promise(setImmediate)
  expect(order).toEqual([])
  first?.()
  ;(await writer)?.()
  ;(await reader)?.()
  expect(order).toEqual(["exclusive", "shared"])
})

test("who is cancelled while waiting gets nothing, and no longer holds back others", async () => {
  const lock = createExecutionLock()
  const first = await lock.acquire("shared", never)
  const controller = new AbortController()
  const writer = lock.acquire("exclusive", controller.signal)
  const reader = lock.acquire("shared", never)
  controller.abort()
  expect(await writer).toBeNull()
  expect(await reader).not.toBeNull()
  expect(await lock.acquire("shared", controller.signal)).toBeNull()
  first?.()
})

test("releasing twice releases once", async () => {
  const lock = createExecutionLock()
  const first = await lock.acquire("shared", never)
  const second = await lock.acquire("shared", never)
  first?.()
  first?.()
  let isGiven = false
  const writer = lock.acquire("exclusive", never).then(() => (isGiven = true))
  await new Promise(setImmediate)
  expect(isGiven).toBe(false)
  second?.()
  await writer
})
