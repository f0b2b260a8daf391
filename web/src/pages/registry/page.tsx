// The registry: every tool that agents can use, where it comes from, and where it stands in its lifecycle.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button, LinkButton } from "../../ui/button.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Buckets } from "./buckets.tsx"
import { ToolDrawer } from "./drawer.tsx"
import { FilterBar } from "./filter-bar.tsx"
import { NewToolDialog } from "./new/dialog.tsx"
import { countsQuery, toToolFilter, totalIn } from "./queries.ts"
import type { RegistryFilters } from "./queries.ts"
import { ToolTable } from "./table.tsx"

export function Page(): ReactNode {
  const [filters, setFilters] = useFilters<keyof RegistryFilters>()
  const filter = toToolFilter(filters)
  const counts = useQuery(countsQuery(filter))
  const total = counts.data === undefined ? undefined : totalIn(counts.data, filter.toolType)
  const missing = useMissingRight("registry.write")
  const mayNotImport = useMissingRight("connections.org")
  const newTool = (
    <Button kind="primary" reason={missing} onClick={() => setFilters({ new: "choose" }, { isStep: true })}>
      New tool
    </Button>
  )
  return (
    <PageFrame
      title="Registry"
      note={total === undefined ? "" : `${total.toLocaleString("en")} ${total === 1 ? "tool" : "tools"}`}
      actions={
        <>
          <LinkButton to="/integrations" search={{ add: "presets" }} reason={mayNotImport}>
            Import an API
          </LinkButton>
          {newTool}
        </>
      }
    >
      <Buckets counts={counts.data} chosen={filter.toolType} onChoose={(bucket) => setFilters({ bucket })} />
      <FilterBar filters={filters} onChange={setFilters} />
      {counts.error !== null ? (
        <Failure error={counts.error} onRetry={() => void counts.refetch()} />
      ) : total === undefined ? (
        <Skeleton />
      ) : total === 0 ? (
        <NoTools
          onClear={() => setFilters({ q: undefined, status: undefined, bucket: undefined, subtype: undefined, integration: undefined })}
        />
      ) : (
        <ToolTable
          filter={filter}
          total={total}
          open={filters.tool}
          onOpen={({ address }) => setFilters({ tool: address, tab: undefined }, { isStep: true })}
        />
      )}
      <NewToolDialog
        step={filters.new}
        onStep={(step) => setFilters({ new: step })}
        onSaved={(tool) => setFilters({ new: undefined, tool: tool.address, tab: "test" })}
      />
      <ToolDrawer
        address={filters.tool}
        tab={filters.tab}
        onTab={(tab) => setFilters({ tab })}
        onClose={() => setFilters({ tool: undefined, tab: undefined, edit: undefined, from: undefined, to: undefined })}
      />
    </PageFrame>
  )
}

/** There are always the built-ins, so that only a filter leaves nothing. */
const NoTools = ({ onClear }: { readonly onClear: () => void }): ReactNode => (
  <Empty title="No tool fits these filters" action={<Button onClick={onClear}>Clear filters</Button>} command="executor tools list">
    Clear them to see every tool, or make a new one.
  </Empty>
)
