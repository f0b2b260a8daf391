// Cancels an execution, after a question.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ExecutionView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { meQuery } from "../../api/query.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { isEnded } from "./queries.ts"

export function CancelButton({ execution }: { readonly execution: ExecutionView }): ReactNode {
  const { executionId, status, principal } = execution
  const [isAsking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const cancel = useMutation({
    mutationFn: () => client.executions.cancel(executionId),
    onSuccess: () => toast("The execution was cancelled."),
    onError: toastError,
    onSettled: () => {
      setAsking(false)
      return queryClient.invalidateQueries({ queryKey: ["executions"] })
    },
  })
  const isOthers = me !== undefined && me.id !== principal.user && !me.rights.some(({ right }) => right === "admin")
  const reason = isEnded(status) ? "It has ended" : isOthers ? "Only whoever started it or an admin can cancel it" : null
  return (
    <>
      <Button reason={reason} onClick={() => setAsking(true)}>
        Cancel
      </Button>
      {isAsking ? (
        <Confirm
          title="Cancel this execution?"
          action="Cancel the execution"
          keep="Let it run"
          isBusy={cancel.isPending}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(false)}
        >
          Its code stops, and what it waits for is declined. Calls that were made stay made.
        </Confirm>
      ) : null}
    </>
  )
}
