// The editor of an agent: the config panel, saving the draft, and a question before changes are lost.
import type { ReactNode } from "react"
import { useBlocker, useNavigate } from "@tanstack/react-router"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { AgentView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { FormError } from "../../../ui/form-error.tsx"
import { Button } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { toast } from "../../../ui/toast.tsx"
import { agentQuery } from "../queries.ts"
import { problemsOf, toUpdate } from "./draft.ts"
import { ConfigPanel } from "./panel.tsx"
import type { Editing } from "./use-draft.ts"

type EditorProps = {
  readonly agent: AgentView
  readonly editing: Editing
  readonly missing: string | null
}

export function Editor({ agent, editing, missing }: EditorProps): ReactNode {
  const { draft, isDirty, isOutdated, change, reset } = editing
  const queries = useQueryClient()
  const navigate = useNavigate()
  const problems = problemsOf(draft)
  const [problem = null] = Object.values(problems)
  const save = useMutation({
    mutationFn: () => client.agents.update(agent.id, toUpdate(draft)),
    onSuccess: async (saved) => {
      queries.setQueryData(agentQuery(saved.slug).queryKey, saved)
      reset(saved)
      if (saved.slug !== agent.slug)
        void navigate({ to: "/agents/$slug", params: { slug: saved.slug }, replace: true, ignoreBlocker: true })
      toast("The draft is saved")
      await queries.invalidateQueries({ queryKey: ["agents"] })
    },
  })
  const reason = missing ?? (isDirty ? problem : "Nothing was changed")
  return (
    <form
      aria-label="Config"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null && !save.isPending) save.mutate()
      }}
    >
      {missing === null ? null : <p className="tint-neutral rounded-control px-2 py-1">You can read this. {missing} to change it.</p>}
      {isOutdated ? (
        <div className="tint-warn flex flex-wrap items-center gap-2 rounded-control px-2 py-1">
          Somebody else saved this agent meanwhile. Saving replaces what they changed.
          <Button onClick={() => reset(agent)}>Show theirs</Button>
        </div>
      ) : null}
      <ConfigPanel
        draft={draft}
        problems={isDirty ? problems : {}}
        reason={missing}
        slugReason={agent.publishedAt === null ? null : "It was published, so that callers know it by this slug"}
        onChange={change}
      />
      <div className="sticky -bottom-4 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-bg py-3">
        <Button kind="primary" type="submit" isBusy={save.isPending} reason={reason}>
          Save the draft
        </Button>
        <Button reason={isDirty ? null : "Nothing was changed"} onClick={() => reset(agent)}>
          Discard changes
        </Button>
        <span role="status" className="text-secondary">
          {isDirty ? "There are unsaved changes." : ""}
        </span>
        <FormError error={save.error} />
      </div>
    </form>
  )
}

/** Other tabs of the same agent keep the draft. */
export function LeaveQuestion({ isDirty }: { readonly isDirty: boolean }): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (blocker.status !== "blocked") return null
  return (
    <Confirm title="Leave without saving?" action="Leave without saving" isBusy={false} onConfirm={blocker.proceed} onClose={blocker.reset}>
      What you changed of this agent is lost.
    </Confirm>
  )
}
