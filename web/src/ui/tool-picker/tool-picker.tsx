// Chooses tools out of a catalog of any size; README.md beside it describes its props.
import type { ReactNode } from "react"
import { Suspense, lazy, useState } from "react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { ToolFilter, ToolView } from "toolplane/client"
import { TOOL_BUCKETS, TOOL_SUBTYPES } from "toolplane/tool-types"
import { client } from "../../api/client.ts"
import { Input, Select } from "../field.tsx"
import { Empty, Failure, Skeleton } from "../states.tsx"
import { useSettled } from "../lists/use-settled.ts"
import { lengthOf, listGroups } from "./grouped-rows.ts"
import { PickerList } from "./picker-list.tsx"
import { Selected } from "./selected.tsx"
import { pathEntryOf } from "./selection.ts"
import type { EntryOf } from "./selection.ts"

const PickerDrawer = lazy(async () => ({ default: (await import("./picker-drawer.tsx")).PickerDrawer }))

export type ToolPickerProps = {
  /** Paths of tools and patterns. */
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  /** Why it cannot be changed. */
  readonly reason?: string | null
  /** How a tool is written into `value`. */
  readonly entryOf?: EntryOf
}

export function ToolPicker({ value, onChange, reason = null, entryOf = pathEntryOf }: ToolPickerProps): ReactNode {
  const [query, setQuery] = useState("")
  const [bucket, setBucket] = useState("")
  const [subtype, setSubtype] = useState("")
  const [shown, setShown] = useState<ToolView | null>(null)
  const text = useSettled(query.trim())
  const filter: ToolFilter = {
    includeBlocked: true,
    ...(text === "" ? {} : { query: text }),
    ...(subtype === "" ? {} : { implementationType: subtype }),
  }
  const counts = useQuery({
    queryKey: ["tools", "summary", filter],
    queryFn: () => client.tools.summary(filter),
    placeholderData: keepPreviousData,
  })
  const groups = counts.data === undefined ? [] : listGroups(counts.data.buckets, TOOL_BUCKETS.find(({ id }) => id === bucket)?.id)
  const toggle = (tool: ToolView): void => {
    const entry = entryOf(tool)
    onChange(value.includes(entry) ? value.filter((other) => other !== entry) : [...value, entry])
  }
  return (
    <div className="grid gap-4 min-[900px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-2">
        <div className="flex flex-wrap gap-2">
          <Input
            type="search"
            aria-label="Search tools"
            placeholder="Search tools"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="!w-auto min-w-40 flex-1"
          />
          <Filter label="Bucket" value={bucket} options={TOOL_BUCKETS} onChange={setBucket} />
          <Filter label="Subtype" value={subtype} options={TOOL_SUBTYPES} onChange={setSubtype} />
        </div>
        {counts.error !== null ? (
          <Failure error={counts.error} onRetry={() => void counts.refetch()} />
        ) : counts.data === undefined ? (
          <Skeleton />
        ) : lengthOf(groups) === 0 ? (
          <Empty title="No tool fits these filters">Search for something else, or choose another bucket or subtype.</Empty>
        ) : (
          <PickerList
            key={`${text} ${bucket} ${subtype}`}
            filter={filter}
            groups={groups}
            value={value}
            entryOf={entryOf}
            isFixed={reason !== null}
            onToggle={toggle}
            onShow={setShown}
          />
        )}
      </div>
      <Selected value={value} onChange={onChange} reason={reason} />
      <Suspense>{shown === null ? null : <PickerDrawer tool={shown} onClose={() => setShown(null)} />}</Suspense>
    </div>
  )
}

type FilterProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

const Filter = ({ label, value, options, onChange }: FilterProps): ReactNode => (
  <Select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)} className="!w-auto">
    <option value="">{label}: all</option>
    {options.map((option) => (
      <option key={option.id} value={option.id}>
        {option.label}
      </option>
    ))}
  </Select>
)
