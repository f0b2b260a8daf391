// A table of any length: only the rows in sight are drawn, and rows that are not here yet are asked for.
//
// Keys: J and K or the arrows move, Enter opens; J and K also begin from the page around it. Screen readers get a grid with its true number of rows.
import type { KeyboardEvent, ReactNode, RefObject } from "react"
import { useEffect, useMemo, useRef, useState } from "react"
import { useVirtualizer } from "@tanstack/react-virtual"
import { useKeys } from "../../app/keys.ts"
import { useIsWide } from "../use-is-wide.ts"

export type Column<Row> = {
  readonly id: string
  readonly label: string
  /** A width of CSS grid, such as `minmax(200px, 2fr)` or `96px`. */
  readonly width: string
  readonly cell: (row: Row) => ReactNode
  /** Left out on screens narrower than 900 px. */
  readonly isWideOnly?: boolean
}

type TableProps<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rowCount: number
  /** Undefined while it is not here. */
  readonly rowAt: (index: number) => Row | undefined
  readonly rowKey: (row: Row) => string
  /** Called with what is in sight, so that it can be loaded. */
  readonly onRange?: (start: number, end: number) => void
  readonly onOpen?: (row: Row) => void
  /** The key of the row that is open. */
  readonly openKey?: string | null
  readonly rowHeight?: number
}

const rowHeightDefault = 36

/** Where nothing has the focus, such as on a new page, the first J or K leads into the first table at the row that was left. */
function useEntryKeys(scroller: RefObject<HTMLElement | null>): Readonly<Record<string, () => void>> {
  return useMemo(() => {
    const enter = (): void => {
      const { activeElement } = document
      const isElsewhere = activeElement !== null && activeElement !== document.body && activeElement.id !== "main"
      if (!isElsewhere && document.querySelector("[data-rows]") === scroller.current) scroller.current?.focus()
    }
    return { j: enter, k: enter }
  }, [scroller])
}

export function DataTable<Row>(props: TableProps<Row>): ReactNode {
  const { label, columns, rowCount, rowAt, rowKey, onRange, onOpen, openKey = null, rowHeight = rowHeightDefault } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [chosen, setActive] = useState(0)
  // A filter may leave fewer rows than there were.
  const active = Math.max(0, Math.min(chosen, rowCount - 1))
  useKeys(useEntryKeys(scroller))
  const isWide = useIsWide()
  const shown = columns.filter((column) => isWide || column.isWideOnly !== true)
  const gridTemplateColumns = shown.map(({ width }) => width).join(" ")
  const virtual = useVirtualizer({ count: rowCount, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 12 })
  // A phone that is turned has rows of another height.
  useEffect(() => virtual.measure(), [virtual, rowHeight])
  const items = virtual.getVirtualItems()
  const [start, end] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => onRange?.(start, end), [onRange, start, end])

  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rowCount - 1, to))
    setActive(next)
    virtual.scrollToIndex(next)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1)
    const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const step = steps[event.key]
    const row = rowAt(active)
    if (step !== undefined) move(active + step)
    else if (event.key === "Home") move(0)
    else if (event.key === "End") move(rowCount - 1)
    else if (event.key === "Enter" && row !== undefined) onOpen?.(row)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      role="grid"
      data-rows
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-activedescendant={rowCount === 0 ? undefined : `${label}-row-${active}`.replaceAll(" ", "-")}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="group/grid tabular min-h-0 flex-1 overflow-y-auto rounded-card border border-line"
    >
      <div role="rowgroup" className="sticky top-0 z-10 border-b border-line bg-surface">
        <div
          role="row"
          aria-rowindex={1}
          className="grid items-center gap-3 px-3 text-sm text-secondary"
          style={{ gridTemplateColumns, height: 32 }}
        >
          {shown.map((column) => (
            <div role="columnheader" key={column.id} className="truncate font-medium">
              {column.label}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start: top }) => {
          const row = rowAt(index)
          const isOpen = row !== undefined && rowKey(row) === openKey
          return (
            <div
              role="row"
              key={index}
              id={`${label}-row-${index}`.replaceAll(" ", "-")}
              aria-rowindex={index + 2}
              aria-selected={isOpen}
              onClick={() => {
                setActive(index)
                if (row !== undefined) onOpen?.(row)
              }}
              className={`absolute inset-x-0 grid items-center gap-3 border-b border-line px-3 ${onOpen === undefined ? "" : "cursor-pointer hover:bg-hover"} ${isOpen ? "bg-surface shadow-[inset_2px_0_0_var(--accent)]" : ""} ${index === active ? "group-focus-visible/grid:bg-hover group-focus-visible/grid:outline-1 group-focus-visible/grid:-outline-offset-1 group-focus-visible/grid:outline-accent" : ""}`}
              style={{ gridTemplateColumns, height: rowHeight, transform: `translateY(${top}px)` }}
            >
              {shown.map((column) => (
                <div role="gridcell" key={column.id} className="min-w-0 truncate">
                  {row === undefined ? <span className="inline-block h-3 w-16 rounded bg-hover" /> : column.cell(row)}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
