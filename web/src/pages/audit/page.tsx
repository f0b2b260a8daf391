// The audit: who did what, what was decided, and how it ended.
import type { ReactNode } from "react"
import { useState } from "react"
import type { AuditView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { withoutRoot } from "../../../../src/core/address.ts"
import { useFilters } from "../../app/search.ts"
import { Status } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Menu, MenuItem } from "../../ui/menu.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { toastError } from "../../ui/toast.tsx"
import { useIsWide } from "../../ui/use-is-wide.ts"
import { usePages } from "../../ui/lists/use-pages.ts"
import type { PagedRows } from "../../ui/lists/use-pages.ts"
import { EntryDrawer, whoOf } from "./entry-drawer.tsx"
import { exportAudit } from "./export.ts"
import type { ExportFormat } from "./export.ts"
import { FilterBar, noFilters, toFilter } from "./filters.tsx"
import type { AuditFilters } from "./filters.tsx"

/** Nothing failed: a human is asked. */
const waitingOutcomes: ReadonlySet<string> = new Set(["waiting", "waiting_for_interaction", "approval_required"])

const Outcome = ({ outcome }: { readonly outcome: string }): ReactNode => (
  <Status tone={outcome === "ok" ? "ok" : waitingOutcomes.has(outcome) ? "waiting" : "danger"}>{safeLine(outcome)}</Status>
)

const wideColumns: readonly Column<AuditView>[] = [
  { id: "time", label: "Time", width: "92px", cell: ({ at }) => <Time at={at} /> },
  { id: "who", label: "Who", width: "minmax(80px, 140px)", cell: (entry) => <Line>{whoOf(entry)}</Line> },
  { id: "action", label: "Action", width: "144px", cell: ({ action }) => <Mono>{action}</Mono> },
  { id: "subject", label: "Subject", width: "minmax(160px, 1fr)", cell: ({ subject }) => <Mono>{withoutRoot(subject)}</Mono> },
  { id: "decision", label: "Decision", width: "120px", cell: ({ decision }) => <Mono className="text-secondary">{decision ?? ""}</Mono> },
  { id: "outcome", label: "Outcome", width: "128px", cell: ({ outcome }) => <Outcome outcome={outcome} /> },
]

/** On a phone, a row has two lines. */
const narrowColumns: readonly Column<AuditView>[] = [
  {
    id: "entry",
    label: "Entry",
    width: "minmax(0, 1fr)",
    cell: (entry) => (
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <Mono className="min-w-0 flex-1 truncate">{entry.action}</Mono>
          <Outcome outcome={entry.outcome} />
        </span>
        <Mono className="truncate text-secondary">{withoutRoot(entry.subject)}</Mono>
        <span className="truncate text-sm text-tertiary">
          <Line>{whoOf(entry)}</Line>, <Time at={entry.at} />
        </span>
      </span>
    ),
  },
]

export function Page(): ReactNode {
  const [filters, setFilters] = useFilters<keyof AuditFilters>()
  const filter = toFilter(filters)
  const open = (entry: string | undefined): void => setFilters({ entry }, { isStep: entry !== undefined })
  return (
    <PageFrame title="Audit" actions={<Export filters={filters} />}>
      <FilterBar filters={filters} onChange={setFilters} />
      <Entries key={JSON.stringify(filter)} filters={filters} onClear={() => setFilters(noFilters)} onOpen={open} />
    </PageFrame>
  )
}

type EntriesProps = {
  readonly filters: AuditFilters
  readonly onClear: () => void
  readonly onOpen: (id: string | undefined) => void
}

function Entries(props: EntriesProps): ReactNode {
  const filter = toFilter(props.filters)
  const { entry: openId } = props.filters
  const rows = usePages(["audit", "list", filter], (page) => client.audit.list({ ...filter, ...page }))
  const listed = Array.from({ length: rows.rowCount }, (_, at) => rows.rowAt(at)).find((entry) => entry?.id === openId)
  return (
    <>
      <EntryList {...props} rows={rows} />
      <EntryDrawer id={openId} listed={listed} onClose={() => props.onOpen(undefined)} />
    </>
  )
}

function EntryList({ filters, rows, onClear, onOpen }: EntriesProps & { readonly rows: PagedRows<AuditView> }): ReactNode {
  const isWide = useIsWide()
  if (rows.error !== null && rows.rowCount === 0) return <Failure error={rows.error} onRetry={rows.retry} />
  if (rows.isLoading) return <Skeleton rows={10} />
  if (rows.rowCount === 0)
    return Object.keys(toFilter(filters)).length > 0 ? (
      <Empty title="No entry fits these filters" action={<Button onClick={onClear}>Clear filters</Button>} command="executor audit list">
        Names, actions and outcomes are compared as a whole.
      </Empty>
    ) : (
      <Empty title="Nothing was recorded yet" command='echo "return 6 * 7" | executor run -'>
        Every call and every change that people make appears here.
      </Empty>
    )
  return (
    <>
      {rows.isOutdated ? (
        <Button onClick={rows.refresh} className="self-center">
          There are newer entries. Show them
        </Button>
      ) : null}
      <DataTable
        label="Audit"
        columns={isWide ? wideColumns : narrowColumns}
        rowHeight={isWide ? 36 : 68}
        rowCount={rows.rowCount}
        rowAt={rows.rowAt}
        rowKey={({ id }) => id}
        onRange={rows.onRange}
        onOpen={({ id }) => onOpen(id)}
        openKey={filters.entry ?? null}
      />
    </>
  )
}

function Export({ filters }: { readonly filters: AuditFilters }): ReactNode {
  const missing = useMissingRight("auditor")
  const [isBusy, setBusy] = useState(false)
  const filter = toFilter(filters)
  const isFiltered = Object.keys(filter).length > 0
  const run = (format: ExportFormat): void => {
    setBusy(true)
    exportAudit(filter, format)
      .catch(toastError)
      .finally(() => setBusy(false))
  }
  // What is filtered is what the person reads here; the chain as a whole is the auditor's.
  const reason = isFiltered ? null : missing
  return (
    <Menu trigger={<Button isBusy={isBusy}>{isFiltered ? "Export what is filtered" : "Export"}</Button>}>
      <MenuItem reason={reason} onSelect={() => run("ndjson")}>
        JSON lines
      </MenuItem>
      <MenuItem reason={reason} onSelect={() => run("csv")}>
        CSV
      </MenuItem>
    </Menu>
  )
}
