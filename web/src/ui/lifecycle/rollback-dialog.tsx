// Going back to an older version: what that changes for callers, and how many there are, before the click.
import type { ReactNode } from "react"
import { useMutation, useQuery } from "@tanstack/react-query"
import type { DefinitionDiff } from "toolplane/client"
import { Button } from "../button.tsx"
import { Dialog, DialogActions } from "../dialogs/dialog.tsx"
import { Diff } from "../text/diff.tsx"
import { Failure, Skeleton } from "../states.tsx"
import { safeLine } from "../text/text.tsx"
import { toast, toastError } from "../toast.tsx"
import type { Rollback } from "./versions.tsx"

type RollbackProps = {
  readonly to: string
  /** What is in production; null for nothing. */
  readonly from: string | null
  readonly rollback: Rollback
  readonly diffKey: readonly unknown[]
  readonly loadDiff: (between: { readonly from: string; readonly to: string }) => Promise<DefinitionDiff>
  readonly onClose: () => void
}

export function RollbackDialog({ to, from, rollback, diffKey, loadDiff, onClose }: RollbackProps): ReactNode {
  const diff = useQuery({
    queryKey: [...diffKey, from, to],
    queryFn: () => loadDiff({ from: from ?? "", to }),
    enabled: from !== null,
  })
  const goBack = useMutation({
    mutationFn: () => rollback.send(to),
    onSuccess: async ({ version }) => {
      toast(`Rolled back to ${to}, as version ${version}`)
      onClose()
      await rollback.onDone()
    },
    onError: toastError,
  })
  const isUnread = from !== null && diff.data === undefined
  return (
    <Dialog
      isOpen
      title={`Roll back to ${safeLine(to)}`}
      about="Whoever calls it gets this version from the next call on. It is published anew, and you can go forward again the same way."
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        {from === null ? (
          <p className="text-secondary">Nothing of it is in production now.</p>
        ) : (
          <h3 className="font-medium">
            What changes from {safeLine(from)} to {safeLine(to)}
          </h3>
        )}
        {diff.error !== null ? (
          <Failure error={diff.error} onRetry={() => void diff.refetch()} />
        ) : diff.data === undefined ? (
          isUnread ? (
            <Skeleton rows={2} />
          ) : null
        ) : (
          <Diff diff={diff.data} />
        )}
        {rollback.usage}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={goBack.isPending}
            reason={isUnread && diff.error === null ? "What changes is still being read" : null}
            onClick={() => goBack.mutate()}
          >
            Roll back to {safeLine(to)}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
