// What somebody writes and has not run: kept in this browser, so that a reload loses nothing.
import { useCallback, useState } from "react"

const prefix = "executor-draft:"
/** A browser keeps about five million characters for a site. */
const charsMax = 500_000

/** `name`: what it is a draft of, and whose. */
export function useDraft(name: string, first: string): readonly [string, (text: string) => void] {
  const [draft, setDraft] = useState(() => ({ name, text: read(name) ?? first }))
  const current = draft.name === name ? draft.text : (read(name) ?? first)
  const set = useCallback(
    (text: string) => {
      keep(name, text)
      setDraft({ name, text })
    },
    [name],
  )
  return [current, set]
}

function read(name: string): string | null {
  try {
    return sessionStorage.getItem(prefix + name) ?? localStorage.getItem(prefix + name)
  } catch {
    return null
  }
}

/** This tab's own comes back here; another tab begins with what was written last. */
function keep(name: string, text: string): void {
  if (text.length > charsMax) return
  try {
    sessionStorage.setItem(prefix + name, text)
    localStorage.setItem(prefix + name, text)
  } catch {
    // Without storage a draft lives as long as the page.
  }
}
