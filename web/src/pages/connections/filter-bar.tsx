// What narrows the list of connections.
import type { ReactNode } from "react"
import type { ConnectionView } from "toolplane/client"
import { connectionState, connectionStates, stateLabels } from "../../ui/connection-status.tsx"
import { Input, Select } from "../../ui/field.tsx"

export type ConnectionFilters = {
  readonly q?: string
  readonly state?: string
  readonly owner?: string
  readonly integration?: string
}

type BarProps = {
  readonly connections: readonly ConnectionView[]
  readonly filters: ConnectionFilters
  readonly onChange: (change: { readonly [Name in keyof ConnectionFilters]?: string | undefined }) => void
}

export function FilterBar({ connections, filters, onChange }: BarProps): ReactNode {
  const counts = Map.groupBy(connections, connectionState)
  const slugs = [...new Set(connections.map(({ integration }) => String(integration)))].toSorted()
  return (
    <div className="flex flex-wrap gap-2">
      <Input
        data-filter
        type="search"
        aria-label="Filter connections"
        placeholder="Filter by name or host…"
        value={filters.q ?? ""}
        onChange={(event) => onChange({ q: event.target.value })}
        className="!w-auto min-w-40 flex-1 min-[900px]:max-w-80"
      />
      <Select
        aria-label="Status"
        value={filters.state ?? ""}
        onChange={(event) => onChange({ state: event.target.value })}
        className="!w-auto"
      >
        <option value="">Any status</option>
        {connectionStates.map((state) => (
          <option key={state} value={state}>
            {stateLabels[state]} ({counts.get(state)?.length ?? 0})
          </option>
        ))}
      </Select>
      <Select
        aria-label="Owner"
        value={filters.owner ?? ""}
        onChange={(event) => onChange({ owner: event.target.value })}
        className="!w-auto"
      >
        <option value="">Any owner</option>
        <option value="org">Organization</option>
        <option value="user">Me</option>
      </Select>
      <Select
        aria-label="Integration"
        value={filters.integration ?? ""}
        onChange={(event) => onChange({ integration: event.target.value })}
        className="!w-auto max-w-48"
      >
        <option value="">Any integration</option>
        {slugs.map((slug) => (
          <option key={slug}>{slug}</option>
        ))}
      </Select>
    </div>
  )
}
