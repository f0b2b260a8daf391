// A sandbox whose threads start with the first run, so that listing tools does not pay for them.
import type { Sandbox } from "../sandbox/sandbox.ts"

export function lazySandbox(create: () => Sandbox): Sandbox {
  let sandbox: Sandbox | null = null
  return {
    run(run, host) {
      sandbox ??= create()
      return sandbox.run(run, host)
    },
    stats: () => sandbox?.stats() ?? { workers: 0, queued: 0, running: 0, moved: 0, terminated: 0, residentBytes: 0, spilledBytes: 0 },
    close: () => sandbox?.close() ?? Promise.resolve(),
  }
}
