// The gallery of well-known APIs and MCP servers, as cards.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { PresetView } from "toolplane/client"
import { presetCategories } from "../../../../src/core/presets/preset.ts"
import { useFilters } from "../../app/search.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Input, Select } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line } from "../../ui/text/text.tsx"
import { integrationsQuery, presetsQuery } from "../../api/catalog.ts"

type GalleryProps = { readonly onPick: (preset: PresetView) => void; readonly onUrl: () => void }

const categoryLabels: Readonly<Record<string, string>> = { ai: "AI", open_data: "Open data" }
const labelOf = (category: string): string => categoryLabels[category] ?? `${category.charAt(0).toUpperCase()}${category.slice(1)}`

const kinds = { openapi: "OpenAPI", graphql: "GraphQL", mcp: "MCP" } as const

export function PresetGallery({ onPick, onUrl }: GalleryProps): ReactNode {
  const [{ find = "", category = "" }, set] = useFilters<"find" | "category">()
  const [query, setQuery] = useState(find)
  const presets = useQuery(presetsQuery)
  const { data: integrations } = useQuery(integrationsQuery)
  if (presets.error !== null) return <Failure error={presets.error} onRetry={() => void presets.refetch()} />
  if (presets.data === undefined) return <Skeleton />
  const shown = presets.data.filter((preset) => fits(preset, query) && (category === "" || preset.category === category))
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Input
          type="search"
          aria-label="Search presets"
          placeholder="Search presets…"
          value={query}
          onChange={({ target: { value } }) => {
            setQuery(value)
            set({ find: value })
          }}
          className="!w-auto min-w-40 flex-1"
        />
        <Select aria-label="Category" value={category} onChange={(event) => set({ category: event.target.value })} className="!w-auto">
          <option value="">All categories</option>
          {presetCategories.map((one) => (
            <option key={one} value={one}>
              {labelOf(one)}
            </option>
          ))}
        </Select>
      </div>
      {shown.length === 0 ? (
        <Empty title="No preset fits" action={<Button onClick={onUrl}>Add by URL</Button>}>
          Any API with an OpenAPI document, a GraphQL endpoint or an MCP server can be added by its address.
        </Empty>
      ) : (
        <ul aria-label="Presets" className="grid gap-2 min-[600px]:grid-cols-2 min-[900px]:grid-cols-3">
          {shown.map((preset) => (
            <Card key={preset.id} preset={preset} isThere={integrations?.some(({ slug }) => slug === preset.id) ?? false} onPick={onPick} />
          ))}
        </ul>
      )}
    </div>
  )
}

type CardProps = { readonly preset: PresetView; readonly isThere: boolean; readonly onPick: (preset: PresetView) => void }

const Card = ({ preset, isThere, onPick }: CardProps): ReactNode => (
  <li>
    <button
      type="button"
      onClick={() => onPick(preset)}
      className="flex h-full w-full flex-col gap-1 rounded-card border border-line bg-raised p-3 text-left hover:bg-hover"
    >
      <span className="flex w-full items-center gap-2">
        <Line className="min-w-0 flex-1 truncate font-semibold">{preset.name}</Line>
        {isThere ? <Badge tone="ok">Added</Badge> : <Badge>{kinds[preset.kind]}</Badge>}
      </span>
      <Line className="line-clamp-2 flex-1 text-secondary">{preset.description}</Line>
      <span className="text-sm text-tertiary">{labelOf(preset.category)}</span>
    </button>
  </li>
)

function fits({ id, name, description, category }: PresetView, query: string): boolean {
  const text = `${id} ${name} ${description} ${category}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
