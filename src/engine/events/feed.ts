// The latest events of all tenants in order, of which each reader reads on from where it is.
//
// Readers share the one buffer, so that a slow one costs nothing: what it did not read in time is gone, and it learns that.
import type { ApprovalChangeType, ChangeType, ExecutionChangeType } from "../../core/console/live-event.ts"
import type { ExecutionStatus } from "../../core/execution.ts"
import { newId } from "../../io/ids.ts"

/** An event before it is known who may be told. */
export type FeedItem = { readonly id: string; readonly tenant: string } & FeedChange

export type FeedChange =
  | ({ readonly type: ExecutionChangeType; readonly executionId?: string; readonly status?: ExecutionStatus } & Owned)
  | ({ readonly type: ApprovalChangeType; readonly approvalId: string; readonly executionId: string | null } & Owned)
  | { readonly type: ChangeType; readonly action: string; readonly subject: string; readonly user: string }

export type Owned = { readonly user: string; readonly tokenId: string | null }

export type Feed = {
  add(items: readonly FeedItem[]): void
  /** Events were lost on their way here: every reader reads anew. */
  miss(): void
  /** Where a reader begins; `isWhole`: nothing since the event that it names was lost. */
  begin(after: string | undefined): { readonly place: number; readonly id: string; readonly isWhole: boolean }
  /** Null: nothing yet. */
  take(place: number): { readonly kind: "item"; readonly item: FeedItem } | { readonly kind: "lost"; readonly place: number } | null
  /** The id of the last one. */
  lastId(): string
  /** Calls back once, at the next event. Answers how not to be. */
  whenMore(wake: () => void): () => void
}

/** Some minutes of a busy server: whoever comes back later reads anew. */
const itemsMax = 5000

export function createFeed(sizeMax: number = itemsMax): Feed {
  let items: FeedItem[] = []
  let firstPlace = 0
  let start = { id: newId("evt"), place: 0 }
  const waiting = new Set<() => void>()
  const end = (): number => firstPlace + items.length
  const lastId = (): string => items.at(-1)?.id ?? start.id
  const wakeAll = (): void => {
    const woken = [...waiting]
    waiting.clear()
    woken.forEach((wake) => wake())
  }

  return {
    add(more) {
      items.push(...more)
      // Cut seldom, because it copies.
      if (items.length > sizeMax * 2) {
        firstPlace += items.length - sizeMax
        items = items.slice(-sizeMax)
      }
      wakeAll()
    },
    miss() {
      firstPlace = end() + 1
      items = []
      start = { id: newId("evt"), place: firstPlace }
      wakeAll()
    },
    begin(after) {
      if (after === undefined) return { place: end(), id: lastId(), isWhole: true }
      if (after === start.id && firstPlace === start.place) return { place: firstPlace, id: after, isWhole: true }
      const index = items.findLastIndex(({ id }) => id === after)
      return index === -1 ? { place: end(), id: lastId(), isWhole: false } : { place: firstPlace + index + 1, id: after, isWhole: true }
    },
    take(place) {
      if (place < firstPlace) return { kind: "lost", place: end() }
      const item = items[place - firstPlace]
      return item === undefined ? null : { kind: "item", item }
    },
    lastId,
    whenMore(wake) {
      waiting.add(wake)
      return () => void waiting.delete(wake)
    },
  }
}
