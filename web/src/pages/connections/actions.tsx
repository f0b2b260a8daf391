// What can be done to a connection: try it, read its tools again, give it another credential, remove it.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { ConnectionView } from "toolplane/client"
import { counted, refreshCatalog } from "../../api/catalog.ts"
import { connectionPath } from "../../api/connection-path.ts"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { connectionState } from "../../ui/connection-status.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Prose } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"

type ActionsProps = {
  readonly connection: ConnectionView
  readonly onReconnect: () => void
  readonly onRemoving: (isGoing: boolean) => void
  readonly onRemoved: () => void
}

export function Actions({ connection, onReconnect, onRemoving, onRemoved }: ActionsProps): ReactNode {
  const missing = useMissingRight("connections.org")
  const reason = connection.owner === "org" ? missing : null
  const [isRemoving, setRemoving] = useState(false)
  const path = connectionPath(connection)
  const test = useMutation({ mutationFn: () => client.connections.health(connection), onError: toastError })
  const refresh = useMutation({
    mutationFn: () => client.connections.refresh(connection),
    onSuccess: ({ status, error, toolCount }) => {
      if (status === "ready") toast(`Read again: ${counted(toolCount, "tool")}`)
      else toastError(new Error(`${path}: ${error ?? status}`))
      return refreshCatalog()
    },
    onError: toastError,
  })
  const remove = useMutation({
    mutationFn: () => client.connections.remove(connection),
    onMutate: () => onRemoving(true),
    onSuccess: () => {
      toast(`Removed ${path}`)
      onRemoved()
      return refreshCatalog()
    },
    onError: (error) => {
      onRemoving(false)
      toastError(error)
    },
  })
  const needsCredential = ["failed", "expired", "needs_credentials"].includes(connectionState(connection))
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap gap-2">
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
        <Button isBusy={refresh.isPending} reason={reason} onClick={() => refresh.mutate()}>
          Refresh tools
        </Button>
        <Button kind={needsCredential ? "primary" : "secondary"} reason={reason} onClick={onReconnect}>
          Reconnect…
        </Button>
        <Button reason={reason} onClick={() => setRemoving(true)}>
          Remove…
        </Button>
      </div>
      <div role="status" className="pt-2 empty:pt-0">
        {test.data === undefined ? null : (
          <Notice tone={test.data.ok ? "ok" : "danger"} title={test.data.ok ? "It works" : "It does not work"}>
            {test.data.ok ? "Its credential is there, and its source answered when it was last read." : <Prose>{test.data.message}</Prose>}
          </Notice>
        )}
      </div>
      {isRemoving ? (
        <Confirm
          title={`Remove ${path}?`}
          action={`Remove ${path}`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        >
          Its credential and its {counted(connection.toolCount, "tool")} go with it, and cannot be brought back. The integration stays.
        </Confirm>
      ) : null}
    </div>
  )
}
