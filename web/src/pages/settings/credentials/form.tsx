// The dialog that adds a credential of the organization or changes one.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { Plus, X } from "lucide-react"
import type { TenantCredentialView } from "../../../../../src/core/registry/credential.ts"
import { client } from "../../../api/client.ts"
import { Button, IconButton } from "../../../ui/button.tsx"
import { Dialog, DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { envExample } from "../../../ui/text/env-example.ts"
import { Field, Input } from "../../../ui/field.tsx"
import { Problem } from "../../../ui/notice.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { toast } from "../../../ui/toast.tsx"
import { useChange } from "../use-change.ts"

type Value = { readonly name: string; readonly text: string; readonly isKept: boolean }
type FormProps = { readonly credential: TenantCredentialView | null; readonly onClose: () => void }

export function CredentialDialog({ credential, onClose }: FormProps): ReactNode {
  const [fields, setFields] = useState({
    label: credential?.label ?? "",
    category: credential?.category ?? "custom",
    providerKey: credential?.providerKey ?? "",
    providerVariant: credential?.providerVariant ?? "",
    endpoint: credential?.endpoint ?? "",
  })
  const [values, setValues] = useState<readonly Value[]>(() =>
    credential === null
      ? [{ name: "api_key", text: "", isKept: false }]
      : Object.keys(credential.values).map((name) => ({ name, text: "", isKept: true })),
  )
  const save = useChange(
    () => {
      const { label, category, providerKey, providerVariant, endpoint } = fields
      const sent = Object.fromEntries(values.map(({ name, text, isKept }) => [name, isKept && text === "" ? "***" : text]))
      const input = {
        label,
        category,
        providerKey,
        providerVariant: providerVariant === "" ? null : providerVariant,
        values: { ...sent, ...(endpoint === "" ? {} : { endpoint }) },
      }
      return credential === null ? client.credentials.create(input) : client.credentials.update(credential.id, input)
    },
    {
      onDone: (saved) => {
        toast(`${saved.label} is saved`)
        onClose()
      },
      touches: ["credentials"],
    },
  )
  const missing = values.find(({ name, text, isKept }) => name === "" || (!isKept && text === ""))
  const reason =
    fields.label === ""
      ? "Enter a label"
      : fields.providerKey === ""
        ? "Enter the provider"
        : missing === undefined
          ? null
          : `Enter ${missing.name === "" ? "the name of each value" : missing.name}`
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (reason === null && !save.isPending) save.mutate(undefined)
  }
  const text = (name: keyof typeof fields, label: string, hint: string): ReactNode => (
    <Field label={label} hint={hint}>
      {(ids) => (
        <Input
          {...ids}
          spellCheck={false}
          value={fields[name]}
          onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
        />
      )}
    </Field>
  )
  const change = (at: number, part: Partial<Value>): void =>
    setValues(values.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <Dialog isOpen title={credential === null ? "Add a credential" : `Change ${safeLine(credential.label)}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        {text("label", "Label", "So that people know which one it is.")}
        <div className="grid gap-3 min-[600px]:grid-cols-3">
          {text("category", "Category", "custom, for tools")}
          {text("providerKey", "Provider", "Such as web_search")}
          {text("providerVariant", "Variant", "Such as serper; may stay empty")}
        </div>
        {text("endpoint", "Address", "The only address that it is sent to. Left empty, the provider's own.")}
        <fieldset className="flex flex-col gap-2">
          <legend className="font-medium">Values</legend>
          <p className="text-sm text-tertiary">
            {credential === null ? "Kept encrypted, and shown to nobody again." : "A value left empty stays, unless the address changes."}{" "}
            {envExample} reads a variable of the server instead.
          </p>
          {values.map((value, at) => (
            <div key={at} className="flex flex-wrap items-center gap-1.5">
              <Input
                aria-label={`Name of value ${at + 1}`}
                spellCheck={false}
                value={value.name}
                readOnly={value.isKept}
                onChange={(event) => change(at, { name: event.target.value })}
                className="!w-32 font-mono"
              />
              <Input
                type="password"
                autoComplete="off"
                aria-label={`Value ${at + 1}`}
                placeholder={value.isKept ? "••••" : ""}
                value={value.text}
                onChange={(event) => change(at, { text: event.target.value })}
                className="!w-auto min-w-32 flex-1"
              />
              {values.length === 1 ? null : (
                <IconButton label={`Remove value ${at + 1}`} onClick={() => setValues(values.filter((_, index) => index !== at))}>
                  <X size={14} aria-hidden="true" />
                </IconButton>
              )}
            </div>
          ))}
          <div>
            <Button kind="quiet" onClick={() => setValues([...values, { name: "", text: "", isKept: false }])}>
              <Plus size={14} aria-hidden="true" /> Add a value
            </Button>
          </div>
        </fieldset>
        <Problem error={save.error} title="Not saved" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isPending} reason={reason}>
            {credential === null ? "Add the credential" : "Save"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
