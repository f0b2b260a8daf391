// Publishing: what it changes for callers, what it could break, and the reason, before the click.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery } from "@tanstack/react-query"
import type { DefinitionDiff } from "toolplane/client"
import { Button } from "../button.tsx"
import { Dialog, DialogActions } from "../dialogs/dialog.tsx"
import { Diff } from "../text/diff.tsx"
import { Checkbox, Field, TextArea } from "../field.tsx"
import { Failure, Skeleton } from "../states.tsx"
import { safeLine } from "../text/text.tsx"
import { toast, toastError } from "../toast.tsx"

type PublishProps = {
  /** What is published, such as "tool". */
  readonly noun: string
  readonly name: string
  /** Nothing of it was published before. */
  readonly isFirst: boolean
  /** Whom it reaches, where that is known. */
  readonly usage?: ReactNode
  readonly diffKey: readonly unknown[]
  readonly loadDiff: () => Promise<DefinitionDiff>
  readonly publish: (reason: string) => Promise<{ readonly version: string }>
  readonly onPublished: () => Promise<unknown>
  readonly onClose: () => void
}

export const PublishDialog = ({ isOpen, ...rest }: PublishProps & { readonly isOpen: boolean }): ReactNode => (
  <Dialog
    title={`Publish ${safeLine(rest.name)}`}
    about="Agents call what is published. A version is written, and you can go back to it."
    isOpen={isOpen}
    onClose={rest.onClose}
  >
    <PublishForm {...rest} />
  </Dialog>
)

function PublishForm({ noun, isFirst, usage, diffKey, loadDiff, publish: send, onPublished, onClose }: PublishProps): ReactNode {
  const [reason, setReason] = useState("")
  const [isSure, setSure] = useState(false)
  const diff = useQuery({ queryKey: [...diffKey, "publish"], queryFn: loadDiff, enabled: !isFirst })
  const publish = useMutation({
    mutationFn: () => send(reason.trim()),
    onSuccess: async ({ version }) => {
      toast(`Published as version ${version}`)
      onClose()
      await onPublished()
    },
    onError: toastError,
  })
  const breaks = diff.data?.kind === "breaking" || diff.data?.effectChanged === true
  const missing = reason.trim() === "" ? "Write the reason first" : breaks && !isSure ? "Confirm that it may break callers first" : null
  return (
    <div className="flex flex-col gap-3">
      {isFirst ? (
        <p className="text-secondary">This is the first version: nobody calls it yet.</p>
      ) : diff.error !== null ? (
        <Failure error={diff.error} onRetry={() => void diff.refetch()} />
      ) : diff.data === undefined ? (
        <Skeleton rows={2} />
      ) : (
        <Diff diff={diff.data} />
      )}
      {isFirst ? null : usage}
      {breaks ? (
        <Checkbox
          label="Calls that were right before may fail. Publish it nevertheless."
          checked={isSure}
          onChange={(event) => setSure(event.target.checked)}
        />
      ) : null}
      <Field label="Reason" hint="Kept with the version, for whoever looks at it later.">
        {(ids) => <TextArea {...ids} rows={2} maxLength={1000} value={reason} onChange={(event) => setReason(event.target.value)} />}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={publish.isPending} reason={missing} onClick={() => publish.mutate()}>
          Publish the {noun}
        </Button>
      </DialogActions>
    </div>
  )
}
