// Turns are taken in rotation, one at a time, and a failure is its asker's alone.
import { expect, test } from "vitest"
import { createFairQueue } from "./fair-queue.ts"

test("whoever asks for much does not keep others waiting", async () => {
  const fairQueue = createFairQueue()
  const done: string[] = []
  const ask = (who: string): Promise<number> => fairQueue.take(who, async () => done.push(who))
  const all = [...Array.from({ length: 5 }, () => ask("greedy")), ask("modest"), ask("modest")]
  await Promise.all(all)
  expect(done).toEqual(["greedy", "greedy", "modest", "greedy", "modest", "greedy", "greedy"])
})

test("other work runs between two turns", async () => {
  const fairQueue = createFairQueue()
  let others = 0
  const timer = setInterval(() => (others += 1), 0)
  await Promise.all(
    Array.from({ length: 50 }, () =>
      fairQueue.take("one", async () => {
        const end = performance.now() + 2
        while (performance.now() < end);
      }),
    ),
  )
  clearInterval(timer)
  expect(others).toBeGreaterThan(10)
})

test("a failure reaches who asked, and the rest goes on", async () => {
  const fairQueue = createFairQueue()
  const failing = fairQueue.take("a", () => Promise.reject(new Error("no")))
  const fine = fairQueue.take("a", () => Promise.resolve(1))
  await expect(failing).rejects.toThrow("no")
  expect(await fine).toBe(1)
  expect(await fairQueue.take("b", () => Promise.resolve(2))).toBe(2)
})
