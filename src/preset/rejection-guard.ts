// Keeps a server with plugins alive when a handler forgets a promise that is then rejected.
//
// Node ends the process for that, and with it everybody's calls. Nothing of ours depends on such a promise, so it is
// logged instead. An exception that nobody caught still ends the process: what it interrupted is not known.
import type { Log } from "../io/log.ts"

export function guardRejections(log: Log): { release(): void } {
  const note = (reason: unknown): void =>
    log.error(
      { error: reason instanceof Error ? reason.stack : String(reason) },
      "Unhandled promise rejection; a plugin may have forgotten to await a promise",
    )
  process.on("unhandledRejection", note)
  return { release: () => void process.off("unhandledRejection", note) }
}
