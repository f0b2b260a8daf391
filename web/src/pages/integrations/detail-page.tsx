// One integration: how it is doing, its tools, what changed, and where it came from.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import type { ConnectionView, IntegrationView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button, LinkButton } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { OwnerChip, StateBadge, connectionState } from "../../ui/connection-status.tsx"
import { ChangesTab } from "./changes-tab.tsx"
import { Facts } from "./facts.tsx"
import { connectionsQuery, counted, integrationQuery, refreshCatalog } from "../../api/catalog.ts"
import { connectionPath } from "../../api/connection-path.ts"
import { RefreshButton, RefreshProgress, useRefresh } from "./refresh.tsx"
import { Health, changedCountOf } from "./table.tsx"
import { ToolsTab } from "./tools-tab.tsx"

export function DetailPage(): ReactNode {
  const { slug } = useParams({ from: "/integrations/$slug" })
  const integration = useQuery(integrationQuery(slug))
  const connections = useQuery(connectionsQuery(slug))
  const error = integration.error ?? connections.error
  if (error !== null || integration.data === undefined || connections.data === undefined)
    return (
      <PageFrame title={safeLine(slug)} actions={<LinkButton to="/integrations">All integrations</LinkButton>}>
        {error === null ? (
          <Skeleton />
        ) : (
          <Failure error={error} onRetry={() => void Promise.all([integration.refetch(), connections.refetch()])} />
        )}
      </PageFrame>
    )
  return <Detail integration={integration.data} connections={connections.data} />
}

type DetailProps = { readonly integration: IntegrationView; readonly connections: readonly ConnectionView[] }

function Detail({ integration, connections }: DetailProps): ReactNode {
  const { slug } = integration
  const [{ tab = "tools" }, set] = useFilters<"tab" | "q">()
  const [isRemoving, setRemoving] = useState(false)
  const missing = useMissingRight("connections.org")
  const refresh = useRefresh(connections)
  const changed = changedCountOf({ integration, connections })
  const tabs = [
    { id: "tools", label: "Tools", content: <ToolsTab slug={slug} isConnected={connections.length > 0} /> },
    {
      id: "changes",
      label:
        changed === 0 ? (
          "Changes"
        ) : (
          <>
            Changes <Badge tone="warn">{changed}</Badge>
          </>
        ),
      content: <ChangesTab connections={connections} />,
    },
    { id: "details", label: "Details", content: <Facts integration={integration} /> },
  ]
  const isShared = connections.some(({ owner }) => owner === "org")
  return (
    <PageFrame
      title={safeLine(integration.name)}
      note={<Mono>{slug}</Mono>}
      actions={
        <>
          <LinkButton kind={connections.length === 0 ? "primary" : "secondary"} to="/connections" search={{ add: slug }}>
            Connect
          </LinkButton>
          <RefreshButton refresh={refresh} count={connections.length} missing={isShared ? missing : null} />
          <Button reason={missing} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-secondary">
        <Link to="/integrations">Integrations</Link>
        <Health connections={connections} />
        <span>{integration.kind}</span>
        <Line>{integration.description}</Line>
      </div>
      <RefreshProgress now={refresh.now} />
      <ConnectionStrip connections={connections} />
      <Tabs
        label={`About ${safeLine(integration.name)}`}
        tabs={tabs}
        open={tab}
        onOpen={(id) => set({ tab: id === "tools" ? undefined : id, q: undefined })}
      />
      {isRemoving ? <Remove slug={slug} count={connections.length} onClose={() => setRemoving(false)} /> : null}
    </PageFrame>
  )
}

/** Each connection in a line, with what is wrong with it. */
const ConnectionStrip = ({ connections }: Pick<DetailProps, "connections">): ReactNode =>
  connections.length === 0 ? null : (
    <ul aria-label="Connections" className="flex flex-col gap-1">
      {connections.map((connection) => (
        <li key={connection.address} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link to="/connections" search={{ connection: connectionPath(connection) }}>
            <Mono>{connection.name}</Mono>
          </Link>
          <OwnerChip owner={connection.owner} />
          <StateBadge state={connectionState(connection)} />
          <span className="text-secondary">{counted(connection.toolCount, "tool")}</span>
          {[connection.error, ...connection.warnings].map((problem, at) =>
            problem === null ? null : (
              <Line key={at} className="text-danger">
                {problem}
              </Line>
            ),
          )}
        </li>
      ))}
    </ul>
  )

type RemoveProps = { readonly slug: string; readonly count: number; readonly onClose: () => void }

function Remove({ slug, count, onClose }: RemoveProps): ReactNode {
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => client.integrations.remove(slug),
    onSuccess: async () => {
      toast(`Removed ${slug}`)
      await navigate({ to: "/integrations" })
      await refreshCatalog()
    },
    onError: toastError,
  })
  return (
    <Confirm
      title={`Remove ${slug}?`}
      action={`Remove ${slug}`}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its tools, its {count === 1 ? "connection" : `${count} connections`} and their credentials are removed for everybody. This cannot be
      undone.
    </Confirm>
  )
}
