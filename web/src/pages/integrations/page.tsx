// The page Integrations: what is in the catalog, and ways to add to it.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { Input } from "../../ui/field.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { AddDialog } from "./add-dialog.tsx"
import { connectionsQuery, counted, integrationsQuery } from "../../api/catalog.ts"
import { IntegrationTable, rowsOf } from "./table.tsx"
import type { IntegrationRow } from "./table.tsx"

export function Page(): ReactNode {
  const [{ q = "", add }, set] = useFilters<"q" | "add" | "find" | "category">()
  const integrations = useQuery(integrationsQuery)
  const connections = useQuery(connectionsQuery())
  const missing = useMissingRight("connections.org")
  const error = integrations.error ?? connections.error
  const rows = integrations.data === undefined ? null : rowsOf(integrations.data, connections.data ?? [])
  const shown = rows?.filter((row) => fits(row, q)) ?? []
  const addButton = (
    <Button kind="primary" reason={missing} onClick={() => set({ add: "presets" }, { isStep: true })}>
      <Plus size={14} aria-hidden="true" /> Add integration
    </Button>
  )
  return (
    <PageFrame
      title="Integrations"
      note={rows === null || rows.length === 0 ? undefined : counted(rows.length, "integration")}
      actions={rows?.length === 0 ? undefined : addButton}
    >
      {error === null ? null : <Failure error={error} onRetry={() => void Promise.all([integrations.refetch(), connections.refetch()])} />}
      {error === null && rows === null ? <Skeleton /> : null}
      {error === null && rows?.length === 0 ? (
        <Empty title="No integrations yet" action={addButton} command="executor integrations add github">
          Add an API or an MCP server, and its operations become tools for your agents.
        </Empty>
      ) : null}
      {error === null && rows !== null && rows.length > 0 ? (
        <>
          <Input
            data-filter
            type="search"
            aria-label="Filter integrations"
            placeholder="Filter by name, kind or host…"
            value={q}
            onChange={(event) => set({ q: event.target.value })}
            className="max-w-80 shrink-0"
          />
          {shown.length === 0 ? (
            <Empty
              title="No integration fits this filter"
              action={<Button onClick={() => set({ q: undefined })}>Clear the filter</Button>}
            />
          ) : (
            <IntegrationTable rows={shown} />
          )}
        </>
      ) : null}
      {add === undefined ? null : (
        <AddDialog
          tab={add}
          onTab={(tab) => set({ add: tab })}
          onClose={() => set({ add: undefined, find: undefined, category: undefined })}
        />
      )}
    </PageFrame>
  )
}

function fits({ integration }: IntegrationRow, query: string): boolean {
  const text = [integration.slug, integration.name, integration.kind, ...integration.facts.origins].join(" ").toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
