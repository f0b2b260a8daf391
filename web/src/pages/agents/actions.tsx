// What can be done with an agent as a whole: run, publish, remove.
import type { ReactNode } from "react"
import { Suspense, lazy, useState } from "react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AgentView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Button, LinkButton } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"

const PublishDialog = lazy(async () => ({ default: (await import("../../ui/lifecycle/publish-dialog.tsx")).PublishDialog }))

type ActionsProps = {
  readonly agent: AgentView
  readonly isDirty: boolean
  readonly onRun: () => void
  readonly onGone: () => void
}

export function AgentActions({ agent, isDirty, onRun, onGone }: ActionsProps): ReactNode {
  const [open, setOpen] = useState<"publish" | "remove" | null>(null)
  const mayPublish = useMissingRight("registry.publish")
  const mayWrite = useMissingRight("registry.write")
  const queries = useQueryClient()
  const refresh = (): Promise<unknown> => queries.invalidateQueries({ queryKey: ["agents"] })
  const isDraft = agent.publishedAt === null
  const remove = useMutation({
    mutationFn: () => client.agents.remove(agent.id),
    onSuccess: async (left) => {
      toast(left === null ? "The draft is gone" : "The agent is disabled")
      setOpen(null)
      if (left === null) onGone()
      await refresh()
    },
    onError: toastError,
  })
  const removeReason = mayWrite ?? (isDraft ? null : (mayPublish ?? (agent.status === "disabled" ? "It is disabled already" : null)))
  return (
    <>
      <LinkButton to="/agents" kind="quiet">
        All agents
      </LinkButton>
      <Button onClick={onRun}>Run</Button>
      <Button reason={removeReason} onClick={() => setOpen("remove")}>
        {isDraft ? "Remove…" : "Disable…"}
      </Button>
      <Button kind="primary" reason={mayPublish ?? publishReason(agent, isDirty)} onClick={() => setOpen("publish")}>
        Publish
      </Button>
      <Suspense>
        {open !== "publish" ? null : (
          <PublishDialog
            noun="agent"
            name={agent.name}
            isFirst={agent.publishedVersion === null}
            diffKey={["agents", "diff", agent.id]}
            loadDiff={() => client.agents.diff(agent.id, {})}
            publish={async (reason) => ({ version: publishedOf(await client.agents.publish(agent.id, { reason })) })}
            onPublished={refresh}
            isOpen
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
      {open !== "remove" ? null : (
        <Confirm
          title={`${isDraft ? "Remove" : "Disable"} ${safeLine(agent.name)}?`}
          action={isDraft ? "Remove the draft" : "Disable the agent"}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setOpen(null)}
        >
          {isDraft
            ? "It was never published, so that nothing of it stays."
            : "Whoever calls it gets an error from now on. Its versions stay, and publishing it again brings it back."}
        </Confirm>
      )}
    </>
  )
}

export const publishedOf = ({ publishedVersion, version }: AgentView): string => publishedVersion ?? version

function publishReason({ status, hasUnpublishedChanges }: AgentView, isDirty: boolean): string | null {
  if (isDirty) return "Save the draft first"
  return status === "published" && !hasUnpublishedChanges ? "Everything is published" : null
}
