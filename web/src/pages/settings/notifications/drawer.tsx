// One notification: what it tells whom, a test of it, its signing secret, its end, and its log.
import type { ReactNode } from "react"
import { useState } from "react"
import type { NotificationCreated, NotificationView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { Button } from "../../../ui/button.tsx"
import { Dialog, DialogActions, Drawer } from "../../../ui/dialogs/dialog.tsx"
import { Line, Mono, safeLine } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { kindLabels } from "./kinds.ts"
import { DeliveryLog } from "./log.tsx"
import { notificationsQuery, useNotificationChange } from "./queries.ts"
import { TestButton, useEnabledChange } from "./row-actions.tsx"

type DrawerProps = {
  readonly notification: NotificationView
  readonly onClose: () => void
  readonly onEdit: () => void
  readonly onRotated: (rotated: NotificationCreated) => void
}

export function NotificationDrawer({ notification, onClose, onEdit, onRotated }: DrawerProps): ReactNode {
  const missing = useMissingRight("admin")
  const [asked, setAsked] = useState<"rotate" | "remove" | null>(null)
  const enable = useEnabledChange(notification)
  return (
    <Drawer
      title={safeLine(notification.name)}
      about={`${kindLabels[notification.kind]} at ${safeLine(notification.host)}`}
      isOpen
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start gap-2">
          <TestButton notification={notification} />
          <Button reason={missing} onClick={onEdit}>
            Edit
          </Button>
          <Button reason={missing} isBusy={enable.isPending} onClick={() => enable.mutate(!notification.enabled)}>
            {notification.enabled ? "Switch off" : "Switch on"}
          </Button>
          {notification.kind === "webhook" ? (
            <Button reason={missing} onClick={() => setAsked("rotate")}>
              New secret…
            </Button>
          ) : null}
          <Button reason={missing} onClick={() => setAsked("remove")}>
            Remove…
          </Button>
        </div>
        <Facts notification={notification} />
        <section className="flex flex-col gap-2">
          <h3 className="font-semibold">Log</h3>
          <DeliveryLog id={notification.id} />
        </section>
      </div>
      <RotateDialog notification={notification} isOpen={asked === "rotate"} onClose={() => setAsked(null)} onRotated={onRotated} />
      <RemoveDialog notification={notification} isOpen={asked === "remove"} onClose={() => setAsked(null)} onRemoved={onClose} />
    </Drawer>
  )
}

const Facts = ({
  notification: { patterns, includeArguments, enabled, createdBy, createdAt },
}: Pick<DrawerProps, "notification">): ReactNode => (
  <dl className="grid grid-cols-[96px_1fr] gap-x-3 gap-y-1">
    <dt className="text-secondary">State</dt>
    <dd>{enabled ? "On" : "Off: what begins to wait meanwhile is not told later"}</dd>
    <dt className="text-secondary">Tools</dt>
    <dd className="flex min-w-0 flex-col">
      {patterns === null
        ? "All"
        : patterns.map((pattern) => (
            <Mono key={pattern} className="break-all">
              {pattern}
            </Mono>
          ))}
    </dd>
    <dt className="text-secondary">Arguments</dt>
    <dd>{includeArguments ? "Told" : "Not told"}</dd>
    <dt className="text-secondary">Added</dt>
    <dd>
      <Time at={createdAt} /> by <Line>{createdBy}</Line>
    </dd>
  </dl>
)

type AskProps = { readonly notification: NotificationView; readonly isOpen: boolean; readonly onClose: () => void }

function RotateDialog({ notification, isOpen, onClose, onRotated }: AskProps & Pick<DrawerProps, "onRotated">): ReactNode {
  const rotate = useNotificationChange(() => client.notifications.update(notification.id, { rotateSecret: true }), {
    onDone: (rotated) => {
      onClose()
      onRotated(rotated)
    },
    onError: toastError,
  })
  return (
    <Dialog title={`Make another signing secret for ${safeLine(notification.name)}?`} isOpen={isOpen} onClose={onClose}>
      <p>Messages are signed with the new secret at once: until the receiver has it, it refuses them.</p>
      <DialogActions>
        <Button onClick={onClose}>Keep the secret</Button>
        <Button kind="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate(undefined)}>
          Make another secret
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function RemoveDialog({ notification, isOpen, onClose, onRemoved }: AskProps & { readonly onRemoved: () => void }): ReactNode {
  const remove = useNotificationChange(() => client.notifications.remove(notification.id), {
    onDone: () => {
      toast("The notification is gone")
      onRemoved()
    },
    onError: toastError,
    touches: notificationsQuery.queryKey, // its log is gone as well
  })
  return (
    <Dialog title={`Remove ${safeLine(notification.name)}?`} isOpen={isOpen} onClose={onClose}>
      <p>Its address, its secret and its log go with it. Approvals wait in the inbox as before.</p>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate(undefined)}>
          Remove the notification
        </Button>
      </DialogActions>
    </Dialog>
  )
}
