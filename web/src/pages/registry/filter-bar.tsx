// Search and filters of the registry. They live in the address.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { X } from "lucide-react"
import { TOOL_SUBTYPES } from "toolplane/tool-types"
import { Button } from "../../ui/button.tsx"
import { Input, Select } from "../../ui/field.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { statusLabels } from "../../ui/tool-badges.tsx"
import { integrationsQuery, toolStatuses } from "./queries.ts"
import type { RegistryFilters } from "./queries.ts"

type FilterBarProps = {
  readonly filters: RegistryFilters
  readonly onChange: (change: { [name in keyof RegistryFilters]?: string | undefined }) => void
}

/** Typing waits a moment before the server is asked. */
const typingMs = 200

export function FilterBar({ filters, onChange }: FilterBarProps): ReactNode {
  const { data: integrations = [] } = useQuery(integrationsQuery)
  const isFiltered = [filters.q, filters.status, filters.bucket, filters.subtype, filters.integration].some((value) => value !== undefined)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput value={filters.q ?? ""} onChange={(q) => onChange({ q })} />
      <Choice
        label="Status"
        value={filters.status}
        options={toolStatuses.map((status) => [status, statusLabels[status]])}
        onChange={(status) => onChange({ status })}
      />
      <Choice
        label="Subtype"
        value={filters.subtype}
        options={TOOL_SUBTYPES.map(({ id, label }) => [id, label])}
        onChange={(subtype) => onChange({ subtype })}
      />
      <Choice
        label="Integration"
        value={filters.integration}
        options={integrations}
        onChange={(integration) => onChange({ integration })}
      />
      {isFiltered ? (
        <Button
          kind="quiet"
          onClick={() => onChange({ q: undefined, status: undefined, bucket: undefined, subtype: undefined, integration: undefined })}
        >
          <X size={14} aria-hidden="true" /> Clear filters
        </Button>
      ) : null}
    </div>
  )
}

function SearchInput({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }): ReactNode {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onChange(text), typingMs)
    return () => clearTimeout(timer)
    // Only what is typed starts it again.
  }, [text])
  return (
    <Input
      data-filter=""
      type="search"
      aria-label="Search tools"
      placeholder="Search tools by name or description"
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="!w-full min-[900px]:!w-72"
    />
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly (readonly [string, string])[]
  readonly onChange: (value: string | undefined) => void
}

/** A value that is not among the options, from an old link, is still shown. */
const Choice = ({ label, value, options, onChange }: ChoiceProps): ReactNode => (
  <Select
    aria-label={label}
    value={value ?? ""}
    onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
    className={`!w-auto max-w-56 ${value === undefined ? "text-secondary" : "border-accent"}`}
  >
    <option value="">{label}: all</option>
    {[...options, ...(value === undefined || options.some(([id]) => id === value) ? [] : [[value, value] as const])].map(([id, text]) => (
      <option key={id} value={id}>
        {safeLine(text)}
      </option>
    ))}
  </Select>
)
