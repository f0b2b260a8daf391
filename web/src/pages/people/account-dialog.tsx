// Adds an account for programs.
import type { ReactNode } from "react"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { usePeopleChange } from "../../api/people.ts"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { Dialog, DialogActions } from "../../ui/dialogs/dialog.tsx"
import { Field, Input } from "../../ui/field.tsx"
import { FormError } from "../../ui/form-error.tsx"
import type { PeopleFilters } from "./queries.ts"
import { RoleChecks } from "./role-checks.tsx"

export function AccountDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [, set] = useFilters<keyof PeopleFilters>()
  const missing = useMissingRight("admin")
  const [name, setName] = useState("")
  const [roles, setRoles] = useState<readonly string[]>([])
  const create = usePeopleChange(() => client.users.create({ name, roles, service: true }), {
    onDone: ({ id }) => set({ add: undefined, person: id }),
  })
  const reason = missing ?? (name.trim() === "" ? "Give it a name first" : null)
  return (
    <Dialog
      isOpen
      title="New service account"
      about="It never signs in and owns no connections; admins make its tokens and answer its approvals."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === null && !create.isPending) create.mutate(undefined)
        }}
      >
        <Field label="Name" hint="Its id is made of it.">
          {(ids) => <Input {...ids} value={name} placeholder="Nightly import" onChange={({ target }) => setName(target.value)} />}
        </Field>
        <RoleChecks label="Roles" value={roles} onChange={setRoles} />
        <FormError error={create.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isPending} reason={reason}>
            Create the account
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
