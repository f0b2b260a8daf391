// Makes a token that acts as the person, and shows it once.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { client } from "../../../api/client.ts"
import { Button } from "../../../ui/button.tsx"
import { ShownOnce } from "../../../ui/dialogs/shown-once.tsx"
import { Dialog, DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Field, Input, Select } from "../../../ui/field.tsx"
import { Notice, Problem } from "../../../ui/notice.tsx"
import { useChange } from "../use-change.ts"

const days = [30, 90, 365] as const
const dayMs = 86_400_000

export function NewToken(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        New token
      </Button>
      {isOpen ? <TokenDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function TokenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState("")
  const [life, setLife] = useState("30")
  const create = useChange(
    () =>
      client.tokens.create({
        name,
        kind: "human",
        ...(life === "" ? {} : { expiresAt: new Date(Date.now() + Number(life) * dayMs).toISOString() }),
      }),
    { onDone: () => {}, touches: ["tokens"] },
  )
  const reason = name.trim() === "" ? "Enter a name" : null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (reason === null && !create.isPending) create.mutate(undefined)
  }
  if (create.data !== undefined)
    return (
      <ShownOnce
        title="Your new token"
        about="Copy it now: it is not shown again."
        copyLabel="Copy the token"
        text={create.data.token}
        onClose={onClose}
      />
    )
  return (
    <Dialog isOpen title="New token" about="For programs of yours that use the API." onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Notice tone="warn">It may do all that you may, approvals included. Give an agent a token of its own on the page Agents.</Notice>
        <Field label="Name" hint="So that you know later what it is for.">
          {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Expires">
          {(ids) => (
            <Select {...ids} value={life} onChange={(event) => setLife(event.target.value)}>
              {days.map((count) => (
                <option key={count} value={count}>
                  in {count} days
                </option>
              ))}
              <option value="">never</option>
            </Select>
          )}
        </Field>
        <Problem error={create.error} title="No token was made" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isPending} reason={reason}>
            Make the token
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
