// Notices when what clients were shown is no longer true.
import type { Inventory } from "../../core/inventory.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Principal } from "../../core/principal.ts"
import { sha256 } from "../../io/ids.ts"
import type { Log } from "../../io/log.ts"

export type ListWatch = {
  /** Remembers what this principal was shown. */
  note(principal: Principal, inventory: Inventory): void
  stop(): void
}

export type ListWatchParts = {
  revision(): string
  inventory(principal: Principal): Promise<Inventory>
  /** Called with whether a principal's inventory is another than the one they were shown. */
  onChange(isChanged: (principal: Principal) => boolean): void
  readonly log: Log
}

const lookMs = 1000
const principalsMax = 200

export function createListWatch(parts: ListWatchParts): ListWatch {
  const shown = new Map<string, { readonly principal: Principal; hash: string }>()
  const order = new LruMap<string, true>(principalsMax)
  let revision = parts.revision()
  let isLooking = false

  const look = async (): Promise<void> => {
    const now = parts.revision()
    if (now === revision || isLooking) return
    isLooking = true
    try {
      revision = now
      const changed = new Set<string>()
      for (const [key, entry] of shown) {
        const hash = hashOf(await parts.inventory(entry.principal))
        if (hash !== entry.hash) changed.add(key)
        entry.hash = hash
      }
      if (changed.size > 0) parts.onChange((principal) => changed.has(keyOf(principal)))
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => parts.log.warn({ error: String(error) }, "The inventory could not be compared"))
  }, lookMs).unref()

  return {
    note(principal, inventory) {
      const key = keyOf(principal)
      order.set(key, true)
      shown.set(key, { principal, hash: hashOf(inventory) })
      for (const known of shown.keys()) {
        if (shown.size <= principalsMax) break
        if (order.get(known) === undefined) shown.delete(known)
      }
    },
    stop: () => clearInterval(timer),
  }
}

const keyOf = ({ tenant, user }: Principal): string => `${tenant}\0${user}`
const hashOf = (inventory: Inventory): string => sha256(JSON.stringify(inventory))
