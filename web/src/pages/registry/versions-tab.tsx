// The versions of a tool with how much it is used, what differs between two of them, and the way back.
import type { ReactNode } from "react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ToolVersionView, ToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Diff } from "../../ui/diff.tsx"
import { Select } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, Prose, safeLine } from "../../ui/text.tsx"
import { Time } from "../../ui/time.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { usageText, useToolUsage } from "../../ui/tool-usage.tsx"
import type { TabProps } from "./overview-tab.tsx"

type VersionRow = {
  readonly version: string
  readonly at: string | null
  readonly by: string | null
  readonly reason: string | null
  readonly isPublished: boolean
}

const versionsMax = 100

export function VersionsTab({ tool, made }: TabProps): ReactNode {
  const versions = useQuery({
    queryKey: ["tools", "versions", tool.address],
    queryFn: (): Promise<readonly VersionRow[]> => (tool.id === undefined ? importedVersions(tool) : madeVersions(tool.id)),
  })
  const usage = useToolUsage(tool.address, tool.status === "published" || tool.status === "deprecated")
  if (versions.error !== null) return <Failure error={versions.error} onRetry={() => void versions.refetch()} />
  if (versions.data === undefined) return <Skeleton />
  if (versions.data.length === 0) return <Empty title="No versions yet">Publishing the tool writes the first one.</Empty>
  const ids = [...(made?.hasUnpublishedChanges === true ? ["working"] : []), ...versions.data.map(({ version }) => version)]
  return (
    <div className="flex flex-col gap-4">
      <ul aria-label="Versions" className="flex flex-col">
        {versions.data.map((row) => (
          <Version
            key={row.version}
            row={row}
            usage={usage.data?.find(({ version }) => version === row.version)}
            id={tool.id}
            status={tool.status}
          />
        ))}
      </ul>
      {ids.length < 2 ? null : <Compare tool={tool} ids={ids} />}
    </div>
  )
}

async function madeVersions(id: string): Promise<readonly VersionRow[]> {
  return (await client.registry.versions(id, { limit: versionsMax })).items
}

async function importedVersions({ address, version }: ToolView): Promise<readonly VersionRow[]> {
  const { items } = await client.tools.versions(address, { limit: versionsMax })
  return items.map((item) => ({ version: item.version, at: item.at, by: null, reason: null, isPublished: item.version === version }))
}

type VersionProps = {
  readonly row: VersionRow
  readonly usage: ToolVersionView | undefined
  readonly id: string | undefined
  readonly status: ToolView["status"]
}

function Version({ row, usage, id, status }: VersionProps): ReactNode {
  const missing = useMissingRight("registry.publish")
  const queries = useQueryClient()
  const rollback = useMutation({
    mutationFn: () => client.registry.rollback(id ?? "", row.version),
    onSuccess: async ({ version }) => {
      toast(`Rolled back to ${row.version}, as version ${version}`)
      await queries.invalidateQueries({ queryKey: ["tools"] })
    },
    onError: toastError,
  })
  const reason = missing ?? (status === "published" || status === "draft" ? null : `A ${status} tool cannot be rolled back`)
  return (
    <li className="flex items-start justify-between gap-3 border-b border-line py-2">
      <div className="min-w-0">
        <span className="flex flex-wrap items-center gap-2">
          <Mono className="font-medium">{row.version}</Mono>
          {row.isPublished ? <Badge tone="ok">In production</Badge> : null}
          <span className="text-sm text-secondary">
            {row.at === null ? null : <Time at={row.at} />}
            {row.by === null ? null : (
              <>
                {" "}
                by <Line>{row.by}</Line>
              </>
            )}
          </span>
        </span>
        {usage === undefined ? null : <p className="text-secondary">{usageText(usage)}</p>}
        {row.reason === null ? null : <Prose className="text-secondary">{row.reason}</Prose>}
      </div>
      {id === undefined || row.isPublished ? null : (
        <Button isBusy={rollback.isPending} reason={reason} onClick={() => rollback.mutate()}>
          Roll back to {safeLine(row.version)}
        </Button>
      )}
    </li>
  )
}

function Compare({ tool, ids }: { readonly tool: ToolView; readonly ids: readonly string[] }): ReactNode {
  const [filters, setFilters] = useFilters<"from" | "to">()
  const from = filters.from ?? ids[1] ?? ""
  const to = filters.to ?? ids[0] ?? ""
  const diff = useQuery({
    queryKey: ["tools", "diff", tool.address, from, to],
    queryFn: () =>
      tool.id === undefined ? client.tools.diffVersions(tool.address, { from, to }) : client.registry.diff(tool.id, { from, to }),
  })
  const options = ids.map((id) => (
    <option key={id} value={id}>
      {id === "working" ? "Working copy" : safeLine(id)}
    </option>
  ))
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">What changed</h3>
      <div className="flex flex-wrap items-center gap-2">
        <span>From</span>
        <Select aria-label="From version" value={from} onChange={(event) => setFilters({ from: event.target.value })} className="!w-auto">
          {options}
        </Select>
        <span>to</span>
        <Select aria-label="To version" value={to} onChange={(event) => setFilters({ to: event.target.value })} className="!w-auto">
          {options}
        </Select>
      </div>
      {diff.error !== null ? (
        <Failure error={diff.error} onRetry={() => void diff.refetch()} />
      ) : diff.data === undefined ? (
        <Skeleton rows={2} />
      ) : (
        <Diff diff={diff.data} />
      )}
    </section>
  )
}
