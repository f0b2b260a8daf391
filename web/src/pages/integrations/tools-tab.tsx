// The tools of an integration, as they are now.
import type { ReactNode } from "react"
import { useNavigate } from "@tanstack/react-router"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { ToolFilter, ToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useFilters } from "../../app/search.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Input } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { EffectBadge } from "../../ui/tool-badges.tsx"
import { useRows } from "../../ui/lists/use-rows.ts"

const policyLabels: Readonly<Record<ToolView["policy"], string>> = {
  allow: "Allowed",
  require_approval: "Asks first",
  block: "Blocked",
}

const columns: readonly Column<ToolView>[] = [
  {
    id: "name",
    label: "Tool",
    width: "minmax(140px, 1fr)",
    cell: ({ name, changed }) => (
      <span className="flex items-center gap-2">
        <Mono className="truncate">{name}</Mono>
        {changed === true ? <Badge tone="warn">changed</Badge> : null}
      </span>
    ),
  },
  {
    id: "description",
    label: "Description",
    width: "minmax(0, 2fr)",
    isWideOnly: true,
    cell: ({ description }) => <Line className="text-secondary">{description}</Line>,
  },
  {
    id: "connection",
    label: "Connection",
    width: "104px",
    isWideOnly: true,
    cell: ({ owner, connection }) => <Mono className="text-secondary">{`${owner}.${connection}`}</Mono>,
  },
  {
    id: "effect",
    label: "Effect",
    width: "96px",
    cell: (tool) => <EffectBadge tool={tool} />,
  },
  { id: "policy", label: "Policy", width: "132px", isWideOnly: true, cell: ({ policy }) => policyLabels[policy] },
]

export function ToolsTab({ slug, isConnected }: { readonly slug: string; readonly isConnected: boolean }): ReactNode {
  const [{ q = "" }, set] = useFilters<"q">()
  const navigate = useNavigate()
  const filter: ToolFilter = { integration: slug, includeBlocked: true, ...(q === "" ? {} : { query: q }) }
  const summary = useQuery({
    queryKey: ["tools", "summary", filter],
    queryFn: () => client.tools.summary(filter),
    placeholderData: keepPreviousData,
  })
  const rows = useRows(["tools", "of", filter], (skip, limit) =>
    client.tools.page({ ...filter, includeAnnotations: true }, { skip, limit }),
  )
  const error = summary.error ?? rows.error
  const retry = (): void => {
    void summary.refetch()
    rows.retry()
  }
  if (error !== null) return <Failure error={error} onRetry={retry} />
  if (summary.data === undefined) return <Skeleton />
  const count = summary.data.total
  if (count === 0 && q === "")
    return (
      <Empty title="No tools yet" {...(isConnected ? {} : { command: `executor connections add ${slug}` })}>
        {isConnected ? "Its connection brought no tools. Look at its warnings under Details." : "Its tools are there once it is connected."}
      </Empty>
    )
  return (
    <div className="flex h-[calc(100dvh-260px)] min-h-72 flex-col gap-3">
      <Input
        data-filter
        type="search"
        aria-label="Filter tools"
        placeholder="Filter tools…"
        value={q}
        onChange={(event) => set({ q: event.target.value })}
        className="max-w-80 shrink-0"
      />
      {count === 0 ? (
        <Empty title="No tool fits this filter" action={<Button onClick={() => set({ q: undefined })}>Clear the filter</Button>} />
      ) : (
        <DataTable
          label="Tools"
          columns={columns}
          rowCount={count}
          rowAt={rows.rowAt}
          rowKey={({ address }) => address}
          onRange={rows.onRange}
          onOpen={({ address }) => void navigate({ to: "/registry", search: { tool: address } })}
        />
      )}
    </div>
  )
}
