// Ends what runs here in the name of somebody who may act no longer, wherever that was decided.
//
// Whoever revokes a token or disables a user cancels what they left in the store and on their own node. What another node
// runs is asked for at the gate before each call that its code makes, and here for code that calls nothing or waits for an
// answer: as soon as the store's revision has moved, and at every tick for tokens that expire.
import type { AccessReader } from "../../identity/access.ts"
import type { Log } from "../../io/log.ts"
import type { Store } from "../../store/store.ts"
import { Cancellation } from "../executions/run-registry.ts"
import type { RunRegistry } from "../executions/run-registry.ts"

export async function endRevoked(parts: { readonly runs: RunRegistry; readonly access: AccessReader }): Promise<void> {
  for (const live of parts.runs.all()) if ((await parts.access.of(live)) === null) live.abort.abort(new Cancellation("revocation"))
}

const lookMs = 250

type WatchParts = Parameters<typeof endRevoked>[0] & { readonly store: Pick<Store, "revision">; readonly log: Log }

/** Answers how to stop. */
export function watchRevision(parts: WatchParts): () => void {
  let seen = parts.store.revision()
  const look = async (): Promise<void> => {
    if (parts.runs.all().length === 0) return
    const now = parts.store.revision()
    if (now === seen) return
    await endRevoked(parts)
    seen = now
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      parts.log.warn({ error: String(error) }, "Who may still act could not be looked up; it will be retried"),
    )
  }, lookMs).unref()
  return () => clearInterval(timer)
}
