// The connections in rows.
import type { ReactNode } from "react"
import type { ConnectionView } from "toolplane/client"
import { connectionPath } from "../../api/connection-path.ts"
import { OwnerChip, StateBadge, connectionState } from "../../ui/connection-status.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { authLabels } from "./connect/ways.ts"

const none = <span className="text-tertiary">–</span>

const columns: readonly Column<ConnectionView>[] = [
  {
    id: "integration",
    label: "Connection",
    width: "minmax(110px, 2fr)",
    cell: ({ integration, name }) => (
      <span className="flex items-baseline gap-2">
        <Line className="truncate font-medium">{integration}</Line>
        <Mono className="truncate text-secondary">{name}</Mono>
      </span>
    ),
  },
  { id: "owner", label: "Owner", width: "52px", cell: ({ owner }) => <OwnerChip owner={owner} /> },
  { id: "status", label: "Status", width: "minmax(128px, 1fr)", cell: (one) => <StateBadge state={connectionState(one)} /> },
  {
    id: "account",
    label: "Account",
    width: "minmax(0, 1.5fr)",
    isWideOnly: true,
    cell: ({ consent }) => (consent === null ? none : <Line>{`${consent.grantedBy} at ${consent.provider}`}</Line>),
  },
  { id: "auth", label: "Auth", width: "112px", isWideOnly: true, cell: ({ auth }) => authLabels[auth.template] },
  { id: "tools", label: "Tools", width: "64px", isWideOnly: true, cell: ({ toolCount }) => toolCount.toLocaleString("en") },
  {
    id: "sync",
    label: "Last sync",
    width: "96px",
    isWideOnly: true,
    cell: ({ toolsSyncedAt }) => (toolsSyncedAt === null ? none : <Time at={toolsSyncedAt} />),
  },
  { id: "expires", label: "Expires", width: "112px", isWideOnly: true, cell: (one) => <Expiry connection={one} /> },
]

/** A token that is renewed by itself does not worry anybody. */
function Expiry({ connection: { consent } }: { readonly connection: ConnectionView }): ReactNode {
  if (consent === null || consent.expiresAt === null) return none
  if (consent.ended !== null) return "ended"
  return consent.renewable ? <span className="text-secondary">renewed</span> : <Time at={consent.expiresAt} />
}

type TableProps = {
  readonly connections: readonly ConnectionView[]
  readonly openPath: string | null
  readonly onOpen: (connection: ConnectionView) => void
}

export const ConnectionTable = ({ connections, openPath, onOpen }: TableProps): ReactNode => (
  <DataTable
    label="Connections"
    columns={columns}
    rowCount={connections.length}
    rowAt={(index) => connections[index]}
    rowKey={connectionPath}
    openKey={openPath}
    onOpen={onOpen}
  />
)
