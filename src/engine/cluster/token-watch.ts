// Checks whether the token behind an execution still exists, however long ago the execution started.
//
// Whoever revokes a token cancels what it left in the store and on their own node. What another node runs asks here:
// before each call that its code makes, and at every tick for code that calls nothing.
import type { Principal } from "../../core/principal.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import type { Store } from "../../store/store.ts"
import { Cancellation } from "../executions/run-registry.ts"
import type { RunRegistry } from "../executions/run-registry.ts"

export type TokenWatch = {
  isRevoked(who: Pick<Principal, "tenant" | "user" | "tokenId">): Promise<boolean>
}

const keptMax = 1000

/** Answers are kept while the store's revision stands, because every call asks. */
export function createTokenWatch(store: Store): TokenWatch {
  const cache = createRevisionCache<boolean>(store, keptMax)
  return {
    isRevoked({ tenant, user, tokenId: id }) {
      if (id === null) return Promise.resolve(false)
      return cache(JSON.stringify([tenant, user, id]), async () => (await store.tokens.get({ tenant, user }, id)) === null)
    },
  }
}

/** Cancels what runs here for tokens that were revoked elsewhere. */
export async function endRevoked(parts: { readonly runs: RunRegistry; readonly tokenWatch: TokenWatch }): Promise<void> {
  for (const live of parts.runs.all()) if (await parts.tokenWatch.isRevoked(live)) live.abort.abort(new Cancellation("revocation"))
}
