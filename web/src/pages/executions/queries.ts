// What the page of one execution asks the server: its state, its calls, and what happens while it runs.
import { useEffect, useState } from "react"
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import type { CallDetail, ExecutionStatus, LogLine } from "toolplane/client"
import { client } from "../../api/client.ts"

/** Long enough for the way back; hundreds that were opened are not kept. */
const keptMs = 30_000
/** The server reads the whole journal for each page. */
const pageSize = 500
const callsMax = 10_000
/** Four pictures a second. */
const drawMs = 250
const retryMs = 2000
const liveLogsMax = 1000

export const isEnded = (status: ExecutionStatus): boolean => status !== "running" && status !== "paused"

export const executionQuery = (id: string) =>
  queryOptions({
    queryKey: ["executions", id],
    queryFn: () => client.executions.get(id),
    gcTime: keptMs,
    // What has ended does not change, whatever else happens on the server.
    enabled: ({ state }) => state.data === undefined || !isEnded(state.data.status),
  })

type CallPage = { readonly cursor: string | null; readonly calls: readonly CallDetail[]; readonly next: string | null }
export type Calls = { readonly all: readonly CallDetail[]; readonly isMore: boolean }

/** All calls so far. Pages whose calls are done are not asked for again. */
export function useCalls(id: string, status: ExecutionStatus) {
  const queryClient = useQueryClient()
  const queryKey = ["executions", id, "calls", status]
  return useQuery({
    queryKey,
    queryFn: () => loadPages(id, queryClient.getQueryData<readonly CallPage[]>(queryKey) ?? []),
    select: (pages): Calls => ({ all: pages.flatMap(({ calls }) => calls), isMore: (pages.at(-1)?.next ?? null) !== null }),
    placeholderData: keepPreviousData,
    gcTime: keptMs,
    enabled: ({ state }) => state.data === undefined || !isEnded(status),
  })
}

async function loadPages(id: string, before: readonly CallPage[]): Promise<readonly CallPage[]> {
  const open = before.findIndex(({ calls, next }) => next === null || calls.some(({ status }) => status !== "done"))
  const pages = before.slice(0, Math.max(0, open))
  for (let cursor = before[open]?.cursor ?? null; ;) {
    const page = await client.executions.calls(id, { limit: pageSize, ...(cursor === null ? {} : { cursor }) })
    pages.push({ cursor, calls: page.items, next: page.nextCursor })
    if (page.nextCursor === null || pages.length * pageSize >= callsMax) return pages
    cursor = page.nextCursor
  }
}

/** Only while it runs: afterwards its own record has them. */
export type Live = { readonly words: string; readonly logs: readonly LogLine[] }
const nothing: Live = { words: "", logs: [] }

/** Follows a running execution: words and lines as they come, and its calls again when there are new ones. */
export function useFollow(id: string, isRunning: boolean): Live {
  const [live, setLive] = useState(nothing)
  const queryClient = useQueryClient()
  useEffect(() => {
    setLive(nothing)
    if (!isRunning) return
    const stop = new AbortController()
    let next = nothing
    let timer: ReturnType<typeof setTimeout> | null = null
    const draw = (): void => {
      timer ??= setTimeout(() => {
        timer = null
        setLive(next)
        void queryClient.invalidateQueries({ queryKey: ["executions", id, "calls"] }, { cancelRefetch: false })
      }, drawMs)
    }
    const follow = async (): Promise<void> => {
      for await (const event of client.executions.events(id, stop.signal)) {
        if (event.type === "text") next = { ...next, words: next.words + event.text }
        else if (event.type === "log") next = { ...next, logs: [...next.logs, event.line].slice(-liveLogsMax) }
        // A step's words are in its answer once it is done.
        else if (event.type === "call") next = { ...next, words: "" }
        else if (event.type === "pause" || event.type === "end") await queryClient.invalidateQueries({ queryKey: ["executions", id] })
        draw()
      }
    }
    const followOn = (): void => void follow().catch(() => setTimeout(() => (stop.signal.aborted ? undefined : followOn()), retryMs))
    followOn()
    return () => {
      stop.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [id, isRunning, queryClient])
  return live
}
