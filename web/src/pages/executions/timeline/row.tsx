// One row of the waterfall.
import type { ReactNode } from "react"
import { ChevronDown, ChevronRight } from "lucide-react"
import { statusMarks } from "../../../ui/badge.tsx"
import type { Tone } from "../../../ui/badge.tsx"
import { duration } from "../../../ui/text/time.tsx"
import type { Axis } from "./axis.ts"
import { Bars, colours } from "./bars.tsx"
import type { TimelineRow } from "./rows.ts"
import type { Segment } from "./segments.ts"
import type { Zoom } from "./use-zoom.ts"

export type RowFacts = {
  readonly label: string
  readonly state: readonly [Tone, string]
  readonly segments: readonly Segment[]
  /** After the label, in grey. */
  readonly note: string | null
}

type RowProps = {
  readonly id: string
  readonly index: number
  readonly top: number
  readonly row: TimelineRow
  readonly facts: RowFacts
  readonly axis: Axis
  readonly zoom: Zoom
  readonly isSelected: boolean
  readonly isClosed: boolean
  readonly onSelect: (key: string) => void
  readonly onToggle: (key: string, isClosed: boolean) => void
}

export const tracks = "grid grid-cols-[minmax(0,1fr)_64px_minmax(0,1fr)] min-[900px]:grid-cols-[minmax(140px,2fr)_72px_minmax(0,3fr)]"
const indentPx = 14
export function Row({ id, index, top, row, facts, axis, zoom, isSelected, isClosed, onSelect, onToggle }: RowProps): ReactNode {
  const { label, segments, note } = facts
  const [tone, word] = facts.state
  const first = segments[0]
  const spanned = segments.reduce((sum, { kind, from, to }) => (kind === "wait" && row.key !== "" ? sum : sum + to - from), 0)
  const took = row.call?.ms ?? spanned
  const isStep = row.call?.path.startsWith("model/") === true
  const Chevron = isClosed ? ChevronRight : ChevronDown
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-level={row.level}
      aria-selected={isSelected}
      {...(row.hasChildren && row.key !== "" ? { "aria-expanded": !isClosed } : {})}
      onClick={() => onSelect(row.key)}
      className={`absolute inset-x-0 ${tracks} cursor-pointer items-center gap-2 px-3 hover:bg-hover ${isSelected ? "bg-hover shadow-[inset_2px_0_0_var(--accent)] group-focus-visible/grid:outline-1 group-focus-visible/grid:-outline-offset-1 group-focus-visible/grid:outline-accent" : ""}`}
      style={{ height: 28, transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" className="flex min-w-0 items-center gap-1.5" style={{ paddingLeft: (row.level - 1) * indentPx }}>
        <span aria-hidden="true" className={`shrink-0 text-[9px] ${colours[tone]}`}>
          {statusMarks[tone]}
        </span>
        {row.hasChildren && row.key !== "" ? (
          <Chevron
            size={14}
            aria-hidden="true"
            className="shrink-0 text-secondary"
            onClick={(event) => {
              event.stopPropagation()
              onToggle(row.key, !isClosed)
            }}
          />
        ) : null}
        <bdi title={label} className={`stranger truncate text-sm ${row.key === "" ? "font-medium" : isStep ? "" : "font-mono"}`}>
          {label}
        </bdi>
        {note === null ? null : <span className="shrink-0 text-xs text-tertiary">{note}</span>}
      </div>
      <div role="gridcell" className="text-right text-sm whitespace-nowrap text-secondary">
        {first === undefined || took === 0 ? "–" : duration(took)}
      </div>
      <div role="gridcell" className="h-full">
        <Bars segments={segments} tone={tone} axis={axis} zoom={zoom} />
      </div>
      <div role="gridcell" className="sr-only">
        {first === undefined ? "not started" : `after ${duration(Math.max(0, first.from - axis.from))}`}
      </div>
      <div role="gridcell" className="sr-only">
        {word}
      </div>
    </div>
  )
}
