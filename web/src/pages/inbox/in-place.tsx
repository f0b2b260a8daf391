// What an execution waits for, answered where it is being watched.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { Button } from "../../ui/button.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Group } from "./group.tsx"
import { groupApprovals } from "./groups.ts"
import { executionInboxQuery } from "./queries.ts"
import { Single } from "./single.tsx"
import { useAnswering } from "./use-answering.ts"

export function AnswerInPlace({ executionId }: { readonly executionId: string }): ReactNode {
  const { data, error, refetch } = useQuery(executionInboxQuery(executionId))
  const [open, setOpen] = useState<string | null>(null)
  const answering = useAnswering(() => setOpen(null))
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={3} />
  const shared = { isBusy: answering.isPending, onAnswer: answering.mutate }
  return (
    <section aria-label="Waiting for an answer" className="flex flex-col gap-4">
      {data.items.length === 0 ? (
        <p className="text-secondary">It was answered, and goes on.</p>
      ) : open === null ? (
        groupApprovals(data.items).map((group) => {
          const [first] = group.items
          return (
            <div key={group.key} className="rounded-card border border-line bg-surface p-3">
              {group.items.length > 1 || first === undefined ? (
                <Group group={group} onOpen={setOpen} {...shared} />
              ) : (
                <Single id={first.approvalId} {...shared} />
              )}
            </div>
          )
        })
      ) : (
        <div className="flex flex-col items-start gap-2 rounded-card border border-line bg-surface p-3">
          <Button kind="quiet" onClick={() => setOpen(null)}>
            ‹ All of them
          </Button>
          <Single id={open} {...shared} />
        </div>
      )}
    </section>
  )
}
