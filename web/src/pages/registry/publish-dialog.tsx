// Publishing a tool: what it changes for callers, what it could break, and the reason, before the click.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { RegistryToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { Button } from "../../ui/button.tsx"
import { Dialog, DialogActions } from "../../ui/dialog.tsx"
import { Diff } from "../../ui/diff.tsx"
import { Checkbox, Field, TextArea } from "../../ui/field.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { safeLine } from "../../ui/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"

type PublishProps = { readonly made: RegistryToolView; readonly isOpen: boolean; readonly onClose: () => void }

export function PublishDialog({ made, isOpen, onClose }: PublishProps): ReactNode {
  return (
    <Dialog
      title={`Publish ${safeLine(made.name)}`}
      about="Agents call what is published. A version is written, and you can go back to it."
      isOpen={isOpen}
      onClose={onClose}
    >
      <PublishForm made={made} onClose={onClose} />
    </Dialog>
  )
}

function PublishForm({ made, onClose }: Omit<PublishProps, "isOpen">): ReactNode {
  const [reason, setReason] = useState("")
  const [isSure, setSure] = useState(false)
  const queries = useQueryClient()
  const isFirst = made.publishedVersion === null
  const diff = useQuery({
    queryKey: ["tools", "diff", made.id, "publish"],
    queryFn: () => client.registry.diff(made.id, {}),
    enabled: !isFirst,
  })
  const publish = useMutation({
    mutationFn: () => client.registry.publish(made.id, { reason: reason.trim() }),
    onSuccess: async ({ version }) => {
      toast(`Published as version ${version}`)
      onClose()
      await queries.invalidateQueries({ queryKey: ["tools"] })
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
          Publish the tool
        </Button>
      </DialogActions>
    </div>
  )
}
