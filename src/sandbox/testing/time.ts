// The journal's clock, timers and randomness.
import { describe, expect, test } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { after, createLedgerHost, envelope, newRun, resultOf, runWith } from "./host.ts"

export function testTime(use: () => Sandbox): void {
  describe("time and chance", () => {
    test("time begins at the start of the execution and stands still while code computes", async () => {
      const code =
        "const a = Date.now(); let x = 0; for (let i = 0; i < 3e5; i++) x += i; return [a, Date.now() - a, new Date().getTime() - a, performance.now()]"
      expect(resultOf(await runWith(use(), code))).toEqual([1_750_000_000_000, 0, 0, 0])
    })

    test("time moves while code waits, and is what was recorded", async () => {
      const host = createLedgerHost(() => after(20, envelope(1)))
      const startedAtMs = Date.now()
      const result = resultOf(await runWith(use(), "await tools.t({}); return Date.now()", host, { startedAtMs })) as number
      expect(host.events.map((event) => event.atMs)).toEqual([result])
      expect(result).toBeGreaterThanOrEqual(startedAtMs)
    })

    test("the zone is UTC", async () => {
      expect(resultOf(await runWith(use(), "return [new Date(0).getTimezoneOffset(), new Date(0).getHours()]"))).toEqual([0, 0])
    })

    test("timers fire in order of time, then of age", async () => {
      const code =
        "const seen = []; setTimeout(() => seen.push('c'), 30); setTimeout(() => seen.push('a'), 5); setTimeout((x) => seen.push(x), 5, 'b'); const no = setTimeout(() => seen.push('no'), 6); clearTimeout(no); await new Promise((r) => setTimeout(r, 40)); return seen"
      expect(resultOf(await runWith(use(), code))).toEqual(["a", "b", "c"])
    })

    test("a timer is never early", async () => {
      const code = "const a = Date.now(); await new Promise((r) => setTimeout(r, 25)); return Date.now() - a"
      expect(resultOf(await runWith(use(), code, createLedgerHost(), { startedAtMs: Date.now() }))).toBeGreaterThanOrEqual(25)
    })

    test("intervals repeat until cleared", async () => {
      const code =
        "let n = 0; await new Promise((r) => { const t = setInterval(() => { if (++n === 3) { clearInterval(t); r() } }, 2) }); return n"
      expect(resultOf(await runWith(use(), code))).toBe(3)
    })

    test("a thousand timers are one wake-up away", async () => {
      const code =
        "let n = 0; await Promise.all(Array.from({ length: 1000 }, () => new Promise((r) => setTimeout(() => { n++; r() }, 10)))); return n"
      const host = createLedgerHost()
      expect(resultOf(await runWith(use(), code, host))).toBe(1000)
      expect(host.events).toHaveLength(1)
    })

    test("microtasks of one timer run before the next one", async () => {
      const code =
        "const seen = []; setTimeout(() => { Promise.resolve().then(() => seen.push('micro')); seen.push(1) }, 1); setTimeout(() => seen.push(2), 1); await new Promise((r) => setTimeout(r, 3)); return seen"
      expect(resultOf(await runWith(use(), code))).toEqual([1, "micro", 2])
    })

    test("chance follows the seed", async () => {
      const code = "return [Math.random(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))]]"
      const once = (seed: number): Promise<unknown> =>
        use()
          .run(newRun(code, { seed: new Uint8Array(32).fill(seed) }), createLedgerHost())
          .then(resultOf)
      const [first, same, other] = [await once(1), await once(1), await once(2)]
      expect(first).toEqual(same)
      expect(first).not.toEqual(other)
      const [a, b] = first as [number, number]
      expect(a).not.toBe(b)
      expect(Math.min(a, b)).toBeGreaterThanOrEqual(0)
      expect(Math.max(a, b)).toBeLessThan(1)
    })

    test("chance looks like chance", async () => {
      const code =
        "let sum = 0, low = 0; for (let i = 0; i < 1e4; i++) { const x = Math.random(); sum += x; if (x < 0.1) low++ } return [sum / 1e4, low / 1e4]"
      const [mean, low] = resultOf(await runWith(use(), code)) as [number, number]
      expect(Math.abs(mean - 0.5)).toBeLessThan(0.03)
      expect(Math.abs(low - 0.1)).toBeLessThan(0.03)
    })
  })
}
