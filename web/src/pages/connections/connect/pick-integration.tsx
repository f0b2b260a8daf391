// The first step of connecting: which integration.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { connectionsQuery, counted, integrationsQuery } from "../../../api/catalog.ts"
import { LinkButton } from "../../../ui/button.tsx"
import { Input } from "../../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx"
import { Line, Mono } from "../../../ui/text/text.tsx"

const shownMax = 100

export function PickIntegration({ onPick }: { readonly onPick: (slug: string) => void }): ReactNode {
  const [query, setQuery] = useState("")
  const integrations = useQuery(integrationsQuery)
  const { data: connections = [] } = useQuery(connectionsQuery())
  if (integrations.error !== null) return <Failure error={integrations.error} onRetry={() => void integrations.refetch()} />
  if (integrations.data === undefined) return <Skeleton rows={4} />
  const found = integrations.data.filter(({ slug, name, facts }) =>
    query
      .toLowerCase()
      .split(/\s+/)
      .every((word) => [slug, name, ...facts.origins].join(" ").toLowerCase().includes(word)),
  )
  const add = (
    <LinkButton to="/integrations" search={{ add: "presets" }}>
      Add an integration
    </LinkButton>
  )
  return (
    <div className="flex flex-col gap-3">
      <Input
        type="search"
        aria-label="Search integrations"
        placeholder="Search integrations…"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {found.length === 0 ? (
        <Empty title={integrations.data.length === 0 ? "No integrations yet" : "No integration fits"} action={add}>
          What is to be connected has to be in the catalog first.
        </Empty>
      ) : (
        <ul aria-label="Integrations" className="flex flex-col rounded-card border border-line">
          {found.slice(0, shownMax).map(({ slug, name }) => {
            const count = connections.filter(({ integration }) => integration === slug).length
            return (
              <li key={slug} className="border-b border-line last:border-b-0">
                <button
                  type="button"
                  onClick={() => onPick(slug)}
                  className="flex min-h-9 w-full items-center gap-2 px-3 py-1 text-left hover:bg-hover"
                >
                  <Line className="min-w-0 truncate font-medium">{name}</Line>
                  <Mono className="min-w-0 flex-1 truncate text-secondary">{slug}</Mono>
                  {count === 0 ? null : <span className="text-sm whitespace-nowrap text-secondary">{counted(count, "connection")}</span>}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {found.length > shownMax ? <p className="text-secondary">… and {found.length - shownMax} more: search for its name.</p> : null}
    </div>
  )
}
