// What a page does for a person, one thing at a time, and what it says of it.
import type { ReactNode } from "react"
import { useCallback, useEffect, useState } from "react"
import { buttonLook } from "../ui/button-look.ts"
import { safeText } from "../ui/text/text.tsx"

type Said = { readonly text: string; readonly isBad: boolean }

export type Work = {
  readonly isBusy: boolean
  readonly said: Said | null
  /** Where it succeeds the page is left, so that it stays busy. */
  readonly run: (text: string, work: () => Promise<void>) => void
}

export function useWork(): Work {
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState<Said | null>(null)
  const run = useCallback((text: string, work: () => Promise<void>) => {
    setBusy(true)
    setSaid({ text, isBad: false })
    work().catch((error: unknown) => {
      setBusy(false)
      setSaid({ text: error instanceof Error ? error.message : String(error), isBad: true })
    })
  }, [])
  // The Back button may show the page as it was left.
  useEffect(() => {
    const again = (): void => {
      setBusy(false)
      setSaid(null)
    }
    addEventListener("pageshow", again)
    return () => removeEventListener("pageshow", again)
  }, [])
  return { isBusy, said, run }
}

/** Always there, so that a change of it is read out. */
export const Status = ({ said }: { readonly said: Said | null }): ReactNode => (
  <div role="status" aria-live="polite" className={said?.isBad === true ? "tint-danger rounded-control px-2 py-1" : "text-secondary"}>
    {said === null ? null : safeText(said.text)}
  </div>
)

type ActionProps = {
  readonly work: Work
  readonly isPrimary: boolean
  /** Takes no click for a moment. */
  readonly isHeld?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

export const Action = ({ work, isPrimary, isHeld = false, onClick, children }: ActionProps): ReactNode => (
  <button
    type="button"
    disabled={work.isBusy || isHeld}
    onClick={onClick}
    className={`${buttonLook(isPrimary ? "primary" : "secondary")} min-w-0 py-1.5 !whitespace-normal wrap-anywhere disabled:cursor-progress disabled:opacity-60`}
  >
    {children}
  </button>
)
