// Tests that a call ends when its tool's time is over, also where its source does not listen.
import { expect, test } from "vitest"
import { fail, succeed } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import { pass } from "./testing/gate.ts"
import type { Stages } from "./testing/gate.ts"

const never = new Promise<ToolResult>(() => {})
const timed = (work: NonNullable<Stages["work"]>, more: Stages = {}): Stages => ({ execution: { timeoutMs: 20 }, ...more, work })

test("a source that does not listen is not waited for: a read timed out, and what else became of it nobody knows", async () => {
  const read = await pass(timed(() => never, { effectOfArgs: "read" }))
  expect(read.answer).toMatchObject({
    as: "done",
    value: { error: { code: "timeout", message: expect.stringContaining("longer than 0.02 s"), retryable: true } },
  })
  const write = await pass(timed(() => never))
  expect(write.answer).toMatchObject({ as: "done", value: { error: { code: "outcome_unknown" } } })
})

test("a source gets the shorter of both times, and its own answer about it counts", async () => {
  const late = (ms: number) => fail("timeout", `not within ${ms} ms`)
  const own = await pass(timed(({ limits }) => Promise.resolve(late(limits.callTimeoutMs))))
  expect(own.answer).toMatchObject({ value: { error: { message: "not within 20 ms" } } })
  const caller = await pass({
    execution: { timeoutMs: 5000 },
    work: ({ limits }) => Promise.resolve(late(limits.callTimeoutMs)),
  })
  expect(caller.answer).toMatchObject({ value: { error: { message: "not within 1000 ms" } } })
})

test("a source that listens is told", async () => {
  const told = Promise.withResolvers<void>()
  await pass(
    timed(({ signal }) => {
      signal.addEventListener("abort", () => told.resolve())
      return never
    }),
  )
  await told.promise
})

test("what is over asks no human any more", async () => {
  const asked = Promise.withResolvers<unknown>()
  const { steps } = await pass(
    timed(async ({ signal, elicit }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve))
      await elicit({ kind: "url", message: "Look", url: "https://shop.example" }).catch(asked.resolve)
      return succeed(null)
    }),
  )
  expect(await asked.promise).toMatchObject({ message: expect.stringContaining("over") })
  expect(steps.some((step) => step.startsWith("question"))).toBe(false)
})

test("a call within its time answers as if it had none, and a question keeps its state", async () => {
  const answered = await pass(
    timed(({ elicit }) => Promise.resolve(succeed(elicit.state)), { resumption: { asked: ["apr_1"], state: "page 2" } }),
  )
  expect(answered.answer).toEqual({ as: "done", value: succeed("page 2") })
})
