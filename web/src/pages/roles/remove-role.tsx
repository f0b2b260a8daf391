// Deletes a role, or says what depends on it.
import type { ReactNode } from "react"
import { useState } from "react"
import { Link } from "@tanstack/react-router"
import { ExecutorError } from "toolplane/client"
import type { RoleView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { usePeopleChange } from "../../api/people.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { Dialog, DialogActions } from "../../ui/dialogs/dialog.tsx"
import { Line, safeLine } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"

type RemoveProps = { readonly role: RoleView; readonly locked: string | null; readonly onGone: () => void }

const kinds = ["users", "invitations", "providers", "policies"] as const
type Uses = Readonly<Record<(typeof kinds)[number], readonly string[]>>

export function RemoveRole({ role, locked, onGone }: RemoveProps): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const [uses, setUses] = useState<Uses | null>(null)
  const name = safeLine(role.name)
  const remove = usePeopleChange(() => client.roles.remove(role.id), {
    onDone: () => {
      toast(`The role ${name} is deleted`)
      onGone()
    },
    onError: (error) => {
      setAsked(false)
      const found = usesOf(error)
      if (found === null) toastError(error)
      else setUses(found)
    },
  })
  return (
    <>
      <Button reason={locked} onClick={() => setAsked(true)}>
        Delete…
      </Button>
      {isAsked ? (
        <Confirm
          title={`Delete the role ${name}?`}
          action={`Delete ${name}`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setAsked(false)}
        >
          Only a role that nobody and nothing uses is deleted. This cannot be undone.
        </Confirm>
      ) : null}
      {uses === null ? null : (
        <Dialog isOpen title={`${name} is in use`} about="Take it from these first, then delete it." onClose={() => setUses(null)}>
          <dl className="flex flex-col gap-2">
            {kinds.map((kind) => (uses[kind].length === 0 ? null : <Use key={kind} kind={kind} ids={uses[kind]} />))}
          </dl>
          <DialogActions>
            <Button onClick={() => setUses(null)}>Close</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

const labels: Readonly<Record<keyof Uses, string>> = {
  users: "People",
  invitations: "Invitations",
  providers: "Sign-in providers",
  policies: "Rules",
}

const Use = ({ kind, ids }: { readonly kind: keyof Uses; readonly ids: readonly string[] }): ReactNode => (
  <div>
    <dt className="font-medium">{labels[kind]}</dt>
    <dd className="flex max-h-40 flex-wrap gap-x-3 overflow-y-auto">
      {ids.map((id) => (
        <UseLink key={id} kind={kind} id={id} />
      ))}
    </dd>
  </div>
)

function UseLink({ kind, id }: { readonly kind: keyof Uses; readonly id: string }): ReactNode {
  const text = <Line>{id}</Line>
  switch (kind) {
    case "users":
      return (
        <Link to="/people" search={{ person: id }}>
          {text}
        </Link>
      )
    case "invitations":
      return (
        <Link to="/people" search={{ tab: "invitations" }}>
          {text}
        </Link>
      )
    case "providers":
      return (
        <Link to="/people" search={{ tab: "providers", provider: id }}>
          {text}
        </Link>
      )
    case "policies":
      return (
        <Link to="/policies" search={{ rule: id }}>
          {text}
        </Link>
      )
  }
}

/** What the API's refusal names; null: it was refused for another reason. */
function usesOf(error: Error): Uses | null {
  if (!(error instanceof ExecutorError) || error.code !== "conflict") return null
  const { details } = error
  if (typeof details !== "object" || details === null) return null
  const list = (name: string): readonly string[] => {
    const value = (details as Readonly<Record<string, unknown>>)[name] // looked at in the next line
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : []
  }
  const uses = { users: list("users"), invitations: list("invitations"), providers: list("providers"), policies: list("policies") }
  return kinds.some((kind) => uses[kind].length > 0) ? uses : null
}
