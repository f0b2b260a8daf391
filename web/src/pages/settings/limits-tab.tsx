// What the server allows, and why: read here, set where it is started.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { LimitView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useFilters } from "../../app/search.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Input } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Mono } from "../../ui/text/text.tsx"

export function LimitsTab(): ReactNode {
  const [{ q = "" }, set] = useFilters<"q">()
  const { data, error, refetch } = useQuery({
    queryKey: ["limits"],
    queryFn: () => client.limits.list(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton />
  const shown = data.filter((limit) => fits(limit, q))
  return (
    <div className="flex max-w-4xl flex-col gap-3">
      <p className="text-secondary">
        They cannot be changed here: whoever starts the server sets <Mono>EXECUTOR_LIMITS</Mono>, such as{" "}
        <Mono>{'{"callTimeoutMs":120000}'}</Mono>.
      </p>
      <Input
        data-filter
        type="search"
        aria-label="Filter limits"
        placeholder="Filter limits…"
        value={q}
        onChange={(event) => set({ q: event.target.value })}
        className="max-w-80"
      />
      {shown.length === 0 ? (
        <Empty title="No limit fits this filter" action={<Button onClick={() => set({ q: undefined })}>Clear the filter</Button>} />
      ) : (
        <ul aria-label="Limits" className="flex flex-col rounded-card border border-line">
          {shown.map((limit) => (
            <Row key={limit.name} limit={limit} />
          ))}
        </ul>
      )}
    </div>
  )
}

const Row = ({ limit: { name, value, unit, reason, default: usual } }: { readonly limit: LimitView }): ReactNode => (
  <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-b border-line px-3 py-2 last:border-b-0">
    <Mono className="min-w-0 flex-1 basis-64 break-all">{name}</Mono>
    <span className="tabular flex items-center gap-2 font-medium whitespace-nowrap">
      {shownValue(value, unit)}
      {value === usual ? null : <Badge tone="info">default {shownValue(usual, unit)}</Badge>}
    </span>
    <span className="w-full text-sm text-secondary">{reason}</span>
  </li>
)

const fits = ({ name, reason }: LimitView, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${name} ${reason}`.toLowerCase().includes(word))

const steps: Readonly<Record<LimitView["unit"], readonly (readonly [string, number])[]>> = {
  milliseconds: [
    ["days", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1000],
    ["ms", 1],
  ],
  bytes: [
    ["GB", 1024 ** 3],
    ["MB", 1024 ** 2],
    ["kB", 1024],
    ["bytes", 1],
  ],
  characters: [["characters", 1]],
  count: [["", 1]],
}

/** In the largest unit that leaves a whole number. */
function shownValue(value: number, unit: LimitView["unit"]): string {
  const [name, size] = steps[unit].find(([, each]) => value !== 0 && value % each === 0) ?? ["", 1]
  return `${(value / size).toLocaleString("en")} ${name}`.trim()
}
