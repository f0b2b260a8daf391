// The conformance suite of the sandbox port: every implementation runs it, and passes all of it.
import { afterAll, beforeAll, describe } from "vitest"
import type { Sandbox } from "./sandbox.ts"
import { testCalls } from "./testing-calls.ts"
import { testCode } from "./testing-code.ts"
import { testEnvelopes } from "./testing-envelopes.ts"
import { testErrors } from "./testing-errors.ts"
import { testGlobals } from "./testing-globals.ts"
import { testLocale } from "./testing-locale.ts"
import { testMessages } from "./testing-messages.ts"
import { testOutput } from "./testing-output.ts"
import { testPauses } from "./testing-pauses.ts"
import { testReplay } from "./testing-replay.ts"
import { testResults } from "./testing-results.ts"
import { testTime } from "./testing-time.ts"
import { testUnawaited } from "./testing-unawaited.ts"

/** Tests share one sandbox, as executions do. */
export function testSandbox(name: string, open: () => Sandbox): void {
  describe(name, () => {
    let opened: Sandbox | null = null
    beforeAll(() => {
      opened = open()
    })
    afterAll(async () => {
      await opened?.close()
    })
    const use = (): Sandbox => {
      if (!opened) throw new Error("The sandbox is open while tests run")
      return opened
    }

    testCode(use)
    testEnvelopes(use)
    testErrors(use)
    testMessages(use)
    testResults(use)
    testCalls(use)
    testUnawaited(use)
    testOutput(use)
    testGlobals(use)
    testLocale(use)
    testTime(use)
    testPauses(use)
    testReplay(use)
  })
}
