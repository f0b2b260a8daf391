// Tests that principals which compute for long, or fill their memory, keep nobody else waiting.
import { describe, expect, test } from "vitest"
import type { Sandbox, SandboxAnswer } from "../../sandbox.ts"
import { after, createLedgerHost, envelope, failureOf, resultOf, runWith } from "../../testing/host.ts"
import { sandboxOpener } from "../testing/open.ts"

const open = sandboxOpener()

describe("the slow lane", () => {
  /** Short runs, without an end: while they wait, whoever computes is moved. */
  function keepBusy(sandbox: Sandbox): { stop(): Promise<void> } {
    const state = { isOver: false }
    const light = async (): Promise<void> => {
      while (!state.isOver) expect(resultOf(await runWith(sandbox, "return 1", createLedgerHost(), { principal: "light" }))).toBe(1)
    }
    const runs = light()
    return {
      async stop() {
        state.isOver = true
        await runs
      },
    }
  }
  const computing = "for (let i = 0, n = 0; i < 1e6; i++) n += i % 7;"

  test("an answer does not wait for the loops of another principal", async () => {
    const sandbox = open({ executionCpuMs: 10_000 }, { workers: 1 })
    const light = keepBusy(sandbox)
    const gate = Promise.withResolvers<SandboxAnswer>()
    const host = createLedgerHost(() => gate.promise)
    const goods = [1, 2, 3].map(() => runWith(sandbox, `${computing} return (await tools.t({})).data`, host, { principal: "good" }))
    await expect.poll(() => host.calls.length).toBe(3)
    const { moved } = sandbox.stats()
    const controller = new AbortController()
    let ended = 0
    const loops = [1, 2, 3, 4].map(async () => {
      await runWith(sandbox, "while (true) {}", createLedgerHost(), { principal: "bad", signal: controller.signal })
      ended += 1
    })
    // As many as one principal may have threads there; the others wait for their share of the fast one.
    await expect.poll(() => sandbox.stats().moved).toBeGreaterThanOrEqual(moved + 2)
    gate.resolve(envelope("open"))
    expect((await Promise.all(goods)).map(resultOf)).toEqual(["open", "open", "open"])
    expect(ended).toBe(0)
    controller.abort()
    await Promise.all([...loops, light.stop()])
  })

  test("many principals that compute and call at once all come to their end, beside loops that do not", async () => {
    const sandbox = open({ executionCpuMs: 500 }, { workers: 1 })
    const light = keepBusy(sandbox)
    const host = createLedgerHost(() => after(5, envelope(1)))
    const code = `${computing} await tools.t({}); ${computing} return 1`
    const goods = Array.from({ length: 5 }, (_, n) => runWith(sandbox, code, host, { principal: `good ${n}` }))
    const loops = Array.from({ length: 4 }, (_, n) =>
      runWith(sandbox, "while (true) {}", createLedgerHost(), { principal: `bad ${n % 2}` }),
    )
    expect((await Promise.all(goods)).map(resultOf)).toEqual(goods.map(() => 1))
    expect(new Set((await Promise.all(loops)).map((outcome) => failureOf(outcome).code))).toEqual(new Set(["cpu_limit"]))
    await light.stop()
    expect(host.calls).toHaveLength(5)
  })

  test("a principal whose runs fill their memory leaves the fast threads to the others", async () => {
    const sandbox = open({}, { workers: 1 })
    const bomb = "const all = []; for (;;) all.push(new ArrayBuffer(1e6))"
    const good = () => runWith(sandbox, "return 1", createLedgerHost(), { principal: "good" })
    const bad = () => runWith(sandbox, bomb, createLedgerHost(), { principal: "bad" })
    expect(resultOf(await good())).toBe(1)
    const first = await bad()
    const [bombs, goods] = await Promise.all([Promise.all([1, 2, 3, 4, 5, 6].map(bad)), Promise.all([1, 2, 3, 4, 5, 6].map(good))])
    expect([first, ...bombs].map((outcome) => failureOf(outcome).code)).toEqual(Array(7).fill("memory_limit"))
    expect(goods.map(resultOf)).toEqual(goods.map(() => 1))
    expect(sandbox.stats()).toMatchObject({ running: 0, queued: 0 })
    expect(sandbox.stats().workers).toBeGreaterThan(1)
  })

  test("threads that nobody needs any more are ended", async () => {
    const sandbox = open({ executionCpuMs: 300 }, { workers: 1 })
    const { workers } = sandbox.stats()
    const light = keepBusy(sandbox)
    const outcome = await runWith(sandbox, "while (true) {}", createLedgerHost(), { principal: "bad" })
    expect(failureOf(outcome).code).toBe("cpu_limit")
    expect(sandbox.stats().workers).toBeGreaterThan(workers)
    await light.stop()
    await expect.poll(() => sandbox.stats().workers).toBe(workers)
    expect(resultOf(await runWith(sandbox, `${computing} return 2`, createLedgerHost(), { principal: "bad" }))).toBe(2)
  })
})
