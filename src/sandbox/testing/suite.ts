// The conformance suite of the sandbox port: every implementation runs it, and passes all of it.
import { afterAll, beforeAll, describe } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { testCalls } from "./calls.ts"
import { testCode } from "./code.ts"
import { testEnvelopes } from "./envelopes.ts"
import { testErrors } from "./errors.ts"
import { testGlobals } from "./globals.ts"
import { testLocale } from "./locale.ts"
import { testMessages } from "./messages.ts"
import { testOutput } from "./output.ts"
import { testPauses } from "./pauses.ts"
import { testPrograms } from "./programs.ts"
import { testReplay } from "./replay.ts"
import { testResults } from "./results.ts"
import { testTime } from "./time.ts"
import { testUnawaited } from "./unawaited.ts"

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
    testPrograms(use)
  })
}
