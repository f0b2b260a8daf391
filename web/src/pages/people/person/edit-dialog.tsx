// Changes what a person is called and where they get mail.
import type { ReactNode } from "react"
import { useState } from "react"
import type { UserView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { usePeopleChange } from "../../../api/people.ts"
import { Button } from "../../../ui/button.tsx"
import { Dialog, DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Field, Input } from "../../../ui/field.tsx"
import { FormError } from "../../../ui/form-error.tsx"
import { safeLine } from "../../../ui/text/text.tsx"

export function EditDialog({ person, onClose }: { readonly person: UserView; readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState(person.name)
  const [email, setEmail] = useState(person.email ?? "")
  const save = usePeopleChange(() => client.users.update(person.id, { name, email: email.trim() === "" ? null : email }), {
    onDone: onClose,
  })
  const reason = name.trim() === "" ? "Write a name first" : null
  return (
    <Dialog isOpen title={`Edit ${safeLine(person.name)}`} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === null && !save.isPending) save.mutate(undefined)
        }}
      >
        <Field label="Name">{(ids) => <Input {...ids} value={name} onChange={({ target }) => setName(target.value)} />}</Field>
        <Field label="E-mail" hint="It identifies nobody: people sign in as who their provider or passkey says they are.">
          {(ids) => <Input {...ids} type="email" value={email} onChange={({ target }) => setEmail(target.value)} />}
        </Field>
        <FormError error={save.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isPending} reason={reason}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
