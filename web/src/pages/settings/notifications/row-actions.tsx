// What is done to a notification with one click: a test, and switching it on or off.
import type { ReactNode } from "react"
import type { UseMutationResult } from "@tanstack/react-query"
import type { NotificationCreated, NotificationView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { Button } from "../../../ui/button.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { useNotificationChange } from "./queries.ts"

type NotificationProps = { readonly notification: NotificationView }

/** The outcome is a message; the log has it as well. */
export function TestButton({ notification: { id, name } }: NotificationProps): ReactNode {
  const missing = useMissingRight("admin")
  const test = useNotificationChange(() => client.notifications.test(id), {
    onDone: ({ state, status, error }) => {
      if (state === "delivered") toast(`The test arrived at ${name}: it answered ${status}`)
      else toastError(new Error(`The test of ${name} failed: ${error ?? "nobody answered"}`))
    },
    onError: toastError,
  })
  return (
    <Button reason={missing} isBusy={test.isPending} onClick={() => test.mutate(undefined)}>
      Send a test
    </Button>
  )
}

export const useEnabledChange = ({ id, name }: NotificationView): UseMutationResult<NotificationCreated, Error, boolean> =>
  useNotificationChange((enabled: boolean) => client.notifications.update(id, { enabled }), {
    onDone: ({ enabled }) => toast(enabled ? `${name} is told again` : `${name} is not told any more`),
    onError: toastError,
  })
