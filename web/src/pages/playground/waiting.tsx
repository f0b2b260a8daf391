// What the run waits for, answered in place as in the inbox.
import type { ReactNode } from "react"
import { useMutation } from "@tanstack/react-query"
import type { Interaction } from "toolplane/client"
import { queryClient } from "../../api/query.ts"
import { toast, toastError } from "../../ui/toast.tsx"
import { answerAll } from "../inbox/queries.ts"
import { Single } from "../inbox/single.tsx"

type WaitingProps = { readonly interactions: readonly Interaction[]; /** Asked once these are answered. */ readonly more: number }

export function Waiting({ interactions, more }: WaitingProps): ReactNode {
  const [first] = interactions
  const others = interactions.length - 1 + more
  const answering = useMutation({
    mutationFn: answerAll,
    onSuccess: ({ remembered, elsewhere }) => {
      if (elsewhere > 0) toast("This had been answered elsewhere.")
      for (const { message } of remembered) toast(message)
    },
    onError: toastError,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ["approvals"] }),
        queryClient.invalidateQueries({ queryKey: ["executions"] }),
      ]),
  })
  if (first === undefined) return null
  return (
    <section aria-label="Waits for an answer" className="flex flex-col gap-3 rounded-card border border-waiting p-3">
      <p role="status" className="tint-waiting rounded-control px-2 py-1">
        It waits for an answer{others === 0 ? "" : `, and then for ${others.toLocaleString("en")} more`}.
      </p>
      <Single key={first.approvalId} id={first.approvalId} isBusy={answering.isPending} onAnswer={answering.mutate} />
    </section>
  )
}
