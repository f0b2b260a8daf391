// The event stream of this process: what happens here is told to all that share the database, and what they tell is kept for readers.
import type { FollowOptions, LiveEvent } from "../../core/console/live-event.ts"
import type { Principal } from "../../core/principal.ts"
import type { Log } from "../../io/log.ts"
import type { ExecutionStore } from "../../store/execution-store.ts"
import { createFeed } from "./feed.ts"
import type { Feed } from "./feed.ts"
import { followFeed } from "./follow.ts"
import type { FollowParts } from "./follow.ts"
import { createPublisher, readItems } from "./publisher.ts"
import { watchEvents } from "./watch.ts"

export type Events = {
  readonly feed: Feed
  /** Hears what others tell from now on, until the answer is called. */
  open(): Promise<() => void>
  /** Tells what is left. */
  close(): Promise<void>
}

/** Nobody listens without readers; one that comes back within this time has missed nothing. */
const lingerMs = 120_000

export function openEvents(store: ExecutionStore, log: Log): { readonly executions: ExecutionStore; readonly events: Events } {
  const publisher = createPublisher({ broadcasts: store.broadcasts, log })
  const feed = createFeed()
  let readers = 0
  let listening: Promise<() => void> | null = null
  let leaving: NodeJS.Timeout | null = null

  const hear = (text: string | null): void => (text === null ? feed.miss() : feed.add(readItems(text)))

  function leave(): void {
    readers -= 1
    if (readers > 0) return
    leaving = setTimeout(stopListening, lingerMs).unref()
  }
  function stopListening(): void {
    void listening?.then((stop) => stop())
    listening = null
    feed.miss()
  }

  return {
    executions: watchEvents(store, (change) => publisher.publish(change)),
    events: {
      feed,
      async open() {
        readers += 1
        if (leaving !== null) clearTimeout(leaving)
        try {
          await (listening ??= store.broadcasts.listen(hear))
        } catch (error) {
          listening = null
          readers -= 1
          throw error
        }
        return leave
      },
      async close() {
        await publisher.close()
        if (leaving !== null) clearTimeout(leaving)
        if (listening !== null) stopListening()
      },
    },
  }
}

export async function* followEvents(
  principal: Principal,
  options: FollowOptions,
  parts: FollowParts & { readonly events: Events },
): AsyncGenerator<LiveEvent> {
  const leave = await parts.events.open()
  try {
    yield* followFeed(principal, options, parts.events.feed, parts)
  } finally {
    leave()
  }
}
