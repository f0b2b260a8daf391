// Loads the palette when somebody is about to use it: it is no part of the first page. What is typed before it is here is kept for it.
import type { ReactNode, RefObject } from "react"
import { Suspense, lazy, useEffect, useRef, useState } from "react"

const load = () => import("./palette.tsx")
const Palette = lazy(async () => ({ default: (await load()).Palette }))

/** On what opens it. */
export const paletteSoon = { onPointerEnter: () => void load(), onFocus: () => void load() }

type PaletteProps = { readonly isOpen: boolean; readonly onClose: () => void }

export function LazyPalette({ isOpen, onClose }: PaletteProps): ReactNode {
  const typed = useRef("")
  const [wasOpened, setOpened] = useState(false)
  useEffect(() => (isOpen ? setOpened(true) : undefined), [isOpen])
  useEffect(() => {
    // The first half of the keys that open it.
    const listen = ({ key }: KeyboardEvent): void => void (key === "Control" || key === "Meta" ? load() : undefined)
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])
  if (!isOpen && !wasOpened) return null
  return (
    <Suspense fallback={<Early typed={typed} onClose={onClose} />}>
      <Palette typed={typed} isOpen={isOpen} onClose={onClose} />
    </Suspense>
  )
}

type EarlyProps = { readonly typed: RefObject<string>; readonly onClose: () => void }

function Early({ typed, onClose }: EarlyProps): ReactNode {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { key } = event
      if (event.metaKey || event.ctrlKey || event.altKey) return
      if (key === "Escape") onClose()
      else if (key === "Backspace") typed.current = typed.current.slice(0, -1)
      else if (key.length === 1) typed.current += key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener("keydown", listen, { capture: true })
    return () => removeEventListener("keydown", listen, { capture: true })
  }, [typed, onClose])
  return (
    <div role="status" className="sr-only">
      Loading the search
    </div>
  )
}
