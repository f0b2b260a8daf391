// When somebody was last here: written now and then while their sessions and tokens are used.
import { LruMap } from "../core/lru-map.ts"
import type { Scope } from "../core/principal.ts"
import type { Clock } from "../io/clock.ts"
import type { Store } from "../store/store.ts"

const writtenEveryMs = 5 * 60_000
const usersMax = 2000

/** Nobody waits for it, and nothing fails by it: what cannot be written now is written by a later use. */
export function createLastSeen({ store, clock }: { readonly store: Pick<Store, "users">; readonly clock: Clock }): (user: Scope) => void {
  const written = new LruMap<string, number>(usersMax)
  return ({ tenant, user }) => {
    const now = clock.now()
    const key = JSON.stringify([tenant, user])
    const before = written.get(key)
    if (before !== undefined && now.getTime() - before < writtenEveryMs) return
    written.set(key, now.getTime())
    store.users.seen({ tenant, user }, now.toISOString()).catch(() => written.set(key, Number.NEGATIVE_INFINITY))
  }
}
