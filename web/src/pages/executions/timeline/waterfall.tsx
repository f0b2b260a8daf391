// The waterfall: every call as a row with its bar, drawn only where it is in sight.
//
// Keys: J and K or the arrows move, left and right close and open what a call made, + and - zoom, 0 shows all.
import type { KeyboardEvent, ReactNode } from "react"
import { useEffect, useRef } from "react"
import { useVirtualizer } from "@tanstack/react-virtual"
import type { Axis, Span } from "./axis.ts"
import type { TimelineRow } from "./rows.ts"
import { Row, tracks } from "./row.tsx"
import type { RowFacts } from "./row.tsx"
import { Ruler } from "./ruler.tsx"
import type { Zoom } from "./use-zoom.ts"

type WaterfallProps = {
  readonly rows: readonly TimelineRow[]
  readonly factsOf: (row: TimelineRow) => RowFacts
  readonly axis: Axis
  readonly zoom: Zoom
  readonly selected: string
  readonly onSelect: (key: string) => void
  readonly closed: ReadonlySet<string>
  readonly onToggle: (key: string, isClosed: boolean) => void
  readonly onUnfold: (fold: Span) => void
}

const rowHeight = 28
const idOf = (index: number): string => `timeline-row-${index}`

export function Waterfall(props: WaterfallProps): ReactNode {
  const { rows, factsOf, axis, zoom, selected, onSelect, closed, onToggle, onUnfold } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: 36,
  })
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === selected),
  )
  const isFirst = useRef(true)
  useEffect(() => {
    // A link to a call leads to its row.
    if (isFirst.current && active > 0) virtual.scrollToIndex(active, { align: "center" })
    isFirst.current = false
  }, [active, virtual])
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, to))
    const row = rows[next]
    if (row !== undefined) onSelect(row.key)
    virtual.scrollToIndex(next)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 2)
    const row = rows[active]
    const actions: Record<string, () => void> = {
      j: () => move(active + 1),
      ArrowDown: () => move(active + 1),
      k: () => move(active - 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + page),
      PageUp: () => move(active - page),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => (row === undefined ? undefined : onToggle(row.key, false)),
      ArrowLeft: () => {
        if (row === undefined) return
        if (row.hasChildren && !closed.has(row.key) && row.key !== "") onToggle(row.key, true)
        else move(rows.findLastIndex(({ level }, at) => at < active && level < row.level))
      },
      "+": () => zoom.by(2),
      "=": () => zoom.by(2),
      "-": () => zoom.by(0.5),
      "0": () => zoom.reset(),
    }
    const action = actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label="Timeline"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={idOf(active)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="group/grid tabular max-h-[60dvh] min-h-40 flex-1 overflow-y-auto rounded-card border border-line min-[1200px]:max-h-none"
    >
      <div role="rowgroup" className="sticky top-0 z-10 border-b border-line bg-surface">
        <div role="row" aria-rowindex={1} className={`${tracks} h-8 items-center gap-2 px-3 text-sm text-secondary`}>
          <div role="columnheader" className="font-medium">
            Call
          </div>
          <div role="columnheader" className="text-right font-medium">
            Duration
          </div>
          <div role="columnheader" className="h-full" aria-label="Bar">
            <Ruler axis={axis} zoom={zoom} onUnfold={onUnfold} />
          </div>
          <div role="columnheader" className="sr-only">
            Start
          </div>
          <div role="columnheader" className="sr-only">
            Status
          </div>
        </div>
      </div>
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <Row
              key={row.key}
              id={idOf(index)}
              index={index}
              top={start}
              row={row}
              facts={factsOf(row)}
              axis={axis}
              zoom={zoom}
              isSelected={index === active}
              isClosed={closed.has(row.key)}
              onSelect={onSelect}
              onToggle={onToggle}
            />
          )
        })}
      </div>
    </div>
  )
}
