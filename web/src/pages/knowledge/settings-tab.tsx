// The settings of a pipeline, and its end.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { PipelineCreate, PipelineView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { CopyButton } from "../../ui/text/copy.tsx"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { counted, refreshPipelines } from "./queries.ts"
import { SettingsForm } from "./settings-form.tsx"

type TabProps = { readonly pipeline: PipelineView; readonly onRemoved: () => void }

export function SettingsTab({ pipeline, onRemoved }: TabProps): ReactNode {
  const missing = useMissingRight("registry.write")
  const [isAsked, setAsked] = useState(false)
  const save = useMutation({
    mutationFn: ({ slug: _slug, ...change }: PipelineCreate) => client.pipelines.update(pipeline.id, change),
    onSuccess: async ({ index }) => {
      await refreshPipelines()
      toast(index.rebuild === null ? "The pipeline is saved" : "The pipeline is saved, and its documents are indexed again")
    },
  })
  const remove = useMutation({
    mutationFn: () => client.pipelines.remove(pipeline.id),
    onSuccess: async () => {
      onRemoved()
      await refreshPipelines()
      toast(`${pipeline.name} is removed`)
    },
    onError: toastError,
  })
  return (
    <div className="flex flex-col gap-6">
      <SettingsForm
        key={JSON.stringify([pipeline.name, pipeline.chunking, pipeline.embedding])}
        pipeline={pipeline}
        error={save.error}
        isBusy={save.isPending}
        onSave={(change) => save.mutate(change)}
      />
      <section className="flex flex-col items-start gap-2 border-t border-line pt-4">
        <span className="flex items-center gap-1 text-secondary">
          Id <Mono className="break-all">{pipeline.id}</Mono> <CopyButton text={pipeline.id} label="Copy the pipeline's id" />
        </span>
        <Button reason={missing} onClick={() => setAsked(true)}>
          Remove…
        </Button>
      </section>
      {isAsked ? (
        <Confirm
          title={`Remove ${safeLine(pipeline.name)}?`}
          action="Remove the pipeline"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(false)}
        >
          {counted(pipeline.documents, "document")} go with it and cannot be got back. Tools that ask it fail from then on.
        </Confirm>
      ) : null}
    </div>
  )
}
