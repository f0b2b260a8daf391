// Replays random programs from random prefixes of what was recorded.
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import { silentLog } from "../../io/log.ts"
import type { Sandbox, SandboxCall } from "../sandbox.ts"
import { after, createLedgerHost, envelope, newRun, resultOf, value } from "../testing/host.ts"
import { tmpdir } from "node:os"
import { createQuickJsSandbox } from "./sandbox.ts"

type Program = { readonly code: string }

/** Every step writes into `trace`, so that two runs with the same trace did the same in the same order. */
const { program } = fc.letrec<{ program: Program; leaf: Program; branch: Program }>((tie) => ({
  leaf: fc.oneof(
    fc.nat(5).map((n) => ({
      code: `async () => { trace.push('ask${n}'); const r = await tools.t${n % 2}({ n: ${n} }); trace.push(r.data); return r.data }`,
    })),
    fc.nat(8).map((ms) => ({ code: `async () => { await new Promise((r) => setTimeout(r, ${ms})); trace.push(['slept', ${ms}]) }` })),
    fc.constant({ code: "async () => { trace.push(Math.random()); await tools.seen({ n: trace.length }) }" }),
    fc
      .nat(3)
      .map((n) => ({ code: `async () => { tools.left({ n: ${n} }).then((r) => { trace.push(r.data); return tools.behind({}) }) }` })),
    fc.nat(1).map((n) => ({ code: `async () => { store('k', ${n}); trace.push(await load('k')); store('k', trace.length) }` })),
    fc.constant({ code: "async () => { const at = Date.now(); await tools.at({}); trace.push(Date.now() >= at) }" }),
  ),
  branch: fc
    .tuple(fc.constantFrom("all", "race", "allSettled", "sequence"), fc.array(tie("program"), { minLength: 1, maxLength: 4 }))
    .map(([kind, parts]) => ({ code: `async () => ${kind}([${parts.map((part) => part.code).join(", ")}])` })),
  program: fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("branch")),
}))

const prelude = `
  const trace = []
  const all = (parts) => Promise.all(parts.map((part) => part()))
  const race = (parts) => Promise.race(parts.map((part) => part()))
  const allSettled = (parts) => Promise.allSettled(parts.map((part) => part()))
  const sequence = async (parts) => { for (const part of parts) await part() }`

describe("random programs", () => {
  let sandbox: Sandbox
  beforeAll(() => {
    sandbox = createQuickJsSandbox(
      { limits: defaultLimits, clock: systemClock, log: silentLog, spillDir: tmpdir() },
      { instancesPerWorker: 2 },
    )
  })
  afterAll(() => sandbox.close())

  test("come to the same trace from any prefix", async () => {
    await fc.assert(
      fc.asyncProperty(
        program,
        fc.array(fc.nat(6), { minLength: 8, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async ({ code }, latencies, share) => {
          const script = (call: SandboxCall) =>
            after(
              latencies[call.seq % latencies.length] ?? 0,
              call.kind === "tool" ? envelope(`${call.path}${call.argsJson}`) : value(call.argsJson),
            )
          const run = newRun(`${prelude}\n await (${code})()\n return trace`, { startedAtMs: Date.now() })
          const live = createLedgerHost(script)
          const expected = resultOf(await sandbox.run(run, live))

          const whole = createLedgerHost(script)
          expect(resultOf(await sandbox.run({ ...run, replay: live.events }, whole))).toEqual(expected)
          expect(whole.events).toEqual([])

          const replay = live.events.slice(0, Math.floor(live.events.length * share))
          const part = createLedgerHost(script)
          resultOf(await sandbox.run({ ...run, replay }, part))
          const recorded = new Set(replay.flatMap((event) => (event.type === "answer" ? [event.key] : [])))
          expect(part.calls.filter((call) => recorded.has(call.key))).toEqual([])

          // What the second run recorded, behind the prefix, is again a whole journal.
          const third = createLedgerHost(script)
          const again = await sandbox.run({ ...run, replay: [...replay, ...part.events] }, third)
          expect([again.status, third.events]).toEqual(["returned", []])
        },
      ),
      { numRuns: 60 },
    )
  })
})
