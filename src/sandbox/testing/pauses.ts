// Calls that wait for a human: when a run pauses, what it says, and how it goes on.
import { describe, expect, test } from "vitest"
import type { Sandbox, SandboxAnswer, SandboxOutcome, SettleEvent } from "../sandbox.ts"
import { after, createLedgerHost, envelope, failure, newRun, pending, resultOf, runWith } from "./host.ts"

const pendingPaths = (path: string): boolean => path.startsWith("pay")

/** Runs, and each time it pauses answers the pending calls, until it ends. */
async function throughPauses(sandbox: Sandbox, code: string, answer: (path: string) => SandboxAnswer) {
  const run = newRun(code)
  const answered = new Map<string, SandboxAnswer>()
  const started: string[] = []
  let replay: SettleEvent[] = []
  let pauses = 0
  for (;;) {
    const host = createLedgerHost((call) => {
      const given = answered.get(call.key)
      if (given) return given
      if (pendingPaths(call.path)) return pending
      started.push(call.path)
      return answer(call.path)
    })
    const outcome: SandboxOutcome = await sandbox.run({ ...run, replay }, host)
    replay = [...replay, ...host.events]
    if (outcome.status !== "waiting") return { outcome, pauses, started, events: replay }
    pauses += 1
    for (const key of outcome.pending) answered.set(key, envelope("approved"))
  }
}

export function testPauses(use: () => Sandbox): void {
  describe("pauses", () => {
    test("a run that only a human can move ends as waiting", async () => {
      const host = createLedgerHost(() => pending)
      const outcome = await runWith(use(), "return await tools.pay({})", host)
      expect(outcome).toMatchObject({ status: "waiting", pending: [host.calls[0]?.key] })
      expect(host.events).toEqual([])
    })

    test("all that are pending at that moment are one pause", async () => {
      const host = createLedgerHost((call) => (pendingPaths(call.path) ? pending : after(20, envelope(1))))
      const outcome = await runWith(
        use(),
        "return await Promise.all([tools.pay1({}), tools.read({}), tools.pay2({}), tools.pay3({})])",
        host,
      )
      expect(outcome.status === "waiting" && outcome.pending).toEqual(
        host.calls.filter((call) => pendingPaths(call.path)).map((call) => call.key),
      )
    })

    test("it goes on while anything else can move it", async () => {
      const host = createLedgerHost((call) => (pendingPaths(call.path) ? pending : after(10, envelope(1))))
      const code =
        "const p = tools.pay({}); await tools.a({}); await new Promise((r) => setTimeout(r, 10)); await tools.b({}); return await p"
      expect((await runWith(use(), code, host)).status).toBe("waiting")
      expect(host.calls.map((call) => call.path)).toEqual(["pay", "a", "b"])
    })

    test("it does not wait at all when the pending call is not needed", async () => {
      const host = createLedgerHost((call) => (pendingPaths(call.path) ? pending : envelope("fast")))
      expect(resultOf(await runWith(use(), "return (await Promise.race([tools.pay({}), tools.a({})])).data", host))).toBe("fast")
    })

    test("an armed timeout keeps it running, an interval does not", async () => {
      const host = createLedgerHost(() => pending)
      const timed = "return await Promise.race([tools.pay({}), new Promise((r) => setTimeout(() => r('late'), 20))])"
      expect(resultOf(await runWith(use(), timed, host))).toBe("late")
      const repeated = "setInterval(() => {}, 5); return await tools.pay({})"
      expect((await runWith(use(), repeated, host)).status).toBe("waiting")
    })

    test("pending calls free their place for others", async () => {
      const host = createLedgerHost((call) => (pendingPaths(call.path) ? pending : envelope(1)))
      const code =
        "const pays = Array.from({ length: 40 }, (_, i) => tools.pay({ i })); await Promise.all(Array.from({ length: 40 }, (_, i) => tools.read({ i }))); return await Promise.all(pays)"
      const outcome = await runWith(use(), code, host)
      expect(outcome.status === "waiting" && outcome.pending.length).toBe(40)
    })

    test("resuming brings it to the end, without asking again what was answered", async () => {
      const code = `
        const before = (await tools.read({ n: 1 })).data
        const paid = (await tools.pay({ n: 2 })).data
        const again = (await tools.pay({ n: 3 })).data
        return [before, paid, again, (await tools.read({ n: 4 })).data]`
      const { outcome, pauses, started } = await throughPauses(use(), code, (path) => envelope(path))
      expect(resultOf(outcome)).toEqual(["read", "approved", "approved", "read"])
      expect(pauses).toBe(2)
      expect(started).toEqual(["read", "read"])
    })

    test("a decline reaches the code", async () => {
      const first = createLedgerHost(() => pending)
      const run = newRun("const r = await tools.pay({}); return [r.ok, r.error.code]")
      await use().run(run, first)
      const second = createLedgerHost(() => failure("approval_declined", "The human said no"))
      expect(resultOf(await use().run({ ...run, replay: first.events }, second))).toEqual([false, "approval_declined"])
    })

    test("logs of the first part are in the report again, and are not told twice", async () => {
      const run = newRun("console.log('before'); emit(1); await tools.pay({}); console.log('after')")
      const first = createLedgerHost(() => pending)
      await use().run(run, first)
      expect(first.outputs).toHaveLength(2)
      const second = createLedgerHost()
      const outcome = await use().run({ ...run, replay: first.events, outputsSeen: 2 }, second)
      expect(outcome.report.logs.map((line) => line.text)).toEqual(["before", "after"])
      expect(outcome.report.emitted).toEqual(["1"])
      expect(second.outputs).toEqual([{ kind: "log", line: { level: "log", text: "after" } }])
    })
  })
}
