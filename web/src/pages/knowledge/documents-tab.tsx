// The documents of a pipeline: found by title or source, added as text or files, and removed.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { useMutation } from "@tanstack/react-query"
import { Trash2 } from "lucide-react"
import type { DocumentView, PipelineView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Button, IconButton } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { Input } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { usePages } from "../../ui/lists/use-pages.ts"
import { useSettled } from "../../ui/lists/use-settled.ts"
import { FileDrop } from "./file-drop.tsx"
import { refreshPipelines } from "./queries.ts"
import { TextDialog } from "./text-dialog.tsx"

type TabProps = { readonly pipeline: PipelineView; readonly find: string | undefined; readonly onFind: (find: string | undefined) => void }

export function DocumentsTab({ pipeline, find, onFind }: TabProps): ReactNode {
  const missing = useMissingRight("registry.write")
  const missingPublish = useMissingRight("registry.publish")
  const [isAdding, setAdding] = useState(false)
  const canList = missing === null || missingPublish === null
  return (
    <div className="flex flex-col gap-4">
      <FileDrop pipeline={pipeline} reason={missing} onText={() => setAdding(true)} />
      {canList ? (
        <>
          <Find find={find} onFind={onFind} />
          <Documents key={find ?? ""} pipeline={pipeline} find={find} missing={missing} onClear={() => onFind(undefined)} />
        </>
      ) : (
        <Empty title="The documents are for those who edit tools">{missing}. You can still try a query.</Empty>
      )}
      {isAdding ? <TextDialog pipeline={pipeline} onClose={() => setAdding(false)} /> : null}
    </div>
  )
}

/** What is typed counts once the typing pauses. */
function Find({ find, onFind }: Pick<TabProps, "find" | "onFind">): ReactNode {
  const [text, setText] = useState(find ?? "")
  const settled = useSettled(text)
  useEffect(() => setText(find ?? ""), [find])
  useEffect(() => {
    if (settled === text && settled !== (find ?? "")) onFind(settled === "" ? undefined : settled)
    // Only what has settled is a change.
  }, [settled])
  return (
    <Input
      type="search"
      aria-label="Find documents"
      placeholder="Find by title or source…"
      value={text}
      onChange={({ target: { value } }) => setText(value)}
    />
  )
}

type DocumentsProps = {
  readonly pipeline: PipelineView
  readonly find: string | undefined
  readonly missing: string | null
  readonly onClear: () => void
}

function Documents({ pipeline, find, missing, onClear }: DocumentsProps): ReactNode {
  const [asked, setAsked] = useState<DocumentView | null>(null)
  const rows = usePages(["pipelines", "documents", pipeline.id, find ?? null], (page) =>
    client.pipelines.documents.list(pipeline.id, { ...page, ...(find === undefined ? {} : { query: find }) }),
  )
  const remove = useMutation({
    mutationFn: ({ id }: DocumentView) => client.pipelines.documents.remove(pipeline.id, id),
    onSuccess: async (_, { title }) => {
      setAsked(null)
      await refreshPipelines()
      toast(`${title} is removed`)
    },
    onError: toastError,
  })
  if (rows.error !== null && rows.rowCount === 0) return <Failure error={rows.error} onRetry={rows.retry} />
  if (rows.isLoading) return <Skeleton rows={4} />
  if (rows.rowCount === 0)
    return find === undefined ? (
      <Empty title="No documents yet" command={`executor pipelines add ${pipeline.slug} docs/`}>
        Drop text, Markdown or HTML files above, or write a text.
      </Empty>
    ) : (
      <Empty title="No document fits" action={<Button onClick={onClear}>Show all</Button>}>
        Titles and sources are searched. To search what documents say, try a query.
      </Empty>
    )
  const loaded = Array.from({ length: rows.rowCount }, (_, at) => rows.rowAt(at)).filter((row) => row !== undefined)
  return (
    <>
      {rows.isOutdated ? <Button onClick={rows.refresh}>The documents have changed. Show them anew</Button> : null}
      <ul aria-label="Documents" className="flex flex-col rounded-card border border-line">
        {loaded.map((document) => (
          <Row key={document.id} document={document} missing={missing} onRemove={() => setAsked(document)} />
        ))}
      </ul>
      {rows.rowCount > loaded.length ? (
        <Button onClick={() => rows.onRange(0, rows.rowCount - 1)} className="self-center">
          Show more documents
        </Button>
      ) : null}
      {asked === null ? null : (
        <Confirm
          title={`Remove ${safeLine(asked.title)}?`}
          action="Remove the document"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(asked)}
          onClose={() => setAsked(null)}
        >
          It is not found any more. To get it back, add it again.
        </Confirm>
      )}
    </>
  )
}

type RowProps = { readonly document: DocumentView; readonly missing: string | null; readonly onRemove: () => void }

const Row = ({ document: { title, source, bytes, updatedAt }, missing, onRemove }: RowProps): ReactNode => (
  <li className="flex items-center justify-between gap-2 border-b border-line px-3 py-2 last:border-b-0">
    <div className="flex min-w-0 flex-1 flex-col">
      <Line className="truncate font-medium">{title}</Line>
      <span className="flex min-w-0 gap-2 text-sm text-tertiary">
        {source === null || source === title ? null : <Mono className="min-w-0 truncate">{source}</Mono>}
        <span className="whitespace-nowrap">
          {sizeText(bytes)}, <Time at={updatedAt} />
        </span>
      </span>
    </div>
    <IconButton label={missing ?? `Remove ${safeLine(title)}`} reason={missing} onClick={onRemove}>
      <Trash2 size={14} aria-hidden="true" />
    </IconButton>
  </li>
)

const sizeText = (bytes: number): string =>
  bytes < 1000 ? `${bytes} bytes` : bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
