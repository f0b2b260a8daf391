// The dialog that makes a pipeline.
import type { ReactNode } from "react"
import { useMutation } from "@tanstack/react-query"
import type { PipelineView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { Dialog } from "../../ui/dialogs/dialog.tsx"
import { refreshPipelines } from "./queries.ts"
import { SettingsForm } from "./settings-form.tsx"

type DialogProps = { readonly onClose: () => void; readonly onSaved: (pipeline: PipelineView) => void }

export function PipelineDialog({ onClose, onSaved }: DialogProps): ReactNode {
  const create = useMutation({
    mutationFn: client.pipelines.create,
    onSuccess: async (pipeline) => {
      await refreshPipelines()
      onSaved(pipeline)
    },
  })
  return (
    <Dialog title="New pipeline" about="Documents are added afterwards." isOpen onClose={onClose}>
      <SettingsForm
        pipeline={null}
        error={create.error}
        isBusy={create.isPending}
        onSave={(settings) => create.mutate(settings)}
        onCancel={onClose}
      />
    </Dialog>
  )
}
