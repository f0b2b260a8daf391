// The list of executions, newest first.
import type { ReactNode } from "react"
import { useNavigate } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { Button } from "../../ui/button.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { useIsWide } from "../../ui/use-is-wide.ts"
import { usePages } from "../../ui/lists/use-pages.ts"
import { narrowColumns, wideColumns } from "./columns.tsx"
import { FilterBar, noFilters, toFilter, useExecutionFilters } from "./filters.tsx"

export const Page = (): ReactNode => (
  <PageFrame title="Executions">
    <FilterBar />
    <List />
  </PageFrame>
)

function List(): ReactNode {
  const [filters, set] = useExecutionFilters()
  const navigate = useNavigate()
  const isWide = useIsWide()
  const rows = usePages(["executions", "list", filters], (page) => client.executions.list({ ...toFilter(filters), ...page }))
  if (rows.error !== null && rows.rowCount === 0) return <Failure error={rows.error} onRetry={rows.retry} />
  if (rows.isLoading) return <Skeleton rows={10} />
  if (rows.rowCount > 0)
    return (
      <>
        {rows.isOutdated ? (
          <Button onClick={rows.refresh} className="self-center">
            Executions have started or changed. Show them
          </Button>
        ) : null}
        <DataTable
          label="Executions"
          columns={isWide ? wideColumns : narrowColumns}
          rowHeight={isWide ? 36 : 56}
          rowCount={rows.rowCount}
          rowAt={rows.rowAt}
          rowKey={({ executionId }) => executionId}
          onRange={rows.onRange}
          onOpen={({ executionId }) => void navigate({ to: "/executions/$id", params: { id: executionId } })}
        />
      </>
    )
  if (Object.keys(filters).length > 0)
    return <Empty title="No execution fits these filters" action={<Button onClick={() => set(noFilters)}>Clear filters</Button>} />
  return (
    <Empty title="Nothing has run yet" command={'echo "return 6 * 7" | executor run -'}>
      Whatever an agent or a person runs appears here, with every call that it made.
    </Empty>
  )
}
