// The filters of the list of executions.
import type { ReactNode } from "react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { ExecutionFilter } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useFilters } from "../../app/search.ts"
import type { Filters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { Select } from "../../ui/field.tsx"
import { Typed } from "../../ui/lists/typed.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { isStatus, statusNames } from "./status.tsx"

type Name = "q" | "status" | "principal" | "tool" | "since"

const hourMs = 3_600_000
const spans: Readonly<Record<string, readonly [label: string, ms: number]>> = {
  "1h": ["Last hour", hourMs],
  "24h": ["Last 24 hours", 24 * hourMs],
  "7d": ["Last 7 days", 7 * 24 * hourMs],
  "30d": ["Last 30 days", 30 * 24 * hourMs],
}
const suggestionsMax = 10
const principalsMax = 200

/** As the API takes them. An unknown value of an old link filters nothing. */
export function toFilter({ q, status, principal, tool, since = "" }: Filters<Name>): ExecutionFilter {
  const span = spans[since]
  return {
    ...(q === undefined ? {} : { query: q }),
    ...(isStatus(status) ? { status } : {}),
    ...(principal === undefined ? {} : { principal }),
    ...(tool === undefined ? {} : { tool }),
    ...(span === undefined ? {} : { since: new Date(Date.now() - span[1]).toISOString() }),
  }
}

export const useExecutionFilters = () => useFilters<Name>()

export const noFilters = { q: undefined, status: undefined, principal: undefined, tool: undefined, since: undefined }

export function FilterBar(): ReactNode {
  const [filters, set] = useExecutionFilters()
  const isFiltered = Object.keys(filters).length > 0
  return (
    <search className="flex flex-wrap items-center gap-2">
      <Typed label="Find in code or id" value={filters.q ?? ""} onTyped={(q) => set({ q })} isMain />
      <Tool value={filters.tool ?? ""} onTyped={(tool) => set({ tool })} />
      <Select
        aria-label="Status"
        value={isStatus(filters.status) ? filters.status : ""}
        onChange={(event) => set({ status: event.target.value })}
        className="!w-auto"
      >
        <option value="">Any status</option>
        {statusNames.map(([status, name]) => (
          <option key={status} value={status}>
            {name}
          </option>
        ))}
      </Select>
      <Principal value={filters.principal ?? ""} onChange={(principal) => set({ principal })} />
      <Select
        aria-label="Started"
        value={filters.since !== undefined && Object.hasOwn(spans, filters.since) ? filters.since : ""}
        onChange={(event) => set({ since: event.target.value })}
        className="!w-auto"
      >
        <option value="">Any time</option>
        {Object.entries(spans).map(([since, [label]]) => (
          <option key={since} value={since}>
            {label}
          </option>
        ))}
      </Select>
      {isFiltered ? (
        <Button kind="quiet" onClick={() => set(noFilters)}>
          Clear filters
        </Button>
      ) : null}
    </search>
  )
}

type ToolProps = { readonly value: string; readonly onTyped: (text: string | undefined) => void }

function Tool({ value, onTyped }: ToolProps): ReactNode {
  const { data } = useQuery({
    queryKey: ["tools", "suggestions", value],
    queryFn: () => client.tools.search({ query: value, limit: suggestionsMax }),
    enabled: value.length > 1,
    placeholderData: keepPreviousData,
  })
  const paths = data?.items.map(({ path }) => path) ?? []
  return <Typed label="Tool called" value={value} onTyped={onTyped} options={paths} />
}

/** People, and the tokens of agents: all agents of one person act as that person. */
function Principal({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }): ReactNode {
  const page = { limit: principalsMax }
  const users = useQuery({ queryKey: ["users", "names"], queryFn: () => client.users.list(page) })
  const tokens = useQuery({ queryKey: ["tokens", "names"], queryFn: () => client.tokens.list(page) })
  const people = users.data?.items ?? []
  const agents = tokens.data?.items.filter(({ kind }) => kind === "agent") ?? []
  const isKnown = value === "" || people.some(({ id }) => id === value) || agents.some(({ id }) => id === value)
  return (
    <Select aria-label="Who" value={value} onChange={(event) => onChange(event.target.value)} className="!w-auto max-w-56">
      <option value="">Anybody</option>
      {isKnown ? null : <option value={value}>{safeLine(value)}</option>}
      <optgroup label="People">
        {people.map(({ id }) => (
          <option key={id} value={id}>
            {safeLine(id)}
          </option>
        ))}
      </optgroup>
      <optgroup label="Agents">
        {agents.map(({ id, name, user }) => (
          <option key={id} value={id}>
            {safeLine(`${name} for ${user}`)}
          </option>
        ))}
      </optgroup>
    </Select>
  )
}
