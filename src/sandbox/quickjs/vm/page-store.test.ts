// Tests that pages are kept apart, reused and given back.
import { describe, expect, test } from "vitest"
import { createPageStore, pageBytes } from "./page-store.ts"

const pageOf = (byte: number): Buffer => Buffer.alloc(pageBytes, byte)

describe("the page store", () => {
  test("keeps thousands of pages apart, in any order of coming and going", () => {
    const store = createPageStore()
    const kept = new Map<number, number>()
    for (let step = 0; step < 6000; step++) {
      const byte = step % 251
      const page = store.put(Buffer.concat([pageOf(99), pageOf(byte)]), pageBytes)
      expect(kept.has(page)).toBe(false)
      kept.set(page, byte)
      if (step % 3 === 0) {
        const [victim] = [...kept.keys()].slice((step * 7) % kept.size)
        if (victim === undefined) continue
        store.drop(victim)
        kept.delete(victim)
      }
    }
    expect(store.pagesHeld).toBe(kept.size)
    const target = Buffer.alloc(pageBytes * 2)
    for (const [page, byte] of kept) {
      store.copyTo(page, target, pageBytes)
      expect(target.subarray(pageBytes).equals(pageOf(byte))).toBe(true)
    }
  })

  test("gives memory back to the system", () => {
    const store = createPageStore()
    const source = pageOf(1)
    const before = process.memoryUsage.rss()
    const pages = Array.from({ length: 40_000 }, () => store.put(source, 0))
    const held = process.memoryUsage.rss() - before
    for (const page of pages) store.drop(page)
    const left = process.memoryUsage.rss() - before
    expect(held).toBeGreaterThan(120 * 2 ** 20)
    expect(left).toBeLessThan(held / 2)
    expect(store.pagesHeld).toBe(0)
    expect(store.put(source, 0)).toBeGreaterThanOrEqual(0)
  })
})
