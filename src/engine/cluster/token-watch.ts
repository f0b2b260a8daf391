// Ends what runs here in the name of somebody who may act no longer, wherever that was decided.
//
// Whoever revokes a token or disables a user cancels what they left in the store and on their own node. What another node
// runs is asked for at the gate before each call that its code makes, and here at every tick for code that calls nothing.
import type { AccessReader } from "../../identity/access.ts"
import { Cancellation } from "../executions/run-registry.ts"
import type { RunRegistry } from "../executions/run-registry.ts"

export async function endRevoked(parts: { readonly runs: RunRegistry; readonly access: AccessReader }): Promise<void> {
  for (const live of parts.runs.all()) if ((await parts.access.of(live)) === null) live.abort.abort(new Cancellation("revocation"))
}
