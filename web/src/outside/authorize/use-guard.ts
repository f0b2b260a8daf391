// Keeps a click that was meant for another window, which was here a moment ago, from deciding anything.
import { useEffect, useState } from "react"
import { flushSync } from "react-dom"

const guardMs = 600

/** Whether buttons wait: they have just appeared, or the window has just come to the front. */
export function useGuard(): boolean {
  const [isGuarded, setGuarded] = useState(true)
  useEffect(() => {
    const release = (): void => setGuarded(false)
    let timer = setTimeout(release, guardMs)
    const hold = (): void => {
      clearTimeout(timer)
      // The click may follow at once.
      flushSync(() => setGuarded(true))
      timer = setTimeout(release, guardMs)
    }
    addEventListener("focus", hold)
    return () => {
      clearTimeout(timer)
      removeEventListener("focus", hold)
    }
  }, [])
  return isGuarded
}
