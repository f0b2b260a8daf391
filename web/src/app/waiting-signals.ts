// Tells the person through the browser what begins to wait, whichever page is open: by a notification, and in the tab's icon.
import { useEffect, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { waitingQuery } from "../api/waiting.ts"
import type { Waiting } from "../api/waiting.ts"
import iconUrl from "../icon.svg"
import waitingIconUrl from "../icon-waiting.svg"

/** Shows nothing on the page itself. */
export function WaitingSignals(): null {
  const { data } = useQuery(waitingQuery)
  const navigate = useNavigate()
  const [notify] = useState(createNotifier)
  useSeenLock()
  useEffect(() => {
    if (data === undefined) return
    const link = document.querySelector<HTMLLinkElement>("link[rel=icon]")
    if (link !== null) link.href = data.count === 0 ? iconUrl : waitingIconUrl
    void notify(data, () => void navigate({ to: "/inbox" })).catch(() => {}) // where a browser has no locks, it has no notifications
  }, [data, navigate, notify])
  return null
}

/** Held by every tab that is in sight: whoever looks at one of them need not be told by another. */
const seenLock = "executor-in-sight"
const toldLock = "executor-told"
/** The ids of approvals that were told, or were waiting when the person looked; for all tabs. */
const toldKey = "executor-told-approvals"
/** More than wait at once where somebody answers. */
const toldMax = 500

function useSeenLock(): void {
  useEffect(() => {
    let leave: (() => void) | null = null
    const change = (): void => {
      leave?.()
      leave = null
      if (document.hidden) return
      const held = new Promise<void>((resolve) => {
        leave = resolve
      })
      void navigator.locks?.request(seenLock, { mode: "shared" }, () => held)
    }
    change()
    document.addEventListener("visibilitychange", change)
    return () => {
      leave?.()
      document.removeEventListener("visibilitychange", change)
    }
  }, [])
}

/** One tab after another asks what is new, so that each approval is told once. */
function createNotifier(): (waiting: Waiting, open: () => void) => Promise<void> {
  let isFirst = true
  return async (waiting, open) =>
    navigator.locks.request(toldLock, async () => {
      const told = readTold()
      const isNew = waiting.ids.some((id) => !told.has(id))
      localStorage.setItem(toldKey, JSON.stringify([...new Set([...waiting.ids, ...told])].slice(0, toldMax)))
      // What already waits when a page is opened is on it.
      const isArrival = isFirst
      isFirst = false
      if (!isNew || isArrival || !("Notification" in window) || Notification.permission !== "granted" || (await isSeen())) return
      // No name and no argument of a call: whoever looks at the screen may be somebody else.
      const notification = new Notification("Executor", {
        body: waiting.count === 1 ? "1 call is waiting for you" : `${waiting.count}${waiting.isMore ? "+" : ""} calls are waiting for you`,
        tag: "executor-approvals",
      })
      notification.addEventListener("click", () => {
        window.focus()
        open()
      })
    })
}

async function isSeen(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === seenLock)
}

function readTold(): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(toldKey) ?? "[]")
    return new Set(Array.isArray(ids) ? ids.map(String) : [])
  } catch {
    return new Set()
  }
}
