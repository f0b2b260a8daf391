// Turns a bearer token into its principal.
import type { TokenPrincipal } from "../core/principal.ts"
import type { Clock } from "../io/clock.ts"
import { sha256 } from "../io/ids.ts"
import { createRevisionCache } from "../store/revision-cache.ts"
import type { Store } from "../store/store.ts"
import type { AccessReader, Actor } from "./access.ts"
import { isAccessOver } from "./consent/secrets.ts"
import { createLastSeen } from "./last-seen.ts"

export type Authenticate = (token: string) => Promise<TokenPrincipal | null>

const cachedMax = 1000
const tokenCharsMax = 256

/** Whose token it is, is kept while the store's revision stands: a revoked token is refused at the next request. */
export function createAuthenticate(store: Store, access: AccessReader, clock: Clock): Authenticate {
  const owners = createRevisionCache<Actor | null>(store, cachedMax, (actor) => actor !== null)
  const isSeen = createLastSeen({ store, clock })
  const principals = new WeakMap<object, TokenPrincipal>()
  return async (token) => {
    if (token === "" || token.length > tokenCharsMax || isAccessOver(token, clock.now())) return null
    const hash = sha256(token)
    const actor = await owners(hash, () => find(hash, store))
    const found = actor === null ? null : await access.of(actor)
    if (found === null || found.token === null) return null
    // A service account acts through agents alone, whatever is written of its tokens.
    if (found.isService && found.principal.kind === "human") return null
    isSeen(found.principal)
    // The same object until something changes, because others cache by it.
    const { elicitation, surface } = found.token
    const known = principals.get(found) ?? { ...found.principal, elicitation, surface }
    principals.set(found, known)
    return known
  }
}

async function find(hash: string, store: Store): Promise<Actor | null> {
  const row = await store.tokens.findByHash(hash)
  return row === null ? null : { tenant: row.tenant, user: row.user, tokenId: row.id }
}
