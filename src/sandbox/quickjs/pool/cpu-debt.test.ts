// Tests who may use the fast threads, by what was used before.
import { describe, expect, test } from "vitest"
import { createFastShare } from "./cpu-debt.ts"

describe("the share of the fast threads", () => {
  test("is used up by long runs, and comes back with time", () => {
    const share = createFastShare()
    share.came("good", 0)
    share.came("bad", 0)
    for (let run = 0; run < 4; run++) share.used("bad", 60, 0, 0)
    expect(share.isUsedUp("bad", 0)).toBe(true)
    expect(share.isUsedUp("good", 0)).toBe(false)
    expect(share.isUsedUp("bad", 3000)).toBe(false)
  })

  test("counts what is usual when runs start, so that many at once do not pass", () => {
    const share = createFastShare()
    share.came("good", 0)
    share.came("bad", 0)
    share.used("bad", 40, 0, 0)
    const counted = [1, 2, 3].map(() => share.started("bad", 0))
    expect(counted).toEqual([40, 40, 40])
    expect(share.isUsedUp("bad", 0)).toBe(true)
    for (const ms of counted) share.used("bad", 1, ms, 0)
    expect(share.isUsedUp("bad", 0)).toBe(false)
    expect(share.started("good", 0)).toBe(0)
  })

  test("is not used up by any number of short runs", () => {
    const share = createFastShare()
    share.came("one", 0)
    share.came("other", 0)
    for (let run = 0; run < 10_000; run++) share.used("one", 1, 0, 0)
    expect(share.isUsedUp("one", 0)).toBe(false)
  })

  test("has no bound for a principal that is alone", () => {
    const share = createFastShare()
    share.came("one", 0)
    share.used("one", 10_000, 0, 0)
    share.came("one", 1)
    expect(share.isUsedUp("one", 1)).toBe(false)
    share.came("other", 2)
    expect(share.isUsedUp("one", 2)).toBe(true)
  })

  test("keeps nobody away for long, whatever was used", () => {
    const share = createFastShare()
    share.used("one", 1e9, 0, 0)
    share.came("one", 5000)
    share.came("other", 5000)
    expect(share.isUsedUp("one", 5000)).toBe(false)
  })
})
