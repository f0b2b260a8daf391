// The calls as a plain table, for whoever reads rather than looks.
import type { ReactNode } from "react"
import type { CallDetail } from "toolplane/client"
import { Status } from "../../../ui/badge.tsx"
import { DataTable } from "../../../ui/lists/data-table.tsx"
import type { Column } from "../../../ui/lists/data-table.tsx"
import { duration } from "../../../ui/text/time.tsx"
import { labelOf } from "./rows.ts"
import { segmentsOf, stateOf } from "./segments.ts"

type TableProps = {
  readonly calls: readonly CallDetail[]
  readonly from: number
  readonly end: number
  readonly isEnded: boolean
  readonly selected: string
  readonly onSelect: (key: string) => void
}

export function CallsTable({ calls, from, end, isEnded, selected, onSelect }: TableProps): ReactNode {
  const partOf = (call: CallDetail, isWait: boolean): string => {
    const spans = segmentsOf(call, end).filter(({ kind }) => (kind === "wait") === isWait)
    return spans.length === 0 ? "–" : duration(spans.reduce((sum, one) => sum + one.to - one.from, 0))
  }
  const startOf = (call: CallDetail): string => {
    const first = segmentsOf(call, end)[0]
    return first === undefined ? "–" : duration(Math.max(0, first.from - from))
  }
  const columns: readonly Column<CallDetail>[] = [
    {
      id: "call",
      label: "Call",
      width: "minmax(120px, 3fr)",
      cell: (call) => <bdi className="stranger font-mono text-sm">{labelOf(call)}</bdi>,
    },
    { id: "line", label: "Line", width: "48px", cell: ({ line }) => line ?? "–", isWideOnly: true },
    { id: "start", label: "Start", width: "80px", cell: startOf, isWideOnly: true },
    { id: "duration", label: "Duration", width: "80px", cell: (call) => partOf(call, false) },
    { id: "wait", label: "Waited", width: "80px", cell: (call) => partOf(call, true), isWideOnly: true },
    { id: "status", label: "Status", width: "minmax(96px, 1fr)", cell: (call) => <CallState call={call} isEnded={isEnded} /> },
  ]
  return (
    <div className="flex max-h-[60dvh] min-h-40 flex-1 flex-col min-[1200px]:max-h-none">
      <DataTable
        label="Calls"
        columns={columns}
        rowCount={calls.length}
        rowAt={(index) => calls[index]}
        rowKey={({ key }) => key}
        openKey={selected}
        onOpen={({ key }) => onSelect(key)}
      />
    </div>
  )
}

export function CallState({ call, isEnded }: { readonly call: CallDetail; readonly isEnded: boolean }): ReactNode {
  const [tone, word] = stateOf(call, isEnded)
  return <Status tone={tone}>{word}</Status>
}
