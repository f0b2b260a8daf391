// Whether this browser lets the console notify the person, kept true while they change their mind.
import { useEffect, useState } from "react"

export type PermissionState = NotificationPermission | "unsupported"

const read = (): PermissionState => ("Notification" in window ? Notification.permission : "unsupported")

/** The state, and a way to ask the person, which browsers allow on a click only. */
export function useNotificationPermission(): readonly [PermissionState, () => Promise<void>] {
  const [state, setState] = useState(read)
  useEffect(() => {
    const stop = new AbortController()
    const watch = async (): Promise<void> => {
      const status = await navigator.permissions.query({ name: "notifications" })
      if (!stop.signal.aborted) status.addEventListener("change", () => setState(read()), { signal: stop.signal })
    }
    watch().catch(() => {}) // a browser that cannot say it when it changes says it at the next visit
    return () => stop.abort()
  }, [])
  const ask = async (): Promise<void> => {
    await Notification.requestPermission()
    setState(read())
  }
  return [state, ask]
}
