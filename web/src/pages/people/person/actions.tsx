// What can be done with a person: another link, a new name, disable or enable, remove.
import type { ReactNode } from "react"
import { useState } from "react"
import type { UserView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { usePeopleChange } from "../../../api/people.ts"
import { Button } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { ShownOnce } from "../../../ui/dialogs/shown-once.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { EditDialog } from "./edit-dialog.tsx"

type ActionsProps = {
  readonly person: UserView
  readonly isMe: boolean
  readonly missing: string | null
  readonly onGone: () => void
}

export function PersonActions({ person, isMe, missing, onGone }: ActionsProps): ReactNode {
  const { id, status, service } = person
  const name = safeLine(person.name)
  const [asked, setAsked] = useState<"edit" | "disable" | "remove" | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const close = (): void => setAsked(null)
  const setStatus = usePeopleChange((to: "active" | "disabled") => client.users.update(id, { status: to }), {
    onDone: ({ status: now }) => {
      close()
      toast(`${name} is ${now}`)
    },
    onError: toastError,
  })
  const remove = usePeopleChange(() => client.users.remove(id), {
    onDone: () => {
      toast(`${name} is removed`)
      onGone()
    },
    onError: toastError,
  })
  const invite = usePeopleChange(() => client.invitations.create({ user: id, roles: [] }), {
    onDone: (made) => setLink(made.link),
    onError: toastError,
  })
  const self = (verb: string): string | null => missing ?? (isMe ? `You cannot ${verb} yourself` : null)
  return (
    <div className="flex flex-wrap gap-2">
      <Button reason={missing} onClick={() => setAsked("edit")}>
        Edit
      </Button>
      {service ? null : (
        <Button
          reason={missing ?? (status === "disabled" ? "Enable them first" : null)}
          isBusy={invite.isPending}
          onClick={() => invite.mutate(undefined)}
        >
          {status === "invited" ? "Invite again" : "New sign-in link"}
        </Button>
      )}
      {status === "disabled" ? (
        <Button reason={missing} isBusy={setStatus.isPending} onClick={() => setStatus.mutate("active")}>
          Enable
        </Button>
      ) : (
        <Button reason={self("disable")} onClick={() => setAsked("disable")}>
          Disable…
        </Button>
      )}
      <Button reason={self("remove")} onClick={() => setAsked("remove")}>
        Remove…
      </Button>
      {asked === "edit" ? <EditDialog person={person} onClose={close} /> : null}
      {asked === "disable" ? (
        <Confirm
          title={`Disable ${name}?`}
          action={`Disable ${name}`}
          isBusy={setStatus.isPending}
          onConfirm={() => setStatus.mutate("disabled")}
          onClose={close}
        >
          They are signed out at once, their tokens stop working for good, and what they and their agents run is ended. They can be enabled
          again.
        </Confirm>
      ) : null}
      {asked === "remove" ? (
        <Confirm
          title={`Remove ${name}?`}
          action={`Remove ${name}`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={close}
        >
          Their tokens, sessions, rules and own connections with credentials are deleted, and what they run is cancelled. What they did
          stays in the history. This cannot be undone.
        </Confirm>
      ) : null}
      <ShownOnce
        title="Invitation link"
        about={`Send it to ${name}: it is not shown again. It works once, within 7 days, and takes the place of an older one.`}
        copyLabel="Copy the link"
        text={link}
        onClose={() => setLink(null)}
      />
    </div>
  )
}
