// Tests the pool around the guests: parking, turns, refusal, lost threads and the end.
import { describe, expect, test } from "vitest"
import type { SandboxAnswer } from "../../sandbox.ts"
import { after, createLedgerHost, envelope, failureOf, resultOf, runWith } from "../../testing/host.ts"
import { sandboxOpener } from "../testing/open.ts"

const open = sandboxOpener()

/** A gate that tests open. */
function createGate() {
  const { promise, resolve } = Promise.withResolvers<SandboxAnswer>()
  return { promise, open: () => resolve(envelope("open")) }
}

describe("parking", () => {
  test("many more executions than instances keep their own state", async () => {
    const sandbox = open({}, { workers: 1, instancesPerWorker: 2 })
    const host = createLedgerHost((call) => after((call.seq * 13 + Number(JSON.parse(call.argsJson).n)) % 17, envelope(call.argsJson)))
    const code = (n: number): string => `
      const mine = { n: ${n}, text: 'x'.repeat(${n * 50}), map: new Map([[${n}, Symbol('s')]]) }
      for (let i = 0; i < 5; i++) await tools.t({ n: ${n}, i })
      await new Promise((r) => setTimeout(r, ${n % 7}))
      return [mine.n, mine.text.length, mine.map.size]`
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, n) => runWith(sandbox, code(n), host)))
    expect(outcomes.map(resultOf)).toEqual(Array.from({ length: 60 }, (_, n) => [n, n * 50, 1]))
  })

  test("memory that grew is parked and comes back whole", async () => {
    const sandbox = open({}, { workers: 1, instancesPerWorker: 1 })
    const host = createLedgerHost(() => after(5, envelope(1)))
    const code = (n: number): string => `
      const big = Array.from({ length: 9000 }, (_, i) => 'item ' + (i * ${n}))
      const bytes = new Uint8Array(2e6).fill(${n})
      await tools.t({ a: ${n} })
      const more = Array.from({ length: 9000 }, (_, i) => ({ i: i + ${n} }))
      await tools.t({ b: ${n} })
      return [big.at(-1), bytes.every((b) => b === ${n}), more.at(-1).i]`
    const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => runWith(sandbox, code(n), host)))
    expect(outcomes.map(resultOf)).toEqual([1, 2, 3, 4, 5, 6].map((n) => [`item ${8_999 * n}`, true, 8_999 + n]))
  })

  test("memory may grow between the last answer and the end", async () => {
    const sandbox = open({}, { workers: 1, instancesPerWorker: 1 })
    for (const wait of ["await null", "await tools.t({})", "await new Promise((r) => setTimeout(r, 1))"])
      for (const length of [1_000, 5_000, 50_000]) {
        const code = `${wait}; return Array.from({ length: ${length} }, (_, n) => ({ n, name: "item " + n }))`
        const outcome = await runWith(
          sandbox,
          code,
          createLedgerHost(() => after(1, envelope(1))),
        )
        expect((resultOf(outcome) as unknown[]).length).toBe(length) // what the code returns
      }
  })

  test("an instance that grew serves small executions afterwards", async () => {
    const sandbox = open({}, { workers: 1, instancesPerWorker: 1 })
    for (let round = 0; round < 5; round++) {
      expect(resultOf(await runWith(sandbox, "return new Array(1e5).fill('x').join('').length"))).toBe(100_000)
      expect(resultOf(await runWith(sandbox, "return new Uint8Array(3e7).length"))).toBe(30_000_000)
      expect(resultOf(await runWith(sandbox, "return 1"))).toBe(1)
    }
  })
})

describe("a thread that is lost", () => {
  const stuck = "return new Array(4e9).join('')"

  test("takes nobody along, and no call is made twice", async () => {
    const sandbox = open({ executionCpuMs: 500 }, { workers: 1 })
    const gates = Array.from({ length: 12 }, createGate)
    const host = createLedgerHost((call) => {
      const { n, step } = JSON.parse(call.argsJson) as { n: number; step: number }
      return step === 1 ? (gates[n]?.promise ?? envelope(0)) : envelope("quick")
    })
    const code = (n: number): string =>
      `console.log('start ${n}'); emit(${n}); await tools.t({ n: ${n}, step: 0 }); const r = await tools.t({ n: ${n}, step: 1 }); await tools.t({ n: ${n}, step: 2 }); return [${n}, r.data, Math.random()]`
    const innocents = gates.map((_, n) => runWith(sandbox, code(n), host))
    await expect.poll(() => host.calls.length).toBe(24)
    const culprit = runWith(sandbox, stuck)
    await expect.poll(() => sandbox.stats().running).toBe(13)
    for (const gate of gates) gate.open()
    const outcomes = await Promise.all(innocents)
    expect(outcomes.map((outcome) => (resultOf(outcome) as unknown[]).slice(0, 2))).toEqual(gates.map((_, n) => [n, "open"]))
    expect(host.calls).toHaveLength(36)
    expect(new Set(host.calls.map((call) => call.key)).size).toBe(36)
    expect(outcomes.map((outcome) => [outcome.report.logs.length, outcome.report.emitted.length])).toEqual(gates.map(() => [1, 1]))
    expect(host.outputs).toHaveLength(24)
    expect(["cpu_limit", "memory_limit"]).toContain(failureOf(await culprit).code)
    expect(sandbox.stats().terminated).toBeGreaterThan(0)
  })

  test("a run that loops beside others is moved, and ends by its own limit", async () => {
    // Far more than the moment after which it is moved, also on a busy machine.
    const sandbox = open({ executionCpuMs: 3000 }, { workers: 1 })
    const culprit = runWith(sandbox, "while (true) {}")
    const others = await Promise.all(Array.from({ length: 20 }, () => runWith(sandbox, "return 1")))
    expect(others.map(resultOf)).toEqual(others.map(() => 1))
    expect(failureOf(await culprit)).toMatchObject({ code: "cpu_limit" })
    expect(sandbox.stats()).toMatchObject({ moved: 1 })
  })

  test("long computing that is within its limit comes to its end in the slow lane", async () => {
    const sandbox = open({}, { workers: 1 })
    const host = createLedgerHost()
    const heavy = runWith(
      sandbox,
      "await tools.t({}); let n = 0; for (let i = 0; i < 2e6; i++) n += i % 7; return (await tools.u({ n })).data.args.n",
      host,
    )
    const state = { isOver: false }
    const light = async (): Promise<void> => {
      while (!state.isOver) expect(resultOf(await runWith(sandbox, "return 1"))).toBe(1)
    }
    const others = light()
    const result = resultOf(await heavy)
    state.isOver = true
    await others
    expect(result).toBe(Array.from({ length: 2e6 }, (_, i) => i % 7).reduce((sum, rest) => sum + rest, 0))
    expect(host.calls.map((call) => call.path)).toEqual(["t", "u"])
  })
})

