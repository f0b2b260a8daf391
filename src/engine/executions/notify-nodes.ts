// Tells the other nodes that something was done to an execution that may run there.
import type { EngineParts } from "../engine-parts.ts"

/** Nobody waits for it: whoever is not reached finds out later. */
export function notifyNodes(id: string, parts: EngineParts): void {
  parts.executions.signals
    .notify(id)
    .catch((error: unknown) =>
      parts.log.warn({ executionId: id, error: String(error) }, "The other nodes could not be notified of an execution"),
    )
}
