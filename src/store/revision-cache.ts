// Keeps what was read from the store as long as the store's revision stands.
import { LruMap } from "../core/lru-map.ts"
import type { Store } from "./store.ts"

/** Answers what is kept under the key, and otherwise reads it. Callers that come at the same time share one read. */
export type RevisionCache<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>

/** What fails, what `isKept` leaves out, and what was read while the revision moved is read again by the next caller. */
export function createRevisionCache<Value>(
  store: Pick<Store, "revision">,
  sizeMax: number,
  isKept: (value: Value) => boolean = () => true,
): RevisionCache<Value> {
  const kept = new LruMap<string, Promise<Value>>(sizeMax)
  const underWay = new Map<string, Promise<Value>>()
  let revision = store.revision()
  return (key, read) => {
    const now = store.revision()
    if (now !== revision) {
      kept.clear()
      underWay.clear()
      revision = now
    }
    const known = kept.get(key) ?? underWay.get(key)
    if (known !== undefined) return known
    const reading = read()
    const isDone = (): void => {
      if (underWay.get(key) === reading) underWay.delete(key)
    }
    underWay.set(key, reading)
    reading.then((value) => {
      isDone()
      if (isKept(value) && store.revision() === now) void kept.set(key, reading)
    }, isDone)
    return reading
  }
}
