// Roles: which tools their people see, and what else they may do.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { RoleView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { useIsWide } from "../../ui/use-is-wide.ts"
import { usePages } from "../../ui/lists/use-pages.ts"
import { previewQuery } from "./queries.ts"
import type { RoleFilters } from "./queries.ts"
import { RoleEditor } from "./role-editor.tsx"

export function Page(): ReactNode {
  const [{ role, add }, set] = useFilters<keyof RoleFilters>()
  const missing = useMissingRight("admin")
  const list = (): void => set({ role: undefined, add: undefined })
  const isOpen = role !== undefined || add !== undefined
  return (
    <PageFrame
      title="Roles"
      actions={
        isOpen ? (
          <Button onClick={list}>All roles</Button>
        ) : (
          <Button kind="primary" reason={missing} onClick={() => set({ add: "yes" }, { isStep: true })}>
            New role
          </Button>
        )
      }
    >
      {role !== undefined ? (
        <RoleEditor key={role} id={role} onGone={list} />
      ) : add !== undefined ? (
        <RoleEditor key="add" id={null} onGone={list} />
      ) : (
        <Roles onOpen={(id) => set({ role: id }, { isStep: true })} />
      )}
    </PageFrame>
  )
}

const wideColumns: readonly Column<RoleView>[] = [
  {
    id: "name",
    label: "Name",
    width: "minmax(140px, 1fr)",
    cell: ({ id, name }) => (
      <>
        <Line className="font-medium">{name}</Line> <Mono className="ml-1 text-tertiary">{id}</Mono>
      </>
    ),
  },
  {
    id: "description",
    label: "Description",
    width: "minmax(0, 1fr)",
    cell: ({ description }) => <Line className="text-secondary">{description}</Line>,
  },
  {
    id: "patterns",
    label: "Patterns",
    width: "minmax(140px, 1fr)",
    cell: ({ patterns }) => <Mono className="text-secondary">{patterns.join(" ")}</Mono>,
  },
  { id: "tools", label: "Tools", width: "72px", cell: ({ patterns }) => <ToolCount patterns={patterns} /> },
  { id: "people", label: "People", width: "64px", cell: ({ people }) => (people === null ? "–" : people.toLocaleString("en")) },
  { id: "rights", label: "Rights", width: "minmax(96px, 220px)", cell: ({ rights }) => <Rights rights={rights} /> },
]

/** On a phone, a row has two lines. */
const narrowColumns: readonly Column<RoleView>[] = [
  {
    id: "role",
    label: "Role",
    width: "minmax(0, 1fr)",
    cell: ({ id, name, patterns, people, rights }) => (
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <Line className="min-w-0 truncate font-medium">{name}</Line>
          <Mono className="min-w-0 flex-1 truncate text-tertiary">{id}</Mono>
          <Rights rights={rights.slice(0, 1)} />
        </span>
        <span className="text-sm text-secondary">
          <ToolCount patterns={patterns} /> tools{people === null ? "" : `, ${people.toLocaleString("en")} people`}
        </span>
      </span>
    ),
  },
]

function ToolCount({ patterns }: Pick<RoleView, "patterns">): ReactNode {
  const preview = useQuery(previewQuery(patterns))
  return preview.data === undefined ? "…" : preview.data.count.toLocaleString("en")
}

const Rights = ({ rights }: Pick<RoleView, "rights">): ReactNode =>
  rights.map((right) => (
    <span key={right} className="mr-1">
      <Badge tone={right === "admin" ? "warn" : "neutral"}>
        <Line>{right}</Line>
      </Badge>
    </span>
  ))

function Roles({ onOpen }: { readonly onOpen: (id: string) => void }): ReactNode {
  const isWide = useIsWide()
  const rows = usePages(["roles", "list"], (page) => client.roles.list(page))
  if (rows.error !== null && rows.rowCount === 0) return <Failure error={rows.error} onRetry={rows.retry} />
  if (rows.isLoading) return <Skeleton rows={6} />
  if (rows.rowCount === 0)
    return (
      <Empty title="You have no role yet" command="executor whoami">
        Without a role no tool exists for you. Ask an admin for one.
      </Empty>
    )
  return (
    <>
      <p className="text-secondary">
        A role hides every tool that none of its patterns matches. Whoever has several sees the tools of all of them.
      </p>
      <DataTable
        label="Roles"
        columns={isWide ? wideColumns : narrowColumns}
        rowHeight={isWide ? 36 : 56}
        rowCount={rows.rowCount}
        rowAt={rows.rowAt}
        rowKey={({ id }) => id}
        onRange={rows.onRange}
        onOpen={({ id }) => onOpen(id)}
      />
    </>
  )
}
