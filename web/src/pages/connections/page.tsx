// The page Connections: who is connected to what, how that is doing, and ways to connect and reconnect.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Plug } from "lucide-react"
import type { ConnectionView } from "toolplane/client"
import { connectionsQuery, counted, integrationsQuery } from "../../api/catalog.ts"
import { connectionPath, readConnectionPath } from "../../api/connection-path.ts"
import { useFilters } from "../../app/search.ts"
import { Button, LinkButton } from "../../ui/button.tsx"
import { connectionState } from "../../ui/connection-status.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { ConnectDialog, pickFirst } from "./connect/dialog.tsx"
import { ConnectionDrawer } from "./drawer.tsx"
import { FilterBar } from "./filter-bar.tsx"
import type { ConnectionFilters } from "./filter-bar.tsx"
import { ConnectionTable } from "./table.tsx"

export function Page(): ReactNode {
  const [filters, set] = useFilters<keyof ConnectionFilters | "add" | "connection">()
  const connections = useQuery(connectionsQuery())
  const integrations = useQuery(integrationsQuery)
  const { data, error } = connections
  const shown = data?.filter((one) => fits(one, filters)) ?? []
  const open = filters.connection === undefined ? null : readConnectionPath(filters.connection)
  const hasNothing = integrations.data?.length === 0
  const add = (
    <Button kind="primary" onClick={() => set({ add: pickFirst }, { isStep: true })}>
      <Plug size={14} aria-hidden="true" /> Connect
    </Button>
  )
  return (
    <PageFrame
      title="Connections"
      note={data === undefined || data.length === 0 ? undefined : counted(data.length, "connection")}
      actions={data?.length === 0 ? undefined : add}
    >
      {error === null ? null : <Failure error={error} onRetry={() => void connections.refetch()} />}
      {error === null && data === undefined ? <Skeleton /> : null}
      {data?.length !== 0 ? null : hasNothing ? (
        <Empty
          title="Nothing to connect yet"
          action={
            <LinkButton kind="primary" to="/integrations" search={{ add: "presets" }}>
              Add an integration
            </LinkButton>
          }
        >
          A connection gives an integration its credential. Add an integration first.
        </Empty>
      ) : (
        <Empty title="No connections yet" action={add} command="executor connections add github">
          Connect an integration with a key or by OAuth, and its tools can be called. Agents never see the credential.
        </Empty>
      )}
      {data === undefined || data.length === 0 ? null : (
        <>
          <FilterBar connections={data} filters={filters} onChange={set} />
          {shown.length === 0 ? (
            <Empty
              title="No connection fits these filters"
              action={
                <Button onClick={() => set({ q: undefined, state: undefined, owner: undefined, integration: undefined })}>
                  Clear the filters
                </Button>
              }
            />
          ) : (
            <ConnectionTable
              connections={shown}
              openPath={filters.connection ?? null}
              onOpen={(one) => set({ connection: connectionPath(one) }, { isStep: true })}
            />
          )}
        </>
      )}
      {open === null ? null : (
        <ConnectionDrawer key={connectionPath(open)} connectionKey={open} onClose={() => set({ connection: undefined })} />
      )}
      {filters.add === undefined ? null : (
        <ConnectDialog
          slug={filters.add}
          onPick={(slug) => set({ add: slug }, { isStep: true })}
          onClose={() => set({ add: undefined })}
          onConnected={(one) => set({ add: undefined, connection: connectionPath(one) })}
        />
      )}
    </PageFrame>
  )
}

function fits(connection: ConnectionView, { q = "", state, owner, integration }: ConnectionFilters): boolean {
  const text = [connectionPath(connection), connection.auth.template, ...connection.origins].join(" ").toLowerCase()
  return (
    (state === undefined || connectionState(connection) === state) &&
    (owner === undefined || connection.owner === owner) &&
    (integration === undefined || connection.integration === integration) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}
