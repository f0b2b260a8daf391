// The dialog in which an agent that runs elsewhere gets its token: how long it lasts, what it may use, how it may ask.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { TokenCreated } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { FormError } from "../../../ui/form-error.tsx"
import { useMissingRight } from "../../../api/rights.ts"
import { Button } from "../../../ui/button.tsx"
import { Dialog, DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Checkbox, Field, Input, Select } from "../../../ui/field.tsx"
import { roleEntryOf } from "../../../ui/tool-picker/selection.ts"
import { ToolPicker } from "../../../ui/tool-picker/tool-picker.tsx"

type NewTokenProps = { readonly isOpen: boolean; readonly onClose: () => void; readonly onMade: (created: TokenCreated) => void }

export const NewToken = ({ isOpen, ...rest }: NewTokenProps): ReactNode => (
  <Dialog
    isWide
    title="New token for an agent"
    about="Its agent calls tools for you. It never approves, and never administers."
    isOpen={isOpen}
    onClose={rest.onClose}
  >
    <NewTokenForm {...rest} />
  </Dialog>
)

const dayMs = 86_400_000
const lifetimes = [
  ["", "Never"],
  ["7", "In 7 days"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
] as const

function NewTokenForm({ onClose, onMade }: Omit<NewTokenProps, "isOpen">): ReactNode {
  const [name, setName] = useState("")
  const [days, setDays] = useState("90")
  const [isNarrow, setNarrow] = useState(false)
  const [patterns, setPatterns] = useState<readonly string[]>([])
  const [isNative, setNative] = useState(false)
  const [isDebug, setDebug] = useState(false)
  const mayDebug = useMissingRight("registry.write")
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () =>
      client.tokens.create({
        name: name.trim(),
        kind: "agent",
        ...(days === "" ? {} : { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
        ...(isNarrow ? { patterns } : {}),
        ...(isNative ? { elicitation: ["browser", "native"] as const } : {}),
        ...(isDebug && mayDebug === null ? { debug: true } : {}),
      }),
    onSuccess: async (created) => {
      onMade(created)
      await queries.invalidateQueries({ queryKey: ["tokens"] })
    },
  })
  const reason = name.trim() === "" ? "Write a name first" : isNarrow && patterns.length === 0 ? "Choose a tool first" : null
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null && !create.isPending) create.mutate()
      }}
    >
      <div className="grid gap-3 min-[900px]:grid-cols-2">
        <Field label="Name" hint="Where it is used, such as Claude on my laptop.">
          {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Ends" hint="An agent whose token ended is refused.">
          {(ids) => (
            <Select {...ids} value={days} onChange={(event) => setDays(event.target.value)}>
              {lifetimes.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Checkbox label="Only some of the tools that you can use" checked={isNarrow} onChange={(event) => setNarrow(event.target.checked)} />
      {isNarrow ? <ToolPicker value={patterns} onChange={setPatterns} entryOf={roleEntryOf} /> : null}
      <Checkbox
        label="Its client may ask you in its own window. Nothing proves then that it was you who answered."
        checked={isNative}
        onChange={(event) => setNative(event.target.checked)}
      />
      <Checkbox
        label={`It may run drafts and working copies${mayDebug === null ? "" : ` (${mayDebug})`}`}
        checked={isDebug}
        disabled={mayDebug !== null}
        onChange={(event) => setDebug(event.target.checked)}
      />
      <FormError error={create.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={create.isPending} reason={reason}>
          Make the token
        </Button>
      </DialogActions>
    </form>
  )
}
