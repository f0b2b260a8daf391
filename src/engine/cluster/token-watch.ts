// Checks whether the token behind an execution still exists, however long ago the execution started.
//
// Whoever revokes a token cancels what it left in the store and on their own node. What another node runs asks here:
// before each call that its code makes, and at every tick for code that calls nothing.
import { LruMap } from "../../core/lru-map.ts"
import type { Principal } from "../../core/principal.ts"
import type { Store } from "../../store/store.ts"
import { Cancellation } from "../executions/run-registry.ts"
import type { RunRegistry } from "../executions/run-registry.ts"

export type TokenWatch = {
  isRevoked(who: Pick<Principal, "tenant" | "user" | "tokenId">): Promise<boolean>
}

const keptMax = 1000

/** Answers are kept while the store's revision stands, because every call asks. */
export function createTokenWatch(store: Store): TokenWatch {
  let revision = store.revision()
  const kept = new LruMap<string, boolean>(keptMax)
  return {
    async isRevoked({ tenant, user, tokenId }) {
      if (tokenId === null) return false
      const now = store.revision()
      if (now !== revision) kept.clear()
      revision = now
      const key = JSON.stringify([tenant, user, tokenId])
      const known = kept.get(key)
      if (known !== undefined) return known
      const isRevoked = (await store.tokens.get({ tenant, user }, tokenId)) === null
      return store.revision() === now ? kept.set(key, isRevoked) : isRevoked
    },
  }
}

/** Cancels what runs here for tokens that were revoked elsewhere. */
export async function endRevoked(parts: { readonly runs: RunRegistry; readonly tokenWatch: TokenWatch }): Promise<void> {
  for (const live of parts.runs.all()) if (await parts.tokenWatch.isRevoked(live)) live.abort.abort(new Cancellation("revocation"))
}
