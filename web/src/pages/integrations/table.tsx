// The integrations that are there, with how they are doing.
import type { ReactNode } from "react"
import { useNavigate } from "@tanstack/react-router"
import type { ConnectionView, IntegrationView } from "toolplane/client"
import { Badge, Status } from "../../ui/badge.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { StateBadge, worstState } from "../../ui/connection-status.tsx"

export type IntegrationRow = {
  readonly integration: IntegrationView
  readonly connections: readonly ConnectionView[]
}

export const rowsOf = (integrations: readonly IntegrationView[], connections: readonly ConnectionView[]): IntegrationRow[] =>
  integrations.map((integration) => ({ integration, connections: connections.filter((one) => one.integration === integration.slug) }))

export const toolCountOf = ({ integration, connections }: IntegrationRow): number =>
  Math.max(integration.facts.toolCount, ...connections.map(({ toolCount }) => toolCount))

export const changedCountOf = ({ connections }: IntegrationRow): number =>
  connections.reduce((sum, { changedTools }) => sum + changedTools.length, 0)

const lastSyncOf = ({ connections }: IntegrationRow): string | null =>
  connections
    .flatMap(({ toolsSyncedAt }) => (toolsSyncedAt === null ? [] : [toolsSyncedAt]))
    .toSorted()
    .at(-1) ?? null

export function Health({ connections }: { readonly connections: readonly ConnectionView[] }): ReactNode {
  const state = worstState(connections)
  return state === null ? <Status tone="neutral">Not connected</Status> : <StateBadge state={state} />
}

const none = <span className="text-tertiary">–</span>

const columns: readonly Column<IntegrationRow>[] = [
  {
    id: "name",
    label: "Integration",
    width: "minmax(120px, 2fr)",
    cell: ({ integration }) => (
      <span className="flex items-baseline gap-2">
        <Line className="truncate font-medium">{integration.name}</Line>
        <Mono className="truncate text-tertiary">{integration.slug}</Mono>
      </span>
    ),
  },
  { id: "health", label: "Health", width: "minmax(140px, 1fr)", cell: ({ connections }) => <Health connections={connections} /> },
  { id: "kind", label: "Kind", width: "88px", isWideOnly: true, cell: ({ integration }) => integration.kind },
  { id: "tools", label: "Tools", width: "72px", isWideOnly: true, cell: (row) => toolCountOf(row).toLocaleString("en") },
  { id: "connections", label: "Connections", width: "96px", isWideOnly: true, cell: ({ connections }) => connections.length },
  {
    id: "sync",
    label: "Last sync",
    width: "104px",
    isWideOnly: true,
    cell: (row) => {
      const at = lastSyncOf(row)
      return at === null ? none : <Time at={at} />
    },
  },
  {
    id: "changed",
    label: "Changed",
    width: "96px",
    isWideOnly: true,
    cell: (row) => (changedCountOf(row) === 0 ? none : <Badge tone="warn">{changedCountOf(row)} changed</Badge>),
  },
]

export function IntegrationTable({ rows }: { readonly rows: readonly IntegrationRow[] }): ReactNode {
  const navigate = useNavigate()
  return (
    <DataTable
      label="Integrations"
      columns={columns}
      rowCount={rows.length}
      rowAt={(index) => rows[index]}
      rowKey={({ integration }) => integration.slug}
      onOpen={({ integration }) => void navigate({ to: "/integrations/$slug", params: { slug: integration.slug } })}
    />
  )
}
