// Runs hostile code beside well-behaved code: each attempt ends by its own limit, and the others notice nothing.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { withLimits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import { silentLog } from "../../io/log.ts"
import { hostileCode } from "../testing/hostile-code.ts"
import type { Sandbox } from "../sandbox.ts"
import { after, createLedgerHost, envelope, failureOf, resultOf, runWith } from "../testing/host.ts"
import type { Script } from "../testing/host.ts"
import { tmpdir } from "node:os"
import { createQuickJsSandbox } from "./sandbox.ts"

const script: Script = (call) => {
  if (call.path === "never") return new Promise(() => {})
  return call.path === "slow" ? after(50, envelope(1)) : envelope(1)
}
const small = { executionMemoryBytes: 24 * 1024 * 1024 }
const goodCode = "const [a, b] = await Promise.all([tools.quick({ n: 1 }).unwrap(), tools.quick({ n: 2 }).unwrap()]); return a + b"

describe("isolation", () => {
  /** Lets code compute for long, so that it meets its other limits. */
  let sandbox: Sandbox
  /** Ends loops soon, so that many can be tried. */
  let strict: Sandbox
  const good = { isOver: false, runs: 0, wrong: [] as string[] }
  let neighbours: Promise<unknown> = Promise.resolve()

  async function behave(): Promise<void> {
    while (!good.isOver) {
      const outcome = await runWith(good.runs++ % 2 === 0 ? sandbox : strict, goodCode, createLedgerHost(script), {
        principal: "neighbour",
      })
      if (outcome.status !== "returned" || outcome.resultJson !== "2") good.wrong.push(JSON.stringify(outcome))
      await after(1, envelope(1))
    }
  }

  beforeAll(() => {
    sandbox = createQuickJsSandbox({
      limits: withLimits({ ...small, executionCpuMs: 30_000 }),
      clock: systemClock,
      log: silentLog,
      spillDir: tmpdir(),
    })
    strict = createQuickJsSandbox({
      limits: withLimits({ ...small, executionCpuMs: 150 }),
      clock: systemClock,
      log: silentLog,
      spillDir: tmpdir(),
    })
    neighbours = Promise.all([behave(), behave(), behave(), behave()])
  })
  afterAll(async () => {
    good.isOver = true
    await neighbours
    await Promise.all([sandbox.close(), strict.close()])
  })

  describe.concurrent("hostile code ends by its own limit", () => {
    for (const { name, code, ends } of hostileCode) {
      test(name, async () => {
        const wallMs = ends.includes("timeout") ? 1500 : 240_000
        const outcome = await runWith(ends.includes("cpu_limit") ? strict : sandbox, code, createLedgerHost(script), {
          wallMs,
          startedAtMs: Date.now(),
        })
        const end = outcome.status === "returned" ? "returned" : failureOf(outcome).code
        expect(ends, JSON.stringify(outcome).slice(0, 500)).toContain(end)
      })
    }
  })

  test("the neighbours went on", async () => {
    good.isOver = true
    await neighbours
    expect(good.wrong).toEqual([])
    expect(good.runs).toBeGreaterThan(50)
  })

  test("the sandbox is as it was", async () => {
    for (const tried of [sandbox, strict]) {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => runWith(tried, goodCode, createLedgerHost(script))))
      expect(new Set(outcomes.map(resultOf))).toEqual(new Set([2]))
      expect(tried.stats()).toMatchObject({ queued: 0 })
    }
  })
})
