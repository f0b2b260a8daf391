// The dialog in which an agent begins: a name, a model and instructions; everything else follows in its editor.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { FormError } from "../../ui/form-error.tsx"
import { Button } from "../../ui/button.tsx"
import { Dialog, DialogActions } from "../../ui/dialogs/dialog.tsx"
import { Field, Input, TextArea } from "../../ui/field.tsx"
import { toast } from "../../ui/toast.tsx"
import { ModelField } from "./config/model-field.tsx"

type NewAgentProps = {
  readonly isOpen: boolean
  readonly missing: string | null
  readonly onClose: () => void
  readonly onMade: (slug: string) => void
}

export const NewAgent = ({ isOpen, ...rest }: NewAgentProps): ReactNode => (
  <Dialog
    title="New agent"
    about="It begins as a draft: nobody but its editors can run it until it is published."
    isOpen={isOpen}
    onClose={rest.onClose}
  >
    <NewAgentForm {...rest} />
  </Dialog>
)

const empty = { name: "", slug: "", provider: "", model: "", instructions: "" }

function NewAgentForm({ missing, onClose, onMade }: Omit<NewAgentProps, "isOpen">): ReactNode {
  const [draft, setDraft] = useState(empty)
  const change = (part: Partial<typeof empty>): void => setDraft({ ...draft, ...part })
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () =>
      client.agents.create({
        name: draft.name,
        instructions: draft.instructions,
        model: { provider: draft.provider, name: draft.model.trim() },
        ...(draft.slug.trim() === "" ? {} : { slug: draft.slug.trim() }),
      }),
    onSuccess: async ({ slug }) => {
      await queries.invalidateQueries({ queryKey: ["agents"] })
      toast("The draft is made")
      onMade(slug)
    },
  })
  const reason = missing ?? reasonOf(draft)
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null && !create.isPending) create.mutate()
      }}
    >
      <Field label="Name" hint="For people.">
        {(ids) => <Input {...ids} value={draft.name} onChange={(event) => change({ name: event.target.value })} />}
      </Field>
      <Field label="Slug" hint="Its name in paths, such as agents.support. Made of the name if it is empty.">
        {(ids) => <Input {...ids} className="font-mono" value={draft.slug} onChange={(event) => change({ slug: event.target.value })} />}
      </Field>
      <ModelField draft={draft} error={null} isFixed={missing !== null} onChange={change} />
      <Field label="Instructions" hint="What it is to do.">
        {(ids) => (
          <TextArea {...ids} rows={5} value={draft.instructions} onChange={(event) => change({ instructions: event.target.value })} />
        )}
      </Field>
      <FormError error={create.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={create.isPending} reason={reason}>
          Make the draft
        </Button>
      </DialogActions>
    </form>
  )
}

function reasonOf({ name, provider, model, instructions }: typeof empty): string | null {
  if (name.trim() === "") return "Write a name first"
  if (provider === "" || model.trim() === "") return "Choose a model first"
  return instructions.trim() === "" ? "Write the instructions first" : null
}
