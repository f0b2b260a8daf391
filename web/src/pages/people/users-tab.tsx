// The list of people, or that of service accounts. The server filters it.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { X } from "lucide-react"
import type { UserFilter, UserView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { rolesQuery } from "../../api/people.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Select } from "../../ui/field.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { Typed } from "../../ui/lists/typed.tsx"
import { useIsWide } from "../../ui/use-is-wide.ts"
import { usePages } from "../../ui/lists/use-pages.ts"
import { RoleBadges, sourceNames, sourceText, statusNames, StatusOf } from "./labels.tsx"
import type { PeopleFilters } from "./queries.ts"

const Seen = ({ at }: { readonly at: string | null }): ReactNode =>
  at === null ? <span className="text-tertiary">never</span> : <Time at={at} />

const wideColumns: readonly Column<UserView>[] = [
  {
    id: "name",
    label: "Name",
    width: "minmax(160px, 1fr)",
    cell: ({ id, name }) => (
      <>
        <Line>{name}</Line> <Mono className="ml-1 text-tertiary">{id}</Mono>
      </>
    ),
  },
  { id: "email", label: "E-mail", width: "minmax(120px, 1fr)", cell: ({ email }) => <Line className="text-secondary">{email ?? ""}</Line> },
  { id: "status", label: "Status", width: "96px", cell: ({ status }) => <StatusOf status={status} /> },
  { id: "source", label: "Source", width: "120px", cell: ({ source }) => <Line className="text-secondary">{sourceText(source)}</Line> },
  { id: "roles", label: "Roles", width: "minmax(140px, 1fr)", cell: ({ roles, status }) => <RoleBadges roles={roles} status={status} /> },
  { id: "seen", label: "Last seen", width: "104px", cell: ({ lastSeenAt }) => <Seen at={lastSeenAt} /> },
]

/** On a phone, a row has two lines. */
const narrowColumns: readonly Column<UserView>[] = [
  {
    id: "person",
    label: "Person",
    width: "minmax(0, 1fr)",
    cell: ({ name, status, roles, lastSeenAt }) => (
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <Line className="min-w-0 flex-1 truncate">{name}</Line>
          <StatusOf status={status} />
        </span>
        <span className="flex items-center gap-2 truncate text-sm text-tertiary">
          <span className="min-w-0 flex-1 truncate">
            <RoleBadges roles={roles} status={status} />
          </span>
          <Seen at={lastSeenAt} />
        </span>
      </span>
    ),
  },
]

/** An unknown value of an old link filters nothing. */
const oneOf = <Name extends string>(names: Readonly<Record<Name, string>>, value: string | undefined): Name | undefined =>
  (Object.keys(names) as Name[]).find((name) => name === value) // its own names

function toFilter({ q, status, source, role }: PeopleFilters): UserFilter {
  const known = { status: oneOf(statusNames, status), source: oneOf(sourceNames, source) }
  return {
    ...(q === undefined ? {} : { query: q }),
    ...(known.status === undefined ? {} : { status: known.status }),
    ...(known.source === undefined ? {} : { source: known.source }),
    ...(role === undefined ? {} : { role }),
  }
}

export function UsersTab({ isService }: { readonly isService: boolean }): ReactNode {
  const [filters, set] = useFilters<keyof PeopleFilters>()
  const isWide = useIsWide()
  const chosen = toFilter(filters)
  const filter = { ...chosen, service: isService }
  const rows = usePages(["users", "list", filter], (page) => client.users.list({ ...filter, ...page }))
  const clear = (): void => set({ q: undefined, status: undefined, source: undefined, role: undefined })
  const isFiltered = Object.keys(chosen).length > 0
  return (
    <div className="flex h-[calc(100dvh-156px)] min-h-72 flex-col gap-3">
      <FilterBar isService={isService} isFiltered={isFiltered} onClear={clear} />
      {rows.error !== null && rows.rowCount === 0 ? (
        <Failure error={rows.error} onRetry={rows.retry} />
      ) : rows.isLoading ? (
        <Skeleton rows={8} />
      ) : rows.rowCount > 0 ? (
        <DataTable
          label={isService ? "Service accounts" : "People"}
          columns={isWide ? wideColumns : narrowColumns}
          rowHeight={isWide ? 36 : 56}
          rowCount={rows.rowCount}
          rowAt={rows.rowAt}
          rowKey={({ id }) => id}
          onRange={rows.onRange}
          onOpen={({ id }) => set({ person: id }, { isStep: true })}
          openKey={filters.person ?? null}
        />
      ) : isFiltered ? (
        <Empty title="Nobody fits these filters" action={<Button onClick={clear}>Clear filters</Button>} />
      ) : isService ? (
        <Empty title="No service account yet" command='executor users add "CI" --service --role member'>
          An account for programs: it never signs in, and acts by tokens that admins make.
        </Empty>
      ) : (
        <Empty title="Nobody is here yet" />
      )}
    </div>
  )
}

type FilterBarProps = { readonly isService: boolean; readonly isFiltered: boolean; readonly onClear: () => void }

function FilterBar({ isService, isFiltered, onClear }: FilterBarProps): ReactNode {
  const [{ q = "", status = "", source = "", role = "" }, set] = useFilters<keyof PeopleFilters>()
  const roles = useQuery(rolesQuery)
  return (
    <search className="flex flex-wrap items-center gap-2">
      <Typed label="Name, id or e-mail" value={q} onTyped={(text) => set({ q: text })} isMain />
      <Choice label="Status" value={status} options={Object.entries(statusNames)} onChange={(value) => set({ status: value })} />
      {isService ? null : (
        <Choice label="Source" value={source} options={Object.entries(sourceNames)} onChange={(value) => set({ source: value })} />
      )}
      <Choice
        label="Role"
        value={role}
        options={(roles.data ?? []).map(({ id, name }) => [id, safeLine(name)])}
        onChange={(value) => set({ role: value })}
      />
      {isFiltered ? (
        <Button kind="quiet" onClick={onClear}>
          <X size={14} aria-hidden="true" /> Clear filters
        </Button>
      ) : null}
    </search>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [id: string, label: string])[]
  readonly onChange: (value: string | undefined) => void
}

const Choice = ({ label, value, options, onChange }: ChoiceProps): ReactNode => (
  <Select
    aria-label={label}
    value={options.some(([id]) => id === value) ? value : ""}
    onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
    className="!w-auto max-w-48"
  >
    <option value="">{label}: all</option>
    {options.map(([id, text]) => (
      <option key={id} value={id}>
        {text}
      </option>
    ))}
  </Select>
)
