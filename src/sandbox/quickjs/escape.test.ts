// Runs the attempts to escape, and looks for what executions might leave to each other.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { withLimits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import { silentLog } from "../../io/log.ts"
import { escapeAttempts, leftovers, traces } from "../testing/escape-attempts.ts"
import type { Sandbox } from "../sandbox.ts"
import { createLedgerHost, envelope, failure, runWith } from "../testing/host.ts"
import type { Script } from "../testing/host.ts"
import { tmpdir } from "node:os"
import { createQuickJsSandbox } from "./sandbox.ts"

const script: Script = (call) => (call.path === "missing" ? failure("tool_not_found", "No such tool") : envelope({ a: 1 }))

/** All that a caller, a log or an answer could show of a run. */
async function shown(sandbox: Sandbox, code: string): Promise<string> {
  const host = createLedgerHost(script)
  const outcome = await runWith(sandbox, code, host)
  return JSON.stringify([outcome, host.outputs, host.calls])
}

describe("escape", () => {
  let sandbox: Sandbox

  beforeAll(() => {
    process.env["PLANTED"] = "planted-secret"
    Reflect.set(globalThis, "planted", "planted-secret")
    // One worker with one instance: every execution gets the memory of the one before.
    sandbox = createQuickJsSandbox(
      { limits: withLimits({ executionCpuMs: 600 }), clock: systemClock, log: silentLog, spillDir: tmpdir() },
      { workers: 1, instancesPerWorker: 1 },
    )
  })
  afterAll(async () => {
    await sandbox.close()
    delete process.env["PLANTED"]
    Reflect.deleteProperty(globalThis, "planted")
  })

  for (const { name, code } of escapeAttempts) {
    test(`not through ${name}`, async () => {
      const text = await shown(sandbox, code)
      for (const trace of traces) expect(text).not.toMatch(trace)
    })
  }

  for (const { name, leave, look } of leftovers) {
    test(`nothing is left in ${name}`, async () => {
      const clean = await runWith(sandbox, look, createLedgerHost(script))
      await runWith(sandbox, leave, createLedgerHost(script), { wallMs: 5000 })
      const after = await runWith(sandbox, look, createLedgerHost(script))
      expect({ ...after, report: null }).toEqual({ ...clean, report: null })
      expect(JSON.stringify(after)).not.toContain("planted-secret")
    })
  }

  test("the attempts do run", async () => {
    expect(await shown(sandbox, "return 'ESCAPED'")).toMatch(/ESCAPED/)
  })
})
