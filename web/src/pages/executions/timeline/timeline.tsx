// The timeline of an execution: its controls, the waterfall or a table, and the legend.
import type { ReactNode } from "react"
import { useState } from "react"
import type { CallDetail, ExecutionView } from "toolplane/client"
import { ChevronLeft, ChevronRight, Maximize2, ZoomIn, ZoomOut } from "lucide-react"
import { Button, IconButton } from "../../../ui/button.tsx"
import { executionState } from "../status.tsx"
import { isEnded } from "../queries.ts"
import { createAxis, foldsOf, pausesOf } from "./axis.ts"
import type { Span } from "./axis.ts"
import { Legend } from "./bars.tsx"
import { CallsTable } from "./calls-table.tsx"
import type { RowFacts } from "./row.tsx"
import { labelOf, rowsOf } from "./rows.ts"
import type { TimelineRow } from "./rows.ts"
import { repeatOf, segmentsOf, stateOf } from "./segments.ts"
import { useZoom } from "./use-zoom.ts"
import { Waterfall } from "./waterfall.tsx"

type TimelineProps = {
  readonly execution: ExecutionView
  readonly calls: readonly CallDetail[]
  readonly isMore: boolean
  /** Of the execution, or now. */
  readonly end: number
  readonly selected: string
  readonly onSelect: (key: string) => void
  readonly isTable: boolean
  /** Null where there is one way to show them. */
  readonly onTable: ((isTable: boolean) => void) | null
}

export function Timeline({ execution, calls, isMore, end, selected, onSelect, isTable, onTable }: TimelineProps): ReactNode {
  const zoom = useZoom()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const whole: Span = { from: Date.parse(execution.createdAt), to: end }
  const pauses = pausesOf(calls.flatMap((call) => segmentsOf(call, end)))
  const folds = foldsOf(pauses, whole)
  const axis = createAxis(
    whole,
    folds.filter(({ from }) => !unfolded.has(from)),
  )
  const hasEnded = isEnded(execution.status)
  const factsOf = ({ call }: TimelineRow): RowFacts =>
    call === null
      ? { label: "Execution", state: executionState(execution.status), segments: ownSegments(whole, pauses), note: null }
      : {
          label: labelOf(call),
          state: stateOf(call, hasEnded),
          segments: segmentsOf(call, end),
          note: repeatOf(call) === 0 ? null : `again, ${repeatOf(call) + 1}×`,
        }
  const toggle = (key: string, isClosed: boolean): void =>
    setClosed((before) => (isClosed ? new Set([...before, key]) : new Set([...before].filter((one) => one !== key))))
  return (
    <section aria-label="Calls" className="flex min-h-0 flex-1 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-1">
        <h2 className="mr-2 text-lg font-semibold">{isTable ? "Calls" : "Timeline"}</h2>
        <span className="flex-1 text-sm text-secondary">
          {calls.length.toLocaleString("en")}
          {isMore ? "+" : ""} {calls.length === 1 ? "call" : "calls"}
        </span>
        {isTable ? null : (
          <>
            {unfolded.size === 0 ? null : (
              <Button kind="quiet" onClick={() => setUnfolded(new Set())}>
                Fold pauses
              </Button>
            )}
            {zoom.isWhole ? null : (
              <>
                <IconButton label="Earlier" onClick={() => zoom.move(-0.5)}>
                  <ChevronLeft size={15} aria-hidden="true" />
                </IconButton>
                <IconButton label="Later" onClick={() => zoom.move(0.5)}>
                  <ChevronRight size={15} aria-hidden="true" />
                </IconButton>
                <IconButton label="Show all" onClick={zoom.reset}>
                  <Maximize2 size={15} aria-hidden="true" />
                </IconButton>
              </>
            )}
            <IconButton label="Zoom out" reason={zoom.isWhole ? "All of it is shown" : null} onClick={() => zoom.by(0.5)}>
              <ZoomOut size={15} aria-hidden="true" />
            </IconButton>
            <IconButton label="Zoom in" onClick={() => zoom.by(2)}>
              <ZoomIn size={15} aria-hidden="true" />
            </IconButton>
          </>
        )}
        {onTable === null ? null : (
          <Button kind="quiet" onClick={() => onTable(!isTable)}>
            {isTable ? "Show as timeline" : "Show as table"}
          </Button>
        )}
      </div>
      {isTable ? (
        <CallsTable calls={calls} from={whole.from} end={end} isEnded={hasEnded} selected={selected} onSelect={onSelect} />
      ) : (
        <>
          <Waterfall
            rows={rowsOf(calls, closed)}
            factsOf={factsOf}
            axis={axis}
            zoom={zoom}
            selected={selected}
            onSelect={onSelect}
            closed={closed}
            onToggle={toggle}
            onUnfold={({ from }) => setUnfolded((before) => new Set([...before, from]))}
          />
          <Legend />
        </>
      )}
      {isMore ? <p className="text-sm text-secondary">Only the first {calls.length.toLocaleString("en")} calls are shown.</p> : null}
    </section>
  )
}

/** What is not a pause is our own time, with the calls inside of it. */
function ownSegments(whole: Span, pauses: readonly Span[]): RowFacts["segments"] {
  const own = [...pauses, { from: whole.to, to: whole.to }].map(({ from }, at) => ({
    kind: "ours" as const,
    from: pauses[at - 1]?.to ?? whole.from,
    to: from,
  }))
  return [
    ...own.filter(({ from, to }) => to > from || pauses.length === 0),
    ...pauses.map((pause) => ({ kind: "wait" as const, ...pause })),
  ]
}
