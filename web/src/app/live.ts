// Live updates: one stream of events for the whole console, which says what to ask for again.
//
// A browser opens six connections to a host at most, so that of all tabs one holds the stream and tells the others.
import { useEffect, useState } from "react"
import type { LiveEvent } from "toolplane/client"
import { client } from "../api/client.ts"
import { isSignedOut, meQuery, queryClient } from "../api/query.ts"

/** Shared by all tabs: an event, whether the stream is there, or that the session has ended. */
type Told = { readonly event: LiveEvent } | { readonly isLive: boolean } | { readonly isStale: true } | { readonly isSignedOut: true }

const waitMsMin = 1000
const waitMsMax = 30_000
/** Events that come together are answered by one round of requests. */
const gatherMs = 100

/** A stream that another tab takes over at once, because the one that held it went to another page, is nobody's worry. */
const worryMs = 3000

/** Whether events arrive. While they do not, what is shown may be old. */
export function useLive(): boolean {
  const [isLive, setLive] = useState(true)
  useEffect(() => {
    let worry: ReturnType<typeof setTimeout> | undefined
    const noteLive = (isThere: boolean): void => {
      if (!isThere) return void (worry ??= setTimeout(() => setLive(false), worryMs))
      clearTimeout(worry)
      worry = undefined
      setLive(true)
      // What could not be read meanwhile.
      void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.isInvalidated })
    }
    const stop = new AbortController()
    const channel = new BroadcastChannel("executor-live")
    const refresh = createRefresher()
    const hear = (told: Told): void => {
      if ("event" in told) refresh(told.event)
      else if ("isLive" in told) noteLive(told.isLive)
      else if ("isStale" in told) void queryClient.invalidateQueries()
      else void queryClient.invalidateQueries(meQuery)
    }
    channel.addEventListener("message", ({ data }: MessageEvent<Told>) => hear(data))
    const tell = (told: Told): void => {
      hear(told)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of this origin has no other target
      channel.postMessage(told)
    }
    void holdStream(tell, stop.signal).catch(() => {}) // given up with the page
    return () => {
      stop.abort()
      clearTimeout(worry)
      channel.close()
    }
  }, [])
  return isLive
}

const lockName = "executor-live"

/** A tab that takes over the stream asks for everything again: between the two streams nobody listened. */
async function holdStream(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  const isHeir = await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await follow(tell, signal, () => {})
    return lock === null
  })
  if (isHeir) await navigator.locks.request(lockName, { signal }, () => follow(tell, signal, () => tell({ isStale: true })))
}

/** `begun`: called when the first stream is there. */
async function follow(tell: (told: Told) => void, signal: AbortSignal, begun: () => void): Promise<void> {
  let after: string | undefined
  for (let wait = waitMsMin; !signal.aborted; wait = Math.min(wait * 2, waitMsMax)) {
    try {
      for await (const event of client.events.follow({ signal, ...(after === undefined ? {} : { after }) })) {
        if (after === undefined) begun()
        if (wait > waitMsMin || after === undefined) tell({ isLive: true })
        wait = waitMsMin
        after = event.id
        tell({ event })
      }
    } catch (error) {
      if (!signal.aborted) tell(isSignedOut(error) ? { isSignedOut: true } : { isLive: false })
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** Query keys begin with the noun of the API, which an event's type begins with as well. */
function createRefresher(): (event: LiveEvent) => void {
  const nouns = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = (): void => {
    timer = null
    const all = nouns.has("reset")
    void queryClient.invalidateQueries(all ? {} : { predicate: ({ queryKey }) => nouns.has(String(queryKey[0])) })
    nouns.clear()
  }
  return (event) => {
    for (const noun of nounsOf(event)) nouns.add(noun)
    // Whatever happens has an entry there.
    if (event.type !== "ready") nouns.add("audit")
    timer ??= setTimeout(flush, gatherMs)
  }
}

/** `ready` after a lost stream means that nothing was missed. */
const nounsOf = ({ type }: LiveEvent): readonly string[] => (type === "reset" ? ["reset"] : (nounsOfTopic[type.split(".")[0] ?? ""] ?? []))

const nounsOfTopic: Readonly<Record<string, readonly string[]>> = {
  approval: ["approvals", "executions"],
  execution: ["executions"],
  catalog: ["tools", "integrations", "connections", "registry"],
  registry: ["registry", "tools", "artifacts"],
  credentials: ["credentials"],
  agents: ["agents", "tools"],
  models: ["models"],
  pipelines: ["pipelines"],
  policies: ["policies", "approvals", "tools"],
  people: ["people", "users", "roles", "me", "tokens", "sessions"],
  notifications: ["notifications"],
}
