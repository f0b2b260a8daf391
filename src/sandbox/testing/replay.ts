// Replay: after any prefix of what was recorded, code asks for the same calls and comes to the same end.
import { describe, expect, test } from "vitest"
import type { Sandbox, SandboxCall, SettleEvent } from "../sandbox.ts"
import type { LedgerHost } from "./host.ts"
import { after, createLedgerHost, envelope, failure, failureOf, newRun, resultOf } from "./host.ts"

/** Latencies differ from call to call, so that the order of settling is not the order of asking. */
const latencyMs = (call: SandboxCall): number => (call.seq * 7) % 11

/** The arguments of its last call depend on the order of everything before: only a prefix with all of that settles them. */
const racing = "timers against answers"

const programs: readonly (readonly [name: string, code: string])[] = [
  ["a sequence", "const out = []; for (let i = 0; i < 5; i++) out.push((await tools.t({ i })).data); return out"],
  ["Promise.all", "return (await Promise.all([5, 3, 8, 1].map((i) => tools.t({ i })))).map((r) => r.data)"],
  [
    "Promise.race",
    "const first = await Promise.race([tools.slow({ n: 1 }), tools.slow({ n: 2 }), tools.slow({ n: 3 })]); return [first.data, (await tools.next({ first: first.data })).data]",
  ],
  [
    "Promise.any and allSettled",
    "const any = await Promise.any([tools.t({ a: 1 }), tools.t({ a: 2 })]); const all = await Promise.allSettled([tools.t({ b: 1 }).unwrap(), tools.fail({}).unwrap()]); return [any.data, all.map((s) => s.status)]",
  ],
  [
    "nested Promise.all",
    "return await Promise.all([1, 2, 3].map(async (i) => { const a = (await tools.t({ i })).data; return Promise.all([1, 2].map(async (j) => (await tools.u({ i, j, n: a.args.i })).data.args)) }))",
  ],
  [
    "a loop that depends on results",
    "let n = 1, steps = 0; while (n < 50) { n = (await tools.double({ n })).data.args.n * 2; steps++ } return [n, steps]",
  ],
  [
    "the clock in arguments",
    "const a = (await tools.t({ at: Date.now() })).data; const b = (await tools.t({ at: Date.now(), p: performance.now() })).data; return [a, b]",
  ],
  [
    "chance in arguments",
    "const out = []; for (let i = 0; i < 3; i++) out.push((await tools.t({ r: Math.random(), u: crypto.randomUUID() })).data); return out",
  ],
  ["the same call many times", "return (await Promise.all([tools.t({}), tools.t({}), tools.t({})])).length"],
  [
    racing,
    "const seen = []; const mark = (x) => () => seen.push(x); await Promise.all([new Promise((r) => setTimeout(r, 5)).then(mark('5')), tools.t({ a: 1 }).then(mark('a')), new Promise((r) => setTimeout(r, 1)).then(mark('1')), tools.t({ b: 1 }).then(mark('b'))]); return [seen, (await tools.t({ seen })).data]",
  ],
  [
    "a retry with backoff",
    "for (let i = 0; ; i++) { const r = await tools.flaky({ i }); if (i === 2) return r.data; await new Promise((d) => setTimeout(d, 3 * i)) }",
  ],
  [
    "producers and consumers",
    "const queue = [1, 2, 3, 4, 5, 6]; const out = []; await Promise.all([1, 2, 3].map(async (w) => { while (queue.length) { const job = queue.shift(); out.push([w, (await tools.t({ job })).data.args.job]) } })); return out",
  ],
  ["store and load", "await store('k', { n: 1 }); const a = await load('k'); return [a, (await tools.t({ a })).data]"],
]

const script = (call: SandboxCall) => {
  const data = { path: call.path, args: JSON.parse(call.argsJson) as unknown }
  return after(
    latencyMs(call),
    call.path === "fail" ? failure("timeout", "Too slow") : call.kind === "tool" ? envelope(data) : { form: "value", json: call.argsJson },
  )
}

