// Which part of the axis is in sight.
import { useState } from "react"

/** Both from 0 to 1. */
export type View = { readonly from: number; readonly to: number }

export type Zoom = {
  readonly view: View
  readonly isWhole: boolean
  /** Where a place of the axis stands in sight: from 0 to 1, or outside. */
  at(place: number): number
  show(view: View): void
  /** Larger than 1: closer. */
  by(factor: number): void
  /** To the side, by a share of what is in sight. */
  move(share: number): void
  reset(): void
}

const whole: View = { from: 0, to: 1 }
const sizeMin = 1e-6

export function useZoom(): Zoom {
  const [view, setView] = useState(whole)
  const size = view.to - view.from
  const show = ({ from, to }: View): void => {
    const next = Math.min(1, Math.max(sizeMin, to - from))
    const start = Math.max(0, Math.min(1 - next, from))
    setView({ from: start, to: start + next })
  }
  return {
    view,
    isWhole: size >= 1,
    at: (place) => (place - view.from) / size,
    show,
    by(factor) {
      const middle = view.from + size / 2
      show({ from: middle - size / factor / 2, to: middle + size / factor / 2 })
    },
    move: (share) => show({ from: view.from + share * size, to: view.to + share * size }),
    reset: () => setView(whole),
  }
}
