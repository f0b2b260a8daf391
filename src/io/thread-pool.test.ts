// Tests that threads are used again, and that a job which does not end is ended.
import { afterEach, expect, test } from "vitest"
import type { PoolJob } from "./testing/pool-worker.ts"
import { createThreadPool } from "./thread-pool.ts"
import type { ThreadPool } from "./thread-pool.ts"

const open: ThreadPool<PoolJob, number>[] = []
afterEach(() => Promise.all(open.splice(0).map((pool) => pool.close())))

function poolOf(threadsMax: number) {
  const file = new URL("./testing/pool-worker.ts", import.meta.url)
  const pool = createThreadPool<PoolJob, number>({ name: "test", file, memoryMbMax: 64, threadsMax })
  open.push(pool)
  const run = (job: PoolJob, { timeoutMs = 20_000, who = "one", signal = new AbortController().signal } = {}) =>
    pool.run({ job, who, timeoutMs, signal })
  return { pool, run }
}

test("a thread that has answered is used again", async () => {
  const { run } = poolOf(2)
  const first = await run("echo")
  expect(first).toMatchObject({ status: "done" })
  expect(await run("echo")).toEqual(first)
})

test("a job that loops is ended in time, and the next one gets a new thread", async () => {
  const { run } = poolOf(1)
  const first = await run("echo")
  const looping = run("loop", { timeoutMs: 200 })
  const next = run("echo")
  expect(await looping).toEqual({ status: "late" })
  const answer = await next
  expect(answer).toMatchObject({ status: "done" })
  expect(answer).not.toEqual(first)
})

test("a job that waits for a thread waits no longer than it may, and leaves the others alone", async () => {
  const { run } = poolOf(1)
  const looping = run("loop", { timeoutMs: 600 })
  expect(await run("echo", { timeoutMs: 50 })).toEqual({ status: "late" })
  expect(await looping).toEqual({ status: "late" })
  expect(await run("echo")).toMatchObject({ status: "done" })
})

test.each([
  ["throw", "oh no"],
  ["exit", "its thread ended early"],
] as const)("a thread that ends by %s is told, and replaced", async (job, message) => {
  const { run } = poolOf(1)
  expect(await run(job)).toEqual({ status: "crashed", message })
  expect(await run("echo")).toMatchObject({ status: "done" })
})

test("a job is cancelled while it runs, while it waits, and before it begins", async () => {
  const { run } = poolOf(1)
  const stop = new AbortController()
  const jobs = [run("loop", { signal: stop.signal }), run("echo", { signal: stop.signal })]
  stop.abort()
  jobs.push(run("echo", { signal: stop.signal }))
  expect(await Promise.all(jobs)).toEqual([{ status: "cancelled" }, { status: "cancelled" }, { status: "cancelled" }])
})

test("whoever has many jobs does not keep others waiting for all of them", async () => {
  const { run } = poolOf(1)
  const order: string[] = []
  const note = async (who: string): Promise<void> => {
    await run("echo", { who })
    order.push(who)
  }
  await Promise.all([...Array.from({ length: 5 }, () => note("many")), note("one")])
  expect(order.indexOf("one")).toBeLessThan(3)
})

test("closing ends what runs and what waits", async () => {
  const { pool, run } = poolOf(1)
  const jobs = [run("loop"), run("echo")]
  await pool.close()
  expect((await Promise.all(jobs)).map(({ status }) => status)).toEqual(["cancelled", "cancelled"])
  expect(await run("echo")).toEqual({ status: "cancelled" })
})
