// Opens sandboxes for a test, and closes them when it is over.
import { tmpdir } from "node:os"
import { afterEach } from "vitest"
import type { Limits } from "../../../core/limits.ts"
import { withLimits } from "../../../core/limits.ts"
import { systemClock } from "../../../io/clock.ts"
import { silentLog } from "../../../io/log.ts"
import type { Sandbox } from "../../sandbox.ts"
import type { QuickJsSandboxOptions } from "../sandbox.ts"
import { createQuickJsSandbox } from "../sandbox.ts"

export function sandboxOpener(spillDir: string = tmpdir()): (limits?: Partial<Limits>, options?: QuickJsSandboxOptions) => Sandbox {
  let opened: Sandbox[] = []
  afterEach(async () => {
    await Promise.all(opened.map((sandbox) => sandbox.close()))
    opened = []
  })
  return (limits = {}, options = {}) => {
    const sandbox = createQuickJsSandbox({ limits: withLimits(limits), clock: systemClock, log: silentLog, spillDir }, options)
    opened.push(sandbox)
    return sandbox
  }
}
