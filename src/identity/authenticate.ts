// Turns a bearer token into its principal.
import type { TokenPrincipal } from "../core/principal.ts"
import type { ElicitationMode } from "../core/token.ts"
import { sha256 } from "../io/ids.ts"
import { createRevisionCache } from "../store/revision-cache.ts"
import type { Store } from "../store/store.ts"

export type Authenticate = (token: string) => Promise<TokenPrincipal | null>

const cachedMax = 1000
const tokenCharsMax = 256

/** Principals are kept while the store's revision stands: a revoked token is refused at the next request. */
export function createAuthenticate(store: Store): Authenticate {
  const cache = createRevisionCache<TokenPrincipal | null>(store, cachedMax, (principal) => principal !== null)
  return (token) => {
    if (token === "" || token.length > tokenCharsMax) return Promise.resolve(null)
    const hash = sha256(token)
    return cache(hash, () => find(hash, store))
  }
}

async function find(hash: string, store: Store): Promise<TokenPrincipal | null> {
  const row = await store.tokens.findByHash(hash)
  if (row === null) return null
  const user = await store.tenants.user(row)
  if (user === null) return null
  const elicitation = JSON.parse(row.elicitation) as ElicitationMode[] // written by `newToken`
  return { tenant: row.tenant, user: row.user, roles: user.roles, kind: row.kind, tokenId: row.id, elicitation }
}
