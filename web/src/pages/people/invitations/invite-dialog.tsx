// Invites one person.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { InvitationCreated, SignInProviderView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { usePeopleChange } from "../../../api/people.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { Button } from "../../../ui/button.tsx"
import { Dialog, DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Field, Input } from "../../../ui/field.tsx"
import { FormError } from "../../../ui/form-error.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { providersQuery } from "../queries.ts"
import { RoleChecks } from "../role-checks.tsx"

type InviteDialogProps = { readonly onMade: (invitation: InvitationCreated) => void; readonly onClose: () => void }

export function InviteDialog({ onMade, onClose }: InviteDialogProps): ReactNode {
  const isAdmin = useMissingRight("admin") === null
  const providers = useQuery({ ...providersQuery, enabled: isAdmin })
  const [name, setName] = useState("")
  const [email, setEmail] = useState("")
  const [roles, setRoles] = useState<readonly string[]>(["member"])
  const invite = usePeopleChange(
    () =>
      client.invitations.create({
        roles,
        ...(name.trim() === "" ? {} : { name }),
        ...(email.trim() === "" ? {} : { email: email.trim() }),
      }),
    { onDone: onMade },
  )
  const reason = name.trim() === "" && email.trim() === "" ? "Write a name or an e-mail address first" : null
  return (
    <Dialog isOpen title="Invite somebody" about="Executor sends no mail: you get a link, and send it yourself." onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === null && !invite.isPending) invite.mutate(undefined)
        }}
      >
        <Field label="Name" hint="They can change it when they accept.">
          {(ids) => <Input {...ids} value={name} placeholder="Anna Lee" onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Field label="E-mail" hint={providerHint(email, providers.data ?? [])}>
          {(ids) => (
            <Input {...ids} type="email" value={email} placeholder="anna@example.com" onChange={({ target }) => setEmail(target.value)} />
          )}
        </Field>
        <RoleChecks label="Roles" value={roles} onChange={setRoles} />
        <FormError error={invite.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={invite.isPending} reason={reason}>
            Make the link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Where whoever opens the link signs in. */
function providerHint(email: string, providers: readonly SignInProviderView[]): string {
  const domain = email.trim().toLowerCase().split("@")[1] ?? ""
  const vouching = domain === "" ? undefined : providers.find(({ allow }) => allow.domains?.includes(domain) === true)
  if (vouching !== undefined) return `${safeLine(vouching.name)} vouches for ${safeLine(domain)}: they sign in there with this address.`
  const names = providers.map(({ name }) => safeLine(name)).join(", ")
  const where = names === "" ? "with a passkey" : `at ${names}, or with a passkey`
  return `They accept ${where}.${email.trim() === "" || names === "" ? "" : " A provider must vouch for this address."}`
}
