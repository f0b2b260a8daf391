// Whether the screen has room for the sidebar and whole tables.
import { useSyncExternalStore } from "react"

const query = matchMedia("(min-width: 900px)")

const subscribe = (changed: () => void): (() => void) => {
  query.addEventListener("change", changed)
  return () => query.removeEventListener("change", changed)
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
