// Records when a user was last active, every few minutes while their sessions or tokens are used.
import { LruMap } from "../core/lru-map.ts"
import type { Scope } from "../core/principal.ts"
import type { Clock } from "../io/clock.ts"
import type { Store } from "../store/store.ts"

const writtenEveryMs = 5 * 60_000
const usersMax = 2000

/** Nobody waits for the write, and its failure is no error: the next use writes again. */
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
