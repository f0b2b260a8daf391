// Tests that a call waits for its place in order, says so, and frees the place however it ends.
import { expect, test } from "vitest"
import { fail, succeed } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import type { PlaceQueue } from "./places.ts"
import { createRunPlaces } from "./run-places.ts"
import { call, pass, Revoked } from "./testing/gate.ts"
import type { Stages } from "./testing/gate.ts"

/** Calls of one run that are under way until a test ends them. */
function openRun(stages: Stages = {}) {
  const runPlaces = createRunPlaces()
  const started: { readonly name: string; end(): void }[] = []
  const start = (name: string, more: Stages = {}) =>
    pass({
      execution: {},
      runPlaces,
      ...stages,
      ...more,
      work() {
        const { promise, resolve } = Promise.withResolvers<ToolResult>()
        started.push({ name, end: () => resolve(succeed(name)) })
        return promise
      },
    })
  const names = () => started.map(({ name }) => name)
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
  return { runPlaces, start, names, started, settled }
}

test("calls over the limit wait in order, and say how many are ahead", async () => {
  const { start, names, started, settled } = openRun()
  const [a, b, c] = [start("a"), start("b"), start("c")]
  await settled()
  expect(names()).toEqual(["a"])
  started[0]?.end()
  await settled()
  expect(names()).toEqual(["a", "b"])
  started[1]?.end()
  await settled()
  started[2]?.end()
  const said = async (one: typeof a) => (await one).steps.filter((step) => step.includes("waits"))
  expect(await said(a)).toEqual([])
  expect(await said(b)).toEqual(["tools.shop.org.main.orders.create waits for a place in the group 'default' (1 ahead)"])
  expect((await said(c)).map((text) => text.slice(-9))).toEqual(["(2 ahead)", "(1 ahead)"])
})

test("the place comes after the approval and before the credential, and the caller is looked up again after a wait", async () => {
  const { start, started, settled } = openRun()
  const first = start("a")
  const second = start("b")
  await settled()
  started[0]?.end()
  await first
  await settled()
  started[1]?.end()
  const { steps } = await second
  expect(steps.slice(5, 9)).toEqual([
    "approval of write, allow",
    "tools.shop.org.main.orders.create waits for a place in the group 'default' (1 ahead)",
    "principal",
    "credential",
  ])
})

test("tools of one group may allow different numbers: each counts those before it", async () => {
  const { start, names, settled } = openRun()
  void start("a")
  void start("b", { execution: { maxConcurrency: 1 } })
  void start("c", { execution: { maxConcurrency: 3 } })
  void start("d", { execution: { maxConcurrency: 3 } })
  await settled()
  expect(names()).toEqual(["a", "c"])
})

test("a call that another call makes takes no place", async () => {
  const { runPlaces, start, settled, names } = openRun()
  void start("parent")
  await settled()
  const child = await pass({ execution: {}, runPlaces }, { ...call, key: "k:0/c:0" })
  expect(child.answer).toMatchObject({ as: "done" })
  expect(names()).toEqual(["parent"])
})

const endings: readonly (readonly [string, Stages])[] = [
  ["an answer", {}],
  ["a failure", { work: () => Promise.resolve(fail("upstream_error", "no")) }],
  ["a bug", { work: () => Promise.reject(new Error("a bug")) }],
  ["a missing credential", { secret: null }],
  [
    "a question to a human",
    { work: async ({ elicit }) => succeed(await elicit({ kind: "url", message: "Look", url: "https://shop.example" })) },
  ],
]

test.each(endings)("%s frees the place", async (_name, stages) => {
  const runPlaces = createRunPlaces()
  await pass({ execution: {}, runPlaces, ...stages })
  const next = await pass({ execution: {}, runPlaces })
  expect(next.answer).toEqual({ as: "done", value: succeed({ n: 1 }) })
  expect(next.steps.filter((step) => step.includes("waits"))).toEqual([])
})

test("a call that waits is stopped with its execution; nothing is sent, and those behind it move up", async () => {
  const { start, started, names, settled } = openRun()
  const stop = new AbortController()
  void start("a")
  const stopped = start("b", { signal: stop.signal })
  void start("c")
  await settled()
  stop.abort()
  expect((await stopped).answer).toEqual({ as: "refused", value: "timeout" })
  started[0]?.end()
  await settled()
  expect(names()).toEqual(["a", "c"])
})

test("a wait that takes too long is refused, and nothing is sent", async () => {
  const { start, names } = openRun()
  void start("a")
  const late = await start("b", { placeWaitMs: 5 })
  expect(late.answer).toEqual({ as: "refused", value: "rate_limited" })
  expect(names()).toEqual(["a"])
})

test("a token that is revoked while the call waits ends it, and its place is free", async () => {
  const { start, started, names, settled } = openRun()
  const first = start("a")
  const revoked = start("b", { isRevokedLater: true })
  void start("c")
  await settled()
  started[0]?.end()
  await first
  expect((await revoked).answer).toBeInstanceOf(Revoked)
  await settled()
  expect(names()).toEqual(["a", "c"])
})

test("a named group is the tenant's; one that is full, or whose order cannot be known, lets nothing pass", async () => {
  const asked: string[] = []
  const left: string[] = []
  const groupOf = (admitted: ReturnType<PlaceQueue["join"]>["admitted"]): Stages => ({
    execution: { concurrencyGroup: "crm", maxConcurrency: 4 },
    places: {
      group: (tenant, name) => ({
        join(max) {
          asked.push(`${tenant} ${name} ${max}`)
          return { admitted, leave: () => void left.push(name) }
        },
      }),
    },
  })
  expect((await pass(groupOf(Promise.resolve("admitted")))).answer).toMatchObject({ as: "done" })
  expect((await pass(groupOf(Promise.resolve("full")))).answer).toEqual({ as: "refused", value: "rate_limited" })
  const lost = new Error("the database is away")
  expect(await pass(groupOf(Promise.reject(lost)))).toMatchObject({ answer: lost })
  expect(asked).toEqual(Array.from({ length: 3 }, () => "t crm 4"))
  expect(left).toEqual(["crm", "crm", "crm"])
})

test("a long queue is told of in a bounded number of notices", async () => {
  const stages: Stages = {
    execution: { concurrencyGroup: "crm" },
    places: {
      group: () => ({
        join(_max, onWait) {
          for (let ahead = 500; ahead > 0; ahead--) onWait(ahead)
          return { admitted: Promise.resolve("admitted"), leave: () => {} }
        },
      }),
    },
  }
  expect((await pass(stages)).steps.filter((step) => step.includes("waits"))).toHaveLength(20)
})