const keysOf = (calls: readonly SandboxCall[]): string[] => calls.map((call) => call.key).toSorted()

export function testReplay(use: () => Sandbox): void {
  describe("replay", () => {
    for (const [name, code] of programs) {
      test(`repeats ${name} after every prefix`, async () => {
        const run = newRun(code, { startedAtMs: Date.now() })
        const live = createLedgerHost(script)
        const expected = resultOf(await use().run(run, live))
        const prefixes = Array.from({ length: live.events.length + 1 }, (_, length) => live.events.slice(0, length))
        const settledFrom = name === racing ? live.events.length - 1 : 1
        await Promise.all(prefixes.map((replay) => expectSame(use(), run, replay, { live, expected, settledFrom })))
      })
    }

    test("a whole replay asks the host for nothing and gives the same times", async () => {
      const run = newRun("const t = []; for (let i = 0; i < 20; i++) { await tools.t({ i }); t.push(Date.now()) } return t", {
        startedAtMs: Date.now(),
      })
      const live = createLedgerHost(script)
      const expected = resultOf(await use().run(run, live))
      const again = createLedgerHost()
      expect(resultOf(await use().run({ ...run, replay: live.events }, again))).toEqual(expected)
      expect([again.calls, again.events]).toEqual([[], []])
    })

    test("events that came after the code had ended do no harm", async () => {
      const run = newRun("return (await Promise.race([tools.a({}), tools.b({})])).data")
      const live = createLedgerHost((call) => envelope(call.path))
      await use().run(run, live)
      const other = createLedgerHost()
      await use().run(newRun("await Promise.all([tools.a({}), tools.b({})])"), other)
      const replay = other.events.map((event) => ({
        ...event,
        ...(event.type === "answer" ? { json: '{"ok":true,"data":"recorded"}' } : {}),
      }))
      expect(resultOf(await use().run({ ...run, replay }, createLedgerHost()))).toBe("recorded")
    })

    const diverging: readonly (readonly [name: string, code: string])[] = [
      ["asks for something else", "await tools.other({}); await tools.more({})"],
      ["asks with other arguments", "await tools.t({ i: 2 })"],
      ["ends without asking", "return 1"],
      ["waits for a timer instead", "await new Promise((r) => setTimeout(r, 1)); await tools.t({ i: 1 })"],
    ]
    for (const [name, code] of diverging) {
      test(`code that ${name} has diverged, and calls nothing`, async () => {
        const recorded = createLedgerHost()
        await use().run(newRun("await tools.t({ i: 1 })"), recorded)
        const host = createLedgerHost()
        expect(failureOf(await use().run(newRun(code, { replay: recorded.events }), host))).toMatchObject({ code: "replay_diverged" })
        expect(host.calls).toEqual([])
      })
    }
  })
}

async function expectSame(
  sandbox: Sandbox,
  run: ReturnType<typeof newRun>,
  replay: readonly SettleEvent[],
  { live: { calls }, expected, settledFrom }: { readonly live: LedgerHost; readonly expected: unknown; readonly settledFrom: number },
): Promise<void> {
  const host = createLedgerHost((call) => script(calls.find((known) => known.key === call.key) ?? call))
  const outcome = await sandbox.run({ ...run, replay }, host)
  const recorded = new Set(replay.flatMap((event) => (event.type === "answer" ? [event.key] : [])))
  const isSettled = replay.length >= settledFrom && host.calls.length === calls.length - recorded.size
  // Past the prefix times differ from those of the first run, so only a complete replay must give the same values.
  if (host.events.length === 0) expect(resultOf(outcome)).toEqual(expected)
  else expect(outcome.status).toBe("returned")
  if (isSettled) expect(keysOf([...calls.filter((call) => recorded.has(call.key)), ...host.calls])).toEqual(keysOf(calls))
}
