// Open invitations: who invited whom, until when, with which roles.
import type { ReactNode } from "react"
import { useState } from "react"
import type { InvitationCreated, InvitationView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { usePeopleChange } from "../../../api/people.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { useFilters } from "../../../app/search.ts"
import { Badge } from "../../../ui/badge.tsx"
import { Button } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { ShownOnce } from "../../../ui/dialogs/shown-once.tsx"
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { usePages } from "../../../ui/lists/use-pages.ts"
import type { PeopleFilters } from "../queries.ts"
import { InviteDialog } from "./invite-dialog.tsx"

export function InvitationsTab(): ReactNode {
  const [filters, set] = useFilters<keyof PeopleFilters>()
  const missing = useMissingRight("people.invite")
  const [made, setMade] = useState<InvitationCreated | null>(null)
  const done = (invitation: InvitationCreated): void => {
    set({ add: undefined })
    setMade(invitation)
  }
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <p className="text-secondary">
        A link that makes one person a user. It works once, within 7 days, and gives nothing that whoever invites does not have.
      </p>
      {missing === null ? (
        <List onLink={setMade} />
      ) : (
        <Empty title="You may not see invitations">{missing}. Ask an admin to invite somebody.</Empty>
      )}
      {filters.add !== undefined && missing === null ? <InviteDialog onMade={done} onClose={() => set({ add: undefined })} /> : null}
      <ShownOnce
        title="Invitation link"
        about="Send it to the person: it is not shown again. It works once, within 7 days."
        copyLabel="Copy the link"
        text={made?.link ?? null}
        onClose={() => setMade(null)}
      >
        Whoever opens it signs in
        {made?.email == null
          ? ", or makes a passkey, and has the roles"
          : ` as ${safeLine(made.email)}, or makes a passkey, and has the roles`}{" "}
        {made?.roles.map((role) => (
          <Badge key={role}>
            <Line>{role}</Line>
          </Badge>
        ))}
      </ShownOnce>
    </div>
  )
}

type OnLink = { readonly onLink: (made: InvitationCreated) => void }

function List({ onLink }: OnLink): ReactNode {
  const rows = usePages(["people", "invitations"], (page) => client.invitations.list(page))
  const count = rows.rowCount
  if (rows.error !== null && count === 0) return <Failure error={rows.error} onRetry={rows.retry} />
  if (rows.isLoading) return <Skeleton rows={3} />
  if (count === 0)
    return (
      <Empty title="Nobody is invited" command="executor invitations create --email anna@example.com --role member">
        Invite somebody, and send them the link in your own words.
      </Empty>
    )
  const loaded = Array.from({ length: count }, (_, at) => rows.rowAt(at)).filter((row) => row !== undefined)
  return (
    <>
      <ul aria-label="Invitations" className="divide-y divide-line rounded-card border border-line">
        {loaded.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} onLink={onLink} />
        ))}
      </ul>
      {loaded.length < count ? <Button onClick={() => rows.onRange(0, count)}>Show more</Button> : null}
    </>
  )
}

function Row({ invitation, onLink }: { readonly invitation: InvitationView } & OnLink): ReactNode {
  const { id, user, email, roles, invitedBy, expiresAt } = invitation
  const [, set] = useFilters<keyof PeopleFilters>()
  const missingAdmin = useMissingRight("admin")
  const [isAsked, setAsked] = useState(false)
  const revoke = usePeopleChange(() => client.invitations.remove(id), {
    onDone: () => toast("The invitation is revoked"),
    onError: toastError,
  })
  const again = usePeopleChange(() => client.invitations.create({ user, roles: [] }), { onDone: onLink, onError: toastError })
  const who = safeLine(email ?? user)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-2">
          <button
            type="button"
            onClick={() => set({ person: user }, { isStep: true })}
            className="min-w-0 text-left font-medium break-all text-text hover:underline"
          >
            <Line>{email ?? user}</Line>
          </button>
          {email === null ? null : <Mono className="text-tertiary">{user}</Mono>}
          {roles.map((role) => (
            <Badge key={role}>
              <Line>{role}</Line>
            </Badge>
          ))}
        </span>
        <span className="text-sm text-secondary">
          by <Line>{invitedBy}</Line>, ends <Time at={expiresAt} />
        </span>
      </div>
      <Button reason={missingAdmin} isBusy={again.isPending} onClick={() => again.mutate(undefined)} aria-label={`Invite ${who} again`}>
        Invite again
      </Button>
      <Button onClick={() => setAsked(true)} aria-label={`Revoke the invitation of ${who}`}>
        Revoke…
      </Button>
      {isAsked ? (
        <Confirm
          title={`Revoke the invitation of ${who}?`}
          action="Revoke the invitation"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(undefined)}
          onClose={() => setAsked(false)}
        >
          Its link no longer works, and somebody who was only invited is removed.
        </Confirm>
      ) : null}
    </li>
  )
}
