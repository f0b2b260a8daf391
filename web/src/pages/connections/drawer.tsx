// One connection: whose it is, how it is doing, where its credential goes, and what can be done about it.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ConnectionKey, ConnectionView } from "toolplane/client"
import { connectionQuery, counted } from "../../api/catalog.ts"
import { connectionPath } from "../../api/connection-path.ts"
import { OwnerChip, StateBadge, connectionState } from "../../ui/connection-status.tsx"
import { Dialog, Drawer } from "../../ui/dialogs/dialog.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, Prose } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { Actions } from "./actions.tsx"
import { OneIntegration } from "./connect/dialog.tsx"
import { authLabels } from "./connect/ways.ts"
import { ConsentFacts } from "./consent-facts.tsx"
import { OriginReview } from "./origin-review.tsx"

type DrawerProps = { readonly connectionKey: ConnectionKey; readonly onClose: () => void }

export function ConnectionDrawer({ connectionKey, onClose }: DrawerProps): ReactNode {
  const [isGoing, setGoing] = useState(false)
  // What is being removed is not asked for once more.
  const { data, error, refetch } = useQuery({ ...connectionQuery(connectionKey), enabled: !isGoing })
  const [isReconnecting, setReconnecting] = useState(false)
  const path = connectionPath(connectionKey)
  return (
    <Drawer title={path} isOpen onClose={onClose}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined ? <Skeleton /> : null}
      {data === undefined || error !== null ? null : (
        <div className="flex flex-col gap-4">
          <Actions connection={data} onReconnect={() => setReconnecting(true)} onRemoving={setGoing} onRemoved={onClose} />
          <Facts connection={data} />
        </div>
      )}
      {isReconnecting && data !== undefined ? (
        <Dialog isOpen title={`Reconnect ${path}`} about="Its tools, its rules and its name stay." onClose={() => setReconnecting(false)}>
          <OneIntegration
            slug={data.integration}
            existing={data}
            onClose={() => setReconnecting(false)}
            onConnected={() => setReconnecting(false)}
          />
        </Dialog>
      ) : null}
    </Drawer>
  )
}

function Facts({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const { auth, owner, origins, toolCount, toolsSyncedAt, changedTools, warnings, error, consent, createdAt, integration } = connection
  return (
    <>
      {connection.unconfirmedOrigins.length === 0 ? null : <OriginReview connection={connection} />}
      {error === null || connection.status === "needs_review" ? null : (
        <Notice tone={connection.status === "error" || consent?.ended ? "danger" : "warn"}>
          <Prose>{error}</Prose>
        </Notice>
      )}
      {warnings.map((warning, at) => (
        <Notice key={at} tone="warn">
          <Prose>{warning}</Prose>
        </Notice>
      ))}
      <dl className="grid grid-cols-[112px_1fr] gap-x-3 gap-y-1.5">
        <dt className="text-secondary">Status</dt>
        <dd>
          <StateBadge state={connectionState(connection)} />
        </dd>
        <dt className="text-secondary">Owner</dt>
        <dd>
          <OwnerChip owner={owner} />{" "}
          {owner === "org" ? "Everybody who may use its tools calls as this account" : "Only you and your agents use it"}
        </dd>
        <dt className="text-secondary">Integration</dt>
        <dd>
          <Link to="/integrations/$slug" params={{ slug: integration }}>
            <Line>{integration}</Line>
          </Link>
        </dd>
        <dt className="text-secondary">Authentication</dt>
        <dd>
          {authLabels[auth.template]}
          {auth.placements.map((place, at) => (
            <div key={at} className="break-all text-secondary">
              {place.in} <Mono>{place.name}</Mono>
            </div>
          ))}
        </dd>
        <dt className="text-secondary">Sent to</dt>
        <dd className="flex flex-col">
          {origins.length === 0
            ? "Nowhere yet"
            : origins.map((origin) => (
                <Mono key={origin} className="break-all">
                  {origin}
                </Mono>
              ))}
        </dd>
        <dt className="text-secondary">Tools</dt>
        <dd>
          {toolCount.toLocaleString("en")}
          {changedTools.length === 0 ? null : (
            <>
              {" · "}
              <Link to="/integrations/$slug" params={{ slug: integration }} search={{ tab: "changes" }}>
                {counted(changedTools.length, "changed tool")} to accept
              </Link>
            </>
          )}
        </dd>
        <dt className="text-secondary">Last sync</dt>
        <dd>{toolsSyncedAt === null ? "Never" : <Time at={toolsSyncedAt} />}</dd>
        <dt className="text-secondary">Connected</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
      {consent === null ? null : <ConsentFacts consent={consent} />}
    </>
  )
}
