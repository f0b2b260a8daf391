// The page Knowledge: retrieval pipelines with their documents, how far their indexes are, and a query to try.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import type { PipelineView } from "toolplane/client"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Input } from "../../ui/field.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import { useIsWide } from "../../ui/use-is-wide.ts"
import { IndexStatus } from "./index-state.tsx"
import { PipelineDialog } from "./pipeline-dialog.tsx"
import { PipelineDrawer } from "./drawer.tsx"
import { counted, pipelinesQuery } from "./queries.ts"
import type { KnowledgeFilters } from "./queries.ts"

const embeddingText = ({ embedding }: PipelineView): string =>
  embedding === null ? "words alone" : `${embedding.provider} ${embedding.model}, ${embedding.dimensions.toLocaleString("en")}`

const wideColumns: readonly Column<PipelineView>[] = [
  {
    id: "name",
    label: "Pipeline",
    width: "minmax(200px, 2fr)",
    cell: ({ name, slug }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <Line className="truncate font-medium">{name}</Line>
        <Mono className="truncate text-tertiary">{slug}</Mono>
      </span>
    ),
  },
  { id: "documents", label: "Documents", width: "88px", cell: ({ documents }) => documents.toLocaleString("en") },
  { id: "chunks", label: "Chunks", width: "88px", cell: ({ chunks }) => chunks.toLocaleString("en") },
  { id: "embedding", label: "Compared by", width: "minmax(140px, 1fr)", cell: (row) => <Line>{embeddingText(row)}</Line> },
  { id: "index", label: "Index", width: "210px", cell: (row) => <IndexStatus pipeline={row} /> },
]

/** On a phone, a row has two lines. */
const narrowColumns: readonly Column<PipelineView>[] = [
  {
    id: "pipeline",
    label: "Pipeline",
    width: "minmax(0, 1fr)",
    cell: (row) => (
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <Line className="min-w-0 flex-1 truncate font-medium">{row.name}</Line>
          <IndexStatus pipeline={row} />
        </span>
        <span className="truncate text-sm text-secondary">
          {counted(row.documents, "document")}, {counted(row.chunks, "chunk")}
        </span>
      </span>
    ),
  },
]

export function Page(): ReactNode {
  const [filters, set] = useFilters<keyof KnowledgeFilters>()
  const { data, error, refetch } = useQuery(pipelinesQuery)
  const missing = useMissingRight("registry.write")
  const addButton = (
    <Button kind="primary" reason={missing} onClick={() => set({ add: "yes" }, { isStep: true })}>
      <Plus size={14} aria-hidden="true" /> New pipeline
    </Button>
  )
  const open = (slug: string | undefined): void =>
    set({ pipeline: slug, tab: undefined, find: undefined, ask: undefined }, { isStep: slug !== undefined })
  return (
    <PageFrame
      title="Knowledge"
      note={data === undefined || data.length === 0 ? undefined : counted(data.length, "pipeline")}
      actions={data === undefined || data.length === 0 ? undefined : addButton}
    >
      {error !== null ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton />
      ) : data.length === 0 ? (
        <Empty title="No pipelines yet" action={addButton} command="executor pipelines create Handbook">
          A pipeline holds documents that agents and tools ask in plain words.
        </Empty>
      ) : (
        <Pipelines all={data} filters={filters} onQuery={(q) => set({ q })} onOpen={open} />
      )}
      {filters.pipeline === undefined ? null : (
        <PipelineDrawer key={filters.pipeline} id={filters.pipeline} filters={filters} onFilters={set} onClose={() => open(undefined)} />
      )}
      {filters.add === undefined ? null : (
        <PipelineDialog
          onClose={() => set({ add: undefined })}
          onSaved={({ slug }) => set({ add: undefined, pipeline: slug, tab: "documents" })}
        />
      )}
    </PageFrame>
  )
}

type PipelinesProps = {
  readonly all: readonly PipelineView[]
  readonly filters: KnowledgeFilters
  readonly onQuery: (q: string | undefined) => void
  readonly onOpen: (slug: string) => void
}

function Pipelines({ all, filters: { q = "", pipeline }, onQuery, onOpen }: PipelinesProps): ReactNode {
  const isWide = useIsWide()
  const shown = all.filter((row) => fits(row, q))
  return (
    <>
      <Input
        data-filter
        type="search"
        aria-label="Filter pipelines"
        placeholder="Filter by name…"
        value={q}
        onChange={({ target: { value } }) => onQuery(value === "" ? undefined : value)}
        className="max-w-80 shrink-0"
      />
      {shown.length === 0 ? (
        <Empty title="No pipeline fits this filter" action={<Button onClick={() => onQuery(undefined)}>Clear the filter</Button>} />
      ) : (
        <DataTable
          label="Pipelines"
          columns={isWide ? wideColumns : narrowColumns}
          rowHeight={isWide ? 36 : 56}
          rowCount={shown.length}
          rowAt={(index) => shown[index]}
          rowKey={({ slug }) => slug}
          onOpen={({ slug }) => onOpen(slug)}
          openKey={pipeline ?? null}
        />
      )}
    </>
  )
}

const fits = ({ name, slug }: PipelineView, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${safeLine(name)} ${slug}`.toLowerCase().includes(word))
