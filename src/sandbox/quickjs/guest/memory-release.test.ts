// Tests when a thread gives back what executions left.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { collectGarbage } from "../../../io/garbage.ts"
import { createMemoryRelease } from "./memory-release.ts"

const much = 64 * 1024 * 1024

describe("memory release", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test("comes once, in the first quiet moment", () => {
    const collect = vi.fn<() => void>()
    const memoryRelease = createMemoryRelease(collect)
    memoryRelease.left(much)
    memoryRelease.left(much)
    vi.advanceTimersByTime(200)
    memoryRelease.busy()
    vi.advanceTimersByTime(200)
    expect(collect).not.toHaveBeenCalled()
    vi.advanceTimersByTime(200)
    expect(collect).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(60_000)
    expect(collect).toHaveBeenCalledTimes(1)
  })

  test("is not worth it for little, until that adds up", () => {
    const collect = vi.fn<() => void>()
    const memoryRelease = createMemoryRelease(collect)
    for (let i = 0; i < 7; i++) memoryRelease.left(1024 * 1024)
    vi.advanceTimersByTime(60_000)
    expect(collect).not.toHaveBeenCalled()
    memoryRelease.left(1024 * 1024)
    vi.advanceTimersByTime(60_000)
    expect(collect).toHaveBeenCalledTimes(1)
  })

  test("comes in the end, however busy the thread is", () => {
    const collect = vi.fn<() => void>()
    const memoryRelease = createMemoryRelease(collect)
    memoryRelease.left(much)
    for (let i = 0; i < 500; i++) {
      memoryRelease.busy()
      vi.advanceTimersByTime(10)
    }
    expect(collect).toHaveBeenCalledTimes(1)
  })
})

test("a collection frees what nobody holds", () => {
  const before = process.memoryUsage().arrayBuffers
  let bytes: Uint8Array | null = new Uint8Array(32 * 1024 * 1024).fill(1)
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThanOrEqual(bytes.length)
  bytes = null
  collectGarbage()
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
})
