// The head of the bars: marks of time, pauses that are folded, and a way to zoom into a part by dragging over it.
import type { PointerEvent, ReactNode } from "react"
import { useState } from "react"
import { duration } from "../../../ui/text/time.tsx"
import type { Axis, Span } from "./axis.ts"
import type { Zoom } from "./use-zoom.ts"

const marks = [0, 0.25, 0.5, 0.75, 1] as const
/** So close to a folded pause a mark would lie under its button. */
const markRoom = 0.08
/** Shorter ones are clicks. */
const dragMin = 0.01

type RulerProps = { readonly axis: Axis; readonly zoom: Zoom; readonly onUnfold: (fold: Span) => void }

export function Ruler({ axis, zoom, onUnfold }: RulerProps): ReactNode {
  const [drag, setDrag] = useState<readonly [number, number] | null>(null)
  const placeOf = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(1, (clientX - left) / width))
  }
  const end = (): void => {
    if (drag !== null) {
      const [one, other] = [Math.min(...drag), Math.max(...drag)]
      const size = zoom.view.to - zoom.view.from
      if (other - one > dragMin) zoom.show({ from: zoom.view.from + one * size, to: zoom.view.from + other * size })
    }
    setDrag(null)
  }
  const folds = axis.folds.map((fold) => ({ fold, left: zoom.at(axis.at(fold.from)), right: zoom.at(axis.at(fold.to)) }))
  const isFree = (mark: number): boolean => folds.every(({ left, right }) => mark < left - markRoom || mark > right + markRoom)
  return (
    <div
      className="relative h-full cursor-crosshair overflow-hidden select-none"
      onPointerDown={(event) => {
        if (event.target instanceof HTMLElement && event.target.closest("button") !== null) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag([placeOf(event), placeOf(event)])
      }}
      onPointerMove={(event) => (drag === null ? undefined : setDrag([drag[0], placeOf(event)]))}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
      onDoubleClick={() => zoom.reset()}
    >
      {marks.filter(isFree).map((mark) => (
        <span
          key={mark}
          aria-hidden="true"
          className={`absolute top-2 text-xs whitespace-nowrap text-tertiary ${mark === 0 ? "" : mark === 1 ? "-translate-x-full" : "-translate-x-1/2"} ${mark === 0.25 || mark === 0.75 ? "max-[1599px]:hidden" : mark === 0.5 ? "max-[639px]:hidden" : ""}`}
          style={{ left: `${mark * 100}%` }}
        >
          {duration(axis.timeAt(zoom.view.from + mark * (zoom.view.to - zoom.view.from)) - axis.from)}
        </span>
      ))}
      {folds.map(({ fold, left, right }) => (
        <button
          key={fold.from}
          type="button"
          title={`${duration(fold.to - fold.from)} of waiting, folded. Click to show it in full`}
          aria-label={`Unfold ${duration(fold.to - fold.from)} of waiting`}
          onClick={() => onUnfold(fold)}
          className="absolute inset-y-1 border border-line bg-hover min-w-6 overflow-hidden rounded-[2px] text-xs whitespace-nowrap text-text"
          style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
        >
          ⋯
        </button>
      ))}
      {drag === null ? null : (
        <div
          aria-hidden="true"
          className="absolute inset-y-0 bg-accent/20"
          style={{ left: `${Math.min(...drag) * 100}%`, width: `${Math.abs(drag[1] - drag[0]) * 100}%` }}
        />
      )}
    </div>
  )
}
