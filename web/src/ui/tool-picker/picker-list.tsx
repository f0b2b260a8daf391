// The tools of a picker, grouped by bucket, each with a check box.
import type { ReactNode } from "react"
import { useRef } from "react"
import { useVirtualizer } from "@tanstack/react-virtual"
import { Info } from "lucide-react"
import type { ToolFilter, ToolView } from "toolplane/client"
import { IconButton } from "../button.tsx"
import { Failure } from "../states.tsx"
import { Line, Mono, safeLine } from "../text/text.tsx"
import { StatusBadge, SubtypeBadge } from "../tool-badges.tsx"
import { lengthOf, placeOf, useGroupedRows } from "./grouped-rows.ts"
import type { ListGroup } from "./grouped-rows.ts"
import { matchingPattern, pathEntryOf } from "./selection.ts"
import type { EntryOf } from "./selection.ts"

type PickerListProps = {
  readonly filter: ToolFilter
  readonly groups: readonly ListGroup[]
  readonly value: readonly string[]
  readonly entryOf: EntryOf
  readonly isFixed: boolean
  readonly onToggle: (tool: ToolView) => void
  readonly onShow: (tool: ToolView) => void
}

const rowHeight = 44

export function PickerList({ filter, groups, value, entryOf, isFixed, onToggle, onShow }: PickerListProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null)
  const count = lengthOf(groups)
  const virtual = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 8 })
  const items = virtual.getVirtualItems()
  const { toolAt, error } = useGroupedRows(
    filter,
    groups,
    items.map(({ index }) => index),
  )
  const chosen = new Set(value)
  if (error !== null) return <Failure error={error} />
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Tools to choose from"
      tabIndex={0}
      className="h-96 overflow-y-auto rounded-card border border-line"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const place = placeOf(groups, index)
          const tool = place?.kind === "tool" ? toolAt(place.group, place.at) : undefined
          return (
            <div
              key={index}
              className="absolute inset-x-0 flex items-center border-b border-line px-3"
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            >
              {place?.kind === "heading" ? (
                <h3 className="font-semibold">
                  {place.group.label} <span className="tabular font-normal text-secondary">{place.group.count.toLocaleString("en")}</span>
                </h3>
              ) : tool === undefined ? (
                <span className="inline-block h-3 w-40 rounded bg-hover" />
              ) : (
                <PickerRow
                  tool={tool}
                  isChosen={chosen.has(entryOf(tool))}
                  pattern={matchingPattern(tool, value)}
                  isFixed={isFixed}
                  onToggle={() => onToggle(tool)}
                  onShow={() => onShow(tool)}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

type PickerRowProps = {
  readonly tool: ToolView
  readonly isChosen: boolean
  readonly pattern: string | undefined
  readonly isFixed: boolean
  readonly onToggle: () => void
  readonly onShow: () => void
}

const PickerRow = ({ tool, isChosen, pattern, isFixed, onToggle, onShow }: PickerRowProps): ReactNode => (
  <>
    <label className="flex min-w-0 flex-1 items-center gap-3">
      <input
        type="checkbox"
        aria-label={safeLine(pathEntryOf(tool))}
        checked={isChosen || pattern !== undefined}
        disabled={isFixed || (pattern !== undefined && !isChosen)}
        onChange={onToggle}
        className="size-4 shrink-0 accent-(--solid)"
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <Line className="truncate">{tool.title === "" ? tool.name : tool.title}</Line>
        <Mono className="truncate text-tertiary">{pathEntryOf(tool)}</Mono>
      </span>
      {pattern === undefined ? null : <span className="truncate text-sm text-secondary">by {safeLine(pattern)}</span>}
      <span className="hidden gap-1 min-[900px]:flex">
        {tool.status === "published" ? null : <StatusBadge tool={tool} />}
        <SubtypeBadge tool={tool} />
      </span>
    </label>
    <IconButton label={`Details of ${safeLine(pathEntryOf(tool))}`} onClick={onShow}>
      <Info size={14} aria-hidden="true" />
    </IconButton>
  </>
)
