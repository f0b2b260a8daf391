// Searches that agents and people really made, with what they then called.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import { useInfiniteQuery } from "@tanstack/react-query"
import { ListPlus, Play } from "lucide-react"
import type { SearchMade, SearchOutcome } from "toolplane/client"
import { client } from "../../api/client.ts"
import { Status } from "../../ui/badge.tsx"
import type { Tone } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Select } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { toast } from "../../ui/toast.tsx"
import { outcomeLabels, searchOutcomes } from "./queries.ts"
import type { LabFilters } from "./queries.ts"
import type { Sets } from "./use-sets.ts"

type MadeTabProps = {
  readonly filters: LabFilters
  readonly onChange: (change: { outcome?: string | undefined }) => void
  readonly onTry: (query: string, namespace: string | null) => void
  readonly sets: Sets
}

const pageSize = 20

export function MadeTab({ filters, onChange, onTry, sets }: MadeTabProps): ReactNode {
  const outcome = searchOutcomes.find((one) => one === filters.outcome)
  const list = useInfiniteQuery({
    queryKey: ["executions", "searches", outcome],
    queryFn: ({ pageParam }) =>
      client.tools.searches({
        limit: pageSize,
        ...(outcome === undefined ? {} : { outcome }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  })
  const made = (list.data?.pages ?? []).flatMap(({ items }) => items)
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Select
          aria-label="What came of it"
          value={outcome ?? ""}
          onChange={(event) => onChange({ outcome: event.target.value === "" ? undefined : event.target.value })}
          className="!w-auto max-[899px]:!w-full"
        >
          <option value="">All searches</option>
          {searchOutcomes.map((one) => (
            <option key={one} value={one}>
              {outcomeLabels[one]}
            </option>
          ))}
        </Select>
        <p className="text-secondary">The latest, from executions that you may read.</p>
      </div>
      {list.error !== null ? (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Skeleton />
      ) : made.length === 0 ? (
        <NothingMade outcome={outcome} onClear={() => onChange({ outcome: undefined })} />
      ) : (
        <ul aria-label="Searches" className="flex flex-col gap-2">
          {made.map((one) => (
            <Made
              key={`${one.executionId} ${one.callKey}`}
              made={one}
              onTry={() => onTry(one.query, one.namespace)}
              onAdd={() => {
                sets.addCase(one.query, one.called)
                toast(`Added to ${safeLine(sets.open.name)}`)
              }}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage ? (
        <Button className="self-center" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show older searches
        </Button>
      ) : null}
    </div>
  )
}

type NothingProps = { readonly outcome: SearchOutcome | undefined; readonly onClear: () => void }

const NothingMade = ({ outcome, onClear }: NothingProps): ReactNode =>
  outcome === undefined ? (
    <Empty title="Nobody has searched yet" command={`echo 'return await tools.search({ query: "create an issue" })' | executor run -`}>
      What agents search for, and which tools they then call, appears here.
    </Empty>
  ) : (
    <Empty title="No search ended like this" action={<Button onClick={onClear}>Show all searches</Button>} />
  )

const tones: Readonly<Record<SearchOutcome, Tone>> = { first: "ok", other: "warn", none: "neutral", nothing: "danger" }

type MadeProps = { readonly made: SearchMade; readonly onTry: () => void; readonly onAdd: () => void }

const Made = ({ made, onTry, onAdd }: MadeProps): ReactNode => (
  <li className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-card border border-line p-3">
    <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-semibold break-words">
          <Line>{made.query}</Line>
        </span>
        {made.namespace === null ? null : (
          <span className="text-sm text-tertiary">
            in <Mono>{made.namespace}</Mono>
          </span>
        )}
        <Status tone={tones[made.outcome]}>{outcomeLabels[made.outcome]}</Status>
      </div>
      <p className="text-sm text-tertiary">
        <Line>{made.principal.tokenName ?? made.principal.user}</Line>, <Time at={made.time} />,{" "}
        <Link to="/executions/$id" params={{ id: made.executionId }} search={{ call: made.callKey }}>
          execution
        </Link>
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <dt className="text-secondary">First found</dt>
        <dd className="break-all">{made.found[0] === undefined ? "nothing" : <Mono>{made.found[0]}</Mono>}</dd>
        <dt className="text-secondary">Called</dt>
        <dd className="break-all">
          {made.called.length === 0
            ? "nothing"
            : made.called.map((path) => (
                <Mono key={path} className="block leading-5">
                  {path}
                </Mono>
              ))}
        </dd>
      </dl>
    </div>
    <div className="flex flex-wrap gap-2">
      <Button onClick={onTry} aria-label={`Try it: ${safeLine(made.query)}`}>
        <Play size={14} aria-hidden="true" /> Try it
      </Button>
      <Button
        kind="quiet"
        onClick={onAdd}
        aria-label={`Add to the evaluation set: ${safeLine(made.query)}`}
        reason={made.called.length === 0 ? "No tool was called: try it, and add the right one" : null}
      >
        <ListPlus size={15} aria-hidden="true" /> Add to set
      </Button>
    </div>
  </li>
)
