// The tools, filtered by the server, of any number.
import type { ReactNode } from "react"
import type { ToolFilter, ToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Failure } from "../../ui/states.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { useIsWide } from "../../ui/use-is-wide.ts"
import { useRows } from "../../ui/lists/use-rows.ts"
import { BucketBadge, EffectBadge, StatusBadge, SubtypeBadge, VersionBadge } from "../../ui/tool-badges.tsx"
import { pathOf } from "./path.ts"

const wideColumns: readonly Column<ToolView>[] = [
  {
    id: "tool",
    label: "Tool",
    width: "minmax(200px, 1fr)",
    cell: (tool) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <Line className="shrink-0 font-medium">{nameOf(tool)}</Line>
        <Mono className="truncate text-tertiary">{pathOf(tool)}</Mono>
      </span>
    ),
  },
  { id: "bucket", label: "Bucket", width: "80px", cell: (tool) => <BucketBadge tool={tool} /> },
  { id: "subtype", label: "Subtype", width: "112px", cell: (tool) => <SubtypeBadge tool={tool} /> },
  { id: "effect", label: "Effect", width: "96px", cell: (tool) => <EffectBadge tool={tool} /> },
  { id: "status", label: "Status", width: "112px", cell: (tool) => <StatusBadge tool={tool} /> },
  { id: "version", label: "Version", width: "80px", cell: (tool) => <VersionBadge tool={tool} /> },
]

/** On a phone, a row has the badges below the name. */
const narrowColumns: readonly Column<ToolView>[] = [
  {
    id: "tool",
    label: "Tool",
    width: "minmax(0, 1fr)",
    cell: (tool) => (
      <span className="flex min-w-0 flex-col gap-1">
        <span className="flex min-w-0 gap-2">
          <Line className="min-w-0 flex-1 truncate font-medium">{nameOf(tool)}</Line>
          <span className="shrink-0">
            <EffectBadge tool={tool} />
          </span>
        </span>
        <Mono className="truncate text-tertiary">{pathOf(tool)}</Mono>
        <span className="flex gap-1 overflow-hidden">
          <BucketBadge tool={tool} />
          <SubtypeBadge tool={tool} />
          <StatusBadge tool={tool} />
          <VersionBadge tool={tool} />
        </span>
      </span>
    ),
  },
]

const nameOf = ({ title, name }: ToolView): string => (title === "" ? name : title)

type ToolTableProps = {
  readonly filter: ToolFilter
  readonly total: number
  readonly open: string | undefined
  readonly onOpen: (tool: ToolView) => void
}

export function ToolTable({ filter, total, open, onOpen }: ToolTableProps): ReactNode {
  const isWide = useIsWide()
  const rows = useRows(["tools", "list", filter], (skip, limit) =>
    client.tools.page({ ...filter, includeAnnotations: true }, { skip, limit }),
  )
  if (rows.error !== null) return <Failure error={rows.error} onRetry={rows.retry} />
  return (
    <DataTable
      label="Tools"
      columns={isWide ? wideColumns : narrowColumns}
      rowHeight={isWide ? 36 : 84}
      rowCount={total}
      rowAt={rows.rowAt}
      rowKey={({ address }) => address}
      onRange={rows.onRange}
      onOpen={onOpen}
      openKey={open ?? null}
    />
  )
}
