// Tests who may use the fast threads, by what was used before.
import { describe, expect, test } from "vitest"
import { createCpuDebt } from "./cpu-debt.ts"

describe("the CPU debt of principals", () => {
  test("is used up by long runs, and comes back with time", () => {
    const debt = createCpuDebt()
    debt.arrived("good", 0)
    debt.arrived("bad", 0)
    for (let run = 0; run < 4; run++) debt.charge("bad", 60, 0, 0)
    expect(debt.isOverdrawn("bad", 0)).toBe(true)
    expect(debt.isOverdrawn("good", 0)).toBe(false)
    expect(debt.isOverdrawn("bad", 3000)).toBe(false)
  })

  test("counts what is usual when runs start, so that many at once do not pass", () => {
    const debt = createCpuDebt()
    debt.arrived("good", 0)
    debt.arrived("bad", 0)
    debt.charge("bad", 40, 0, 0)
    const counted = [1, 2, 3].map(() => debt.started("bad", 0))
    expect(counted).toEqual([40, 40, 40])
    expect(debt.isOverdrawn("bad", 0)).toBe(true)
    for (const ms of counted) debt.charge("bad", 1, ms, 0)
    expect(debt.isOverdrawn("bad", 0)).toBe(false)
    expect(debt.started("good", 0)).toBe(0)
  })

  test("is not used up by any number of short runs", () => {
    const debt = createCpuDebt()
    debt.arrived("one", 0)
    debt.arrived("other", 0)
    for (let run = 0; run < 10_000; run++) debt.charge("one", 1, 0, 0)
    expect(debt.isOverdrawn("one", 0)).toBe(false)
  })

  test("has no bound for a principal that is alone", () => {
    const debt = createCpuDebt()
    debt.arrived("one", 0)
    debt.charge("one", 10_000, 0, 0)
    debt.arrived("one", 1)
    expect(debt.isOverdrawn("one", 1)).toBe(false)
    debt.arrived("other", 2)
    expect(debt.isOverdrawn("one", 2)).toBe(true)
  })

  test("keeps nobody away for long, whatever was used", () => {
    const debt = createCpuDebt()
    debt.charge("one", 1e9, 0, 0)
    debt.arrived("one", 5000)
    debt.arrived("other", 5000)
    expect(debt.isOverdrawn("one", 5000)).toBe(false)
  })
})
