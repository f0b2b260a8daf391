// A value once it has stopped changing, so that not every letter that is typed asks the server.
import { useEffect, useState } from "react"

const settledMs = 250

export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
