// The section Notifications: who is told of approvals that wait, outside of the console.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { NotificationCreated, NotificationView } from "toolplane/client"
import { useMissingRight } from "../../../api/rights.ts"
import { useFilters } from "../../../app/search.ts"
import { Badge } from "../../../ui/badge.tsx"
import { Button } from "../../../ui/button.tsx"
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx"
import { Line, Mono } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { toast } from "../../../ui/toast.tsx"
import { DeliveryStatus } from "./delivery.tsx"
import { NotificationDrawer } from "./drawer.tsx"
import { NotificationDialog } from "./form.tsx"
import { kindLabels } from "./kinds.ts"
import { notificationsQuery } from "./queries.ts"
import { TestButton } from "./row-actions.tsx"
import { SecretDialog } from "./secret-dialog.tsx"
import { ThisBrowser } from "./this-browser.tsx"

export function NotificationsTab(): ReactNode {
  const missing = useMissingRight("admin")
  const [filters, setFilters] = useFilters<"add" | "edit" | "notification">()
  const [secret, setSecret] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({ ...notificationsQuery, enabled: missing === null })
  const open = data?.find(({ id }) => id === filters.notification)
  const edited = data?.find(({ id }) => id === filters.edit)
  const saved = ({ name, signingSecret }: NotificationCreated): void => {
    setFilters({ add: undefined, edit: undefined })
    if (signingSecret === null) toast(`${name} is saved`)
    setSecret(signingSecret)
  }
  const add = (
    <Button kind="primary" reason={missing} onClick={() => setFilters({ add: "yes" }, { isStep: true })}>
      Add a notification
    </Button>
  )
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-secondary">Who is told that a call waits for approval, besides the inbox.</p>
        {add}
      </div>
      {missing !== null ? (
        <Empty title="Notifications are for admins">{missing}. Ask an admin of your organization to add one.</Empty>
      ) : error !== null ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={3} />
      ) : data.length === 0 ? (
        <Empty title="Nobody is told yet" command="executor notifications add webhook">
          Approvals wait in the inbox until somebody looks. Add a webhook or a Slack channel, or use the command line.
        </Empty>
      ) : (
        <ul aria-label="Notifications" className="flex flex-col rounded-card border border-line">
          {data.map((one) => (
            <Row key={one.id} notification={one} onOpen={() => setFilters({ notification: one.id }, { isStep: true })} />
          ))}
        </ul>
      )}
      <ThisBrowser />
      {open === undefined ? null : (
        <NotificationDrawer
          notification={open}
          onClose={() => setFilters({ notification: undefined })}
          onEdit={() => setFilters({ edit: open.id }, { isStep: true })}
          onRotated={saved}
        />
      )}
      <NotificationDialog
        key={edited?.id ?? "new"}
        notification={edited ?? null}
        isOpen={missing === null && (filters.add !== undefined || edited !== undefined)}
        onClose={() => setFilters({ add: undefined, edit: undefined })}
        onSaved={saved}
      />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </div>
  )
}

const Row = ({ notification, onOpen }: { readonly notification: NotificationView; readonly onOpen: () => void }): ReactNode => (
  <li className="flex flex-wrap items-center justify-between gap-2 border-b border-line p-3 last:border-b-0">
    <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
      <span className="flex flex-wrap items-center gap-2">
        <button type="button" onClick={onOpen} className="min-w-0 text-left font-medium break-words text-text hover:underline">
          <Line>{notification.name}</Line>
        </button>
        <Badge>{kindLabels[notification.kind]}</Badge>
        {notification.enabled ? null : <Badge tone="warn">Off</Badge>}
      </span>
      <Mono className="break-all text-secondary">{notification.host}</Mono>
    </div>
    <div className="flex flex-wrap items-center gap-2">
      {notification.lastDelivery === null ? (
        <span className="text-sm text-tertiary">Nothing told yet</span>
      ) : (
        <>
          <DeliveryStatus state={notification.lastDelivery.state} />
          <span className="text-sm text-secondary">
            <Time at={notification.lastDelivery.updatedAt} />
          </span>
        </>
      )}
      <TestButton notification={notification} />
      <Button onClick={onOpen}>Details</Button>
    </div>
  </li>
)
