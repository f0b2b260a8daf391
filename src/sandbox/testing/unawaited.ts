// Calls that the code did not wait for: which are made, in which order, and what is told of them.
import { describe, expect, test } from "vitest"
import type { Sandbox, SandboxCall, SettleEvent } from "../sandbox.ts"
import type { LedgerHost } from "./host.ts"
import { after, createLedgerHost, envelope, failureOf, newRun, pending, resultOf, runWith, value } from "./host.ts"

/** Keeps values as the product does, and takes longer for earlier calls, so that only order from the guest can help. */
function createKeeper(kept = new Map<string, string>()): LedgerHost {
  return createLedgerHost(async (call) => {
    await after(Math.max(0, 12 - call.seq * 4), value(null))
    if (call.kind === "store") kept.set(call.path, call.argsJson)
    return call.kind === "load" ? { form: "value", json: kept.get(call.path) ?? "null" } : value(null)
  })
}

const texts = (outcome: Awaited<ReturnType<typeof runWith>>): string[] => outcome.report.logs.map((line) => line.text)
const pathsOf = (calls: readonly SandboxCall[]): string[] => calls.map((call) => call.path)

export function testUnawaited(use: () => Sandbox): void {
  describe("store and load that are not awaited", () => {
    test("are in the order of the code", async () => {
      const code = "store('o', 1); store('p', 9); store('o', 2); return [await load('o'), await load('o'), await load('p')]"
      expect(resultOf(await runWith(use(), code, createKeeper()))).toEqual([2, 2, 9])
      const behind = "store('o', 1); const first = load('o'); store('o', 2); return [await first, await load('o')]"
      expect(resultOf(await runWith(use(), behind, createKeeper()))).toEqual([1, 2])
    })

    test("are kept although the code has ended, without a word", async () => {
      const kept = new Map<string, string>()
      const outcome = await runWith(use(), "store('a', 1); store('a', 2); store('b', [3]); return 'r'", createKeeper(kept))
      expect([resultOf(outcome), Object.fromEntries(kept), texts(outcome)]).toEqual(["r", { a: "2", b: "[3]" }, []])
    })

    test("are kept when the code throws", async () => {
      const kept = new Map<string, string>()
      const outcome = await runWith(use(), "store('a', 1); throw new Error('late')", createKeeper(kept))
      expect([failureOf(outcome).message, kept.get("a")]).toEqual(["late", "1"])
    })

    test("different keys do not wait for each other", async () => {
      let open = 0
      let most = 0
      const host = createLedgerHost(async () => {
        most = Math.max(most, ++open)
        const answer = await after(5, value(null))
        open -= 1
        return answer
      })
      await runWith(use(), "await Promise.all(['a', 'b', 'c'].map((key) => store(key, 1)))", host)
      expect(most).toBe(3)
    })
  })

  describe("calls that are not awaited", () => {
    test("are made, and told of", async () => {
      const host = createLedgerHost(() => after(20, envelope(1)))
      const outcome = await runWith(use(), "tools.a({}); tools.b({}); return 'x'", host)
      expect([resultOf(outcome), pathsOf(host.calls)]).toEqual(["x", ["a", "b"]])
      expect(outcome.report.logs).toEqual([
        { level: "warn", text: "2 calls were not awaited: they were made after the code had returned. `await` every call." },
      ])
    })

    test("bring along what follows from them", async () => {
      const host = createLedgerHost()
      const code =
        "const out = []; [1, 2].forEach(async (i) => { out.push((await tools.t({ i })).data.args.i); await tools.u({ i }) }); return out"
      expect(resultOf(await runWith(use(), code, host))).toEqual([1, 2])
      expect(pathsOf(host.calls)).toEqual(["t", "t", "u", "u"])
    })

    test("pause the execution when they need a human, and are made after the answer", async () => {
      const run = newRun("tools.pay({}); return 'x'")
      const waiting = await use().run(
        run,
        createLedgerHost(() => pending),
      )
      expect(waiting).toMatchObject({ status: "waiting", pending: [expect.stringMatching(/:0$/)] })
      const host = createLedgerHost(() => envelope("paid"))
      expect([resultOf(await use().run(run, host)), pathsOf(host.calls)]).toEqual(["x", ["pay"]])
    })

    test("are not waited for once they are under way", async () => {
      const host = createLedgerHost((call) => (call.path === "slow" ? new Promise(() => {}) : envelope(1)))
      const outcome = await runWith(use(), "tools.slow({}); await tools.quick({}); return 'x'", host)
      expect(resultOf(outcome)).toBe("x")
      // Whether it was sent at all is known to the host.
      expect(texts(outcome)).toEqual([])
    })

    test("are told of when they are left to timers", async () => {
      const host = createLedgerHost()
      const outcome = await runWith(use(), "setTimeout(() => tools.late({}), 5); clearTimeout(setTimeout(() => {}, 5)); return 'x'", host)
      expect([resultOf(outcome), pathsOf(host.calls)]).toEqual(["x", []])
      expect(texts(outcome)).toEqual(["1 timer had not fired when the code returned; await what it does."])
      expect(texts(await runWith(use(), "setTimeout(() => {}, 5); setInterval(() => {}, 5); throw new Error('no')"))).toEqual([])
    })

    test("are not made when they wait for a human and the code ends without them", async () => {
      const host = createLedgerHost((call) => (call.path === "pay" ? pending : after(20, envelope(1))))
      const outcome = await runWith(use(), "tools.pay({}); await tools.quick({}); return 'x'", host)
      // Which ones these are is known to the host.
      expect([resultOf(outcome), texts(outcome)]).toEqual(["x", []])
    })

    test("are not made when the code throws first", async () => {
      const host = createLedgerHost()
      const outcome = await runWith(use(), "tools.a({}); store('k', 1); tools.b({}); throw new Error('no')", host)
      expect([failureOf(outcome).message, pathsOf(host.calls)]).toEqual(["no", ["k"]])
      expect(texts(outcome)).toEqual(["2 calls were not made, because the code failed first: a(), b()"])
    })

    test("replay to the same end from any prefix", async () => {
      const code =
        "const out = []; store('k', 1); [1, 2, 3].forEach(async (i) => { out.push((await tools.t({ i })).data); await tools.u({ i }) }); store('k', 2); return out"
      const script = (call: SandboxCall) => after((call.seq * 7) % 11, call.kind === "tool" ? envelope(call.argsJson) : value(null))
      const run = newRun(code, { startedAtMs: Date.now() })
      const live = createLedgerHost(script)
      const expected = resultOf(await use().run(run, live))
      for (let length = 0; length <= live.events.length; length++) {
        const replay: readonly SettleEvent[] = live.events.slice(0, length)
        const again = createLedgerHost(script)
        const result = resultOf(await use().run({ ...run, replay }, again))
        expect(new Set(result as unknown[])).toEqual(new Set(expected as unknown[]))
        expect(again.calls).toHaveLength(8 - length)
      }
    })

    test("that lost a race are not asked for by a replay", async () => {
      const run = newRun("await Promise.race([tools.a({}), tools.b({})]); return 'over'", { startedAtMs: Date.now() })
      const live = createLedgerHost((call) => (call.path === "a" ? envelope(1) : new Promise(() => {})))
      await use().run(run, live)
      const again = createLedgerHost()
      expect(resultOf(await use().run({ ...run, replay: live.events }, again))).toBe("over")
      expect(again.calls).toEqual([])
    })
  })
}