describe("admission", () => {
  test("principals take turns while one floods the queue", async () => {
    const sandbox = open({ executionsRunningMax: 2 }, { workers: 1 })
    const order: string[] = []
    const one = async (principal: string): Promise<void> => {
      resultOf(await runWith(sandbox, "await tools.t({}); return 1", createLedgerHost(), { principal }))
      order.push(principal)
    }
    await Promise.all([...Array.from({ length: 100 }, () => one("flood")), one("calm"), one("calm")])
    expect(order.lastIndexOf("calm")).toBeLessThan(20)
  })

  test("a principal leaves room for others", async () => {
    const sandbox = open({ executionsRunningPerPrincipalMax: 3 }, { workers: 1 })
    const gate = createGate()
    const waiting = Array.from({ length: 10 }, () =>
      runWith(
        sandbox,
        "return await tools.t({})",
        createLedgerHost(() => gate.promise),
        { principal: "many" },
      ),
    )
    expect(resultOf(await runWith(sandbox, "return 1", createLedgerHost(), { principal: "other" }))).toBe(1)
    await expect.poll(() => sandbox.stats()).toMatchObject({ running: 3, queued: 7 })
    gate.open()
    await Promise.all(waiting)
  })

  test("a full queue refuses instead of growing", async () => {
    const sandbox = open({ executionsRunningMax: 1, executionsQueuedMax: 4 }, { workers: 1 })
    const gate = createGate()
    const first = runWith(
      sandbox,
      "return (await tools.t({})).data",
      createLedgerHost(() => gate.promise),
    )
    await expect.poll(() => sandbox.stats().running).toBe(1)
    const others = Array.from({ length: 10 }, () => runWith(sandbox, "return 1"))
    const refused = (await Promise.race([Promise.all(others.slice(2)), after(20_000, envelope(0))])) as Awaited<(typeof others)[number]>[]
    expect(refused.map((outcome) => outcome.status)).toEqual(Array(8).fill("refused"))
    gate.open()
    expect(resultOf(await first)).toBe("open")
    expect((await Promise.all(others.slice(0, 2))).map(resultOf)).toEqual([1, 1])
  })
})

describe("the end", () => {
  test("closing ends what runs, what waits and what comes later", async () => {
    const sandbox = open({ executionsRunningMax: 1 }, { workers: 1 })
    const running = runWith(
      sandbox,
      "return await tools.t({})",
      createLedgerHost(() => new Promise(() => {})),
    )
    const queued = runWith(sandbox, "return 1")
    const computing = runWith(sandbox, "while (true) {}")
    await sandbox.close()
    const later = runWith(sandbox, "return 1")
    for (const outcome of await Promise.all([running, queued, computing, later]))
      expect(outcome).toMatchObject({ status: "killed", reason: "closed" })
    await sandbox.close()
  })

  test("answers that come after the end do no harm", async () => {
    const sandbox = open({}, { workers: 1 })
    const gate = createGate()
    const host = createLedgerHost((call) => (call.path === "t" ? gate.promise : envelope(1)))
    expect(resultOf(await runWith(sandbox, "tools.t({}); await tools.quick({}); return 1", host))).toBe(1)
    gate.open()
    expect(resultOf(await runWith(sandbox, "return 2", host))).toBe(2)
    expect(host.events).toHaveLength(1)
  })

  test("cancelling many at once leaves nothing behind", async () => {
    const sandbox = open({}, { workers: 1, instancesPerWorker: 2 })
    const controller = new AbortController()
    const runs = Array.from({ length: 40 }, () =>
      runWith(
        sandbox,
        "setTimeout(() => {}, 5000); return await tools.t({})",
        createLedgerHost(() => new Promise(() => {})),
        { signal: controller.signal },
      ),
    )
    await expect.poll(() => sandbox.stats().running).toBe(40)
    controller.abort()
    expect(new Set((await Promise.all(runs)).map((outcome) => failureOf(outcome).code))).toEqual(new Set(["cancelled"]))
    expect(sandbox.stats()).toMatchObject({ running: 0, queued: 0 })
    expect(resultOf(await runWith(sandbox, "return 1"))).toBe(1)
  })
})
