// Concurrency groups that count on all nodes: the tickets are rows, and each node knows which of its calls wait.
//
// A call takes a ticket and looks how many are before it; takes of one group go one after the other, so that calls keep
// the order in which they came. While calls wait here, the node looks again when one of its own has left the group, when
// another node says that one of its has, and now and then, because a node that died says nothing. One look answers for
// all calls of a group. A ticket that was lost, as this node was not heard of for longer than its lease, is taken again.
import { newId } from "../../io/ids.ts"
import type { PlaceGroup, PlaceId } from "../../store/place-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { newLease } from "../executions/lease.ts"
import type { PlaceQueue, Places, Ticket } from "../gate/places.ts"

export type SharedPlaces = Places & {
  /** Prolongs what this node holds, frees what could not be freed before, and looks whether others have left. */
  renew(): Promise<void>
  /** Frees everything that this node holds, as it ends. */
  close(): Promise<void>
}

type SharedParts = Pick<EngineParts, "executions" | "node" | "leaseMs" | "clock" | "log"> & {
  readonly limits: Pick<EngineParts["limits"], "callPlacesWaitingMax">
}

type Waiter = {
  readonly max: number
  place: PlaceId
  /** Its ticket is there, or there is none; it never rejects. */
  taken: Promise<void>
  ahead: number
  settle(outcome: Promise<"admitted"> | "admitted" | "full"): void
  onWait(ahead: number): void
}

type Group = PlaceGroup & {
  /** Those that may not start yet, with a ticket or on the way to one. */
  readonly waiting: Set<Waiter>
  /** The last take that was begun. */
  taking: Promise<void>
  look: "none" | "under way" | "under way, and wanted again"
}

const lookEveryMs = 1000
const keyOf = ({ tenant, group }: PlaceGroup): string => `group:${JSON.stringify([tenant, group])}`

export function createSharedPlaces(parts: SharedParts): SharedPlaces {
  const { node, clock, log } = parts
  const { places: rows, signals } = parts.executions
  /** Those that calls wait in. */
  const groups = new Map<string, Group>()
  const held = new Set<Waiter>()
  /** Places whose ticket is known to be in the store. */
  const tickets = new WeakSet<PlaceId>()
  /** Left by their calls while the store could not be reached. */
  const unreleased = new Set<PlaceId>()
  let stopWatching: (() => void) | null = null
  const now = (): string => clock.now().toISOString()

  function watch(): void {
    if (groups.size === 0) {
      stopWatching?.()
      stopWatching = null
    } else if (stopWatching === null) {
      const timer = setInterval(() => void lookAt(null), lookEveryMs)
      const stopListening = signals.listen(lookAt)
      stopWatching = () => {
        clearInterval(timer)
        stopListening()
      }
    }
  }

  /** Null: at all of them. */
  async function lookAt(key: string | null): Promise<void> {
    const one = key === null ? undefined : groups.get(key)
    const wanted = key === null ? [...groups.values()] : one === undefined ? [] : [one]
    await Promise.all(wanted.map(look))
  }

  async function look(group: Group): Promise<void> {
    if (group.look !== "none") {
      group.look = "under way, and wanted again"
      return
    }
    try {
      do {
        group.look = "under way"
        const looked = [...group.waiting].filter((waiter) => tickets.has(waiter.place))
        if (looked.length > 0) settle(group, looked, await rows.ahead(group, node, now()))
      } while (isWantedAgain(group))
    } catch (error) {
      log.warn(
        { group: group.group, error: String(error) },
        "The places of a concurrency group could not be read; they are read again soon",
      )
    } finally {
      group.look = "none"
    }
  }

  function settle(group: Group, looked: readonly Waiter[], ahead: ReadonlyMap<string, number>): void {
    for (const waiter of looked) {
      if (!group.waiting.has(waiter)) continue
      const before = ahead.get(waiter.place.id)
      if (before === undefined) take(group, waiter)
      else if (before < waiter.max) end(group, waiter, "admitted")
      else if (waiter.ahead === 0 && before >= waiter.max + parts.limits.callPlacesWaitingMax) end(group, waiter, "full")
      else if (before !== waiter.ahead) {
        waiter.ahead = before
        waiter.onWait(before)
      }
    }
  }

  function end(group: Group, waiter: Waiter, outcome: Promise<"admitted"> | "admitted" | "full"): void {
    stopWaiting(group, waiter)
    waiter.settle(outcome)
  }

  function stopWaiting(group: Group, waiter: Waiter): void {
    group.waiting.delete(waiter)
    // Those that came after the last one of it had begun are in another one.
    if (group.waiting.size > 0 || groups.get(keyOf(group)) !== group) return
    groups.delete(keyOf(group))
    watch()
  }

  /** Under a new id, because the row of a ticket that was lost may still be there. */
  function take(group: Group, waiter: Waiter): void {
    const place = { tenant: group.tenant, group: group.group, id: newId("place") }
    waiter.place = place
    waiter.taken = group.taking = group.taking.then(async () => {
      if (!held.has(waiter)) return
      try {
        await rows.take(place, newLease(parts), now())
        tickets.add(place)
        void look(group)
      } catch (error) {
        end(group, waiter, Promise.reject(error))
      }
    })
  }

  async function release(place: PlaceId): Promise<void> {
    try {
      const isUsedElsewhere = await rows.release(place, node)
      unreleased.delete(place)
      if (isUsedElsewhere) await signals.notify(keyOf(place))
    } catch (error) {
      unreleased.add(place)
      log.warn({ group: place.group, error: String(error) }, "A place in a concurrency group could not be freed; it will be tried again")
    }
    await lookAt(keyOf(place))
  }

  function join(of: PlaceGroup, max: number, onWait: (ahead: number) => void): Ticket {
    const group = groups.get(keyOf(of)) ?? { ...of, waiting: new Set(), taking: Promise.resolve(), look: "none" as const }
    const { promise, resolve } = Promise.withResolvers<"admitted" | "full">()
    const waiter: Waiter = { place: { ...of, id: "" }, max, taken: group.taking, ahead: 0, settle: resolve, onWait }
    groups.set(keyOf(of), group)
    group.waiting.add(waiter)
    held.add(waiter)
    watch()
    take(group, waiter)
    return {
      admitted: promise,
      leave() {
        if (!held.delete(waiter)) return
        stopWaiting(group, waiter)
        // One that could not be taken is perhaps there all the same.
        void waiter.taken.then(() => release(waiter.place))
      },
    }
  }

  return {
    group: (tenant, group): PlaceQueue => ({ join: (max, onWait) => join({ tenant, group }, max, onWait) }),
    async renew() {
      for (const place of unreleased) await release(place)
      if (held.size > 0) await rows.renew(newLease(parts), now())
      await lookAt(null)
    },
    async close() {
      groups.clear()
      watch()
      await rows.releaseAll(node)
    },
  }
}

const isWantedAgain = (group: Group): boolean => group.look === "under way, and wanted again"
