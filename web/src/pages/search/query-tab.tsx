// One query: which tools it finds, in which order, and why.
import type { ReactNode } from "react"
import { useEffect, useId, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { SearchPage } from "toolplane/client"
import { Input, Select } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, safeLine } from "../../ui/text/text.tsx"
import { toast } from "../../ui/toast.tsx"
import { useSettled } from "../../ui/lists/use-settled.ts"
import { integrationsQuery } from "../registry/queries.ts"
import { Hit, gainOf } from "./hit.tsx"
import { explainedQuery } from "./queries.ts"
import type { LabFilters } from "./queries.ts"
import type { Sets } from "./use-sets.ts"

type QueryTabProps = {
  readonly filters: LabFilters
  readonly onChange: (change: { q?: string | undefined; namespace?: string | undefined }) => void
  readonly sets: Sets
}

export function QueryTab({ filters, onChange, sets }: QueryTabProps): ReactNode {
  const query = filters.q ?? ""
  const found = useQuery(explainedQuery(query, filters.namespace))
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <search className="flex flex-wrap items-center gap-2">
        <QueryInput value={query} onTyped={(q) => onChange({ q: q === "" ? undefined : q })} />
        <Namespace value={filters.namespace} onPicked={(namespace) => onChange({ namespace })} />
      </search>
      {query === "" ? (
        <Empty title="What would an agent ask?" command='executor tools search "create an issue"'>
          Write a request in plain words. You see which tools it finds, in which order, and what each word brought them.
        </Empty>
      ) : found.error !== null ? (
        <Failure error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <Skeleton />
      ) : (
        <Found page={found.data} query={query} isStale={found.isPlaceholderData} sets={sets} />
      )}
    </div>
  )
}

type FoundProps = { readonly page: SearchPage; readonly query: string; readonly isStale: boolean; readonly sets: Sets }

function Found({ page, query, isStale, sets }: FoundProps): ReactNode {
  const most = Math.max(...page.items.map(gainOf), 0)
  const count = page.total.toLocaleString("en")
  const shown = page.items.length
  return (
    <>
      <p role="status" className="text-secondary">
        {page.weak === true
          ? ""
          : shown === page.total
            ? `${count} ${page.total === 1 ? "tool" : "tools"}`
            : `The best ${shown} of ${count} tools`}
      </p>
      {page.weak === true ? (
        <div className="tint-warn rounded-card px-3 py-2">
          <strong>Weak.</strong> Most of the request is in none of the tools, so that probably none fits. Agents are shown three at most,
          and: <Line>{page.message ?? ""}</Line>
        </div>
      ) : null}
      <ol aria-label="Ranking" aria-busy={isStale} className="flex flex-col gap-2">
        {page.items.map((item, at) => (
          <Hit
            key={item.path}
            item={item}
            place={at + 1}
            most={most}
            onAdd={() => {
              sets.addCase(query, [item.path])
              toast(`Added to ${safeLine(sets.open.name)}: this tool answers the request`)
            }}
          />
        ))}
      </ol>
    </>
  )
}

/** What is typed counts once the typing pauses. */
function QueryInput({ value, onTyped }: { readonly value: string; readonly onTyped: (text: string) => void }): ReactNode {
  const [text, setText] = useState(value)
  const settled = useSettled(text)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (settled === text && settled !== value) onTyped(settled)
    // Only what has settled is a change.
  }, [settled])
  return (
    <Input
      type="search"
      aria-label="Query"
      placeholder="create an issue in a repository"
      maxLength={queryCharsMax}
      value={text}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      className="min-w-0 !w-auto flex-1 basis-72"
      data-filter={true}
    />
  )
}

const queryCharsMax = 1000

type NamespaceProps = { readonly value: string | undefined; readonly onPicked: (namespace: string | undefined) => void }

function Namespace({ value = "", onPicked }: NamespaceProps): ReactNode {
  const id = useId()
  const { data = [] } = useQuery(integrationsQuery)
  const isListed = value === "" || data.some(([slug]) => slug === value)
  const options = isListed ? data : [[value, value] as const, ...data]
  return (
    <Select
      id={id}
      aria-label="Namespace"
      value={value}
      onChange={(event) => onPicked(event.target.value === "" ? undefined : event.target.value)}
      className="!w-auto max-w-full max-[899px]:!w-full"
    >
      <option value="">All integrations</option>
      {options.map(([slug, label]) => (
        <option key={slug} value={slug}>
          {safeLine(label)}
        </option>
      ))}
    </Select>
  )
}
