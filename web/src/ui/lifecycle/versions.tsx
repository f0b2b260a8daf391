// Versions with their author and reason, what differs between two of them, and the way back.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { DefinitionDiff } from "toolplane/client"
import { useFilters } from "../../app/search.ts"
import { Badge } from "../badge.tsx"
import { Button } from "../button.tsx"
import { Diff } from "../text/diff.tsx"
import { Select } from "../field.tsx"
import { Failure, Skeleton } from "../states.tsx"
import { Line, Mono, Prose, safeLine } from "../text/text.tsx"
import { Time } from "../text/time.tsx"
import { RollbackDialog } from "./rollback-dialog.tsx"

export type VersionRow = {
  readonly version: string
  readonly at: string | null
  readonly by: string | null
  readonly reason: string | null
  readonly isPublished: boolean
  /** Such as how much it is used. */
  readonly note: string | null
}

export type Rollback = {
  /** Why nobody, or not this person, can go back now. */
  readonly reason: string | null
  readonly send: (version: string) => Promise<{ readonly version: string }>
  readonly onDone: () => Promise<unknown>
  /** Whom it reaches, where that is known. */
  readonly usage?: ReactNode
}

type VersionsProps = {
  readonly rows: readonly VersionRow[]
  /** Null: its source decides which version there is. */
  readonly rollback: Rollback | null
  /** Also what nobody has published yet. */
  readonly hasWorkingCopy: boolean
  readonly diffKey: readonly unknown[]
  readonly loadDiff: (between: { readonly from: string; readonly to: string }) => Promise<DefinitionDiff>
}

export function Versions({ rows, rollback, hasWorkingCopy, diffKey, loadDiff }: VersionsProps): ReactNode {
  const [target, setTarget] = useState<string | null>(null)
  const published = rows.find(({ isPublished }) => isPublished)?.version ?? null
  const ids = [...(hasWorkingCopy ? ["working"] : []), ...rows.map(({ version }) => version)]
  return (
    <>
      <ul aria-label="Versions" className="flex flex-col">
        {rows.map((row) => (
          <Version key={row.version} row={row} rollback={rollback} onRollback={() => setTarget(row.version)} />
        ))}
      </ul>
      {rollback === null || target === null ? null : (
        <RollbackDialog
          to={target}
          from={published}
          rollback={rollback}
          diffKey={diffKey}
          loadDiff={loadDiff}
          onClose={() => setTarget(null)}
        />
      )}
      {ids.length < 2 ? null : <Compare ids={ids} diffKey={diffKey} loadDiff={loadDiff} />}
    </>
  )
}

type VersionProps = { readonly row: VersionRow; readonly rollback: Rollback | null; readonly onRollback: () => void }

function Version({ row, rollback, onRollback }: VersionProps): ReactNode {
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
        {row.note === null ? null : <p className="text-secondary">{row.note}</p>}
        {row.reason === null ? null : <Prose className="text-secondary">{row.reason}</Prose>}
      </div>
      {rollback === null || row.isPublished ? null : (
        <Button reason={rollback.reason} onClick={onRollback}>
          Roll back to {safeLine(row.version)}…
        </Button>
      )}
    </li>
  )
}

type CompareProps = Pick<VersionsProps, "diffKey" | "loadDiff"> & { readonly ids: readonly string[] }

function Compare({ ids, diffKey, loadDiff }: CompareProps): ReactNode {
  const [filters, setFilters] = useFilters<"from" | "to">()
  const from = filters.from ?? ids[1] ?? ""
  const to = filters.to ?? ids[0] ?? ""
  const diff = useQuery({ queryKey: [...diffKey, from, to], queryFn: () => loadDiff({ from, to }) })
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
