// The dialog that adds a provider of models or changes one. Its key goes in and never comes out.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { modelProviderKinds } from "../../../../../src/core/agents/model-provider.ts"
import type { ModelProviderKind, ModelProviderView } from "../../../../../src/core/agents/model-provider.ts"
import { client } from "../../../api/client.ts"
import { Button } from "../../../ui/button.tsx"
import { Dialog, DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Checkbox, Field, Input, Select } from "../../../ui/field.tsx"
import { Problem } from "../../../ui/notice.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { toast } from "../../../ui/toast.tsx"
import { envExample } from "../../../ui/text/env-example.ts"
import { useChange } from "../use-change.ts"
import { emptyModel, problemOf, toDraft, toEntries } from "./draft.ts"
import type { ModelDraft } from "./draft.ts"
import { kindLabels } from "./kinds.ts"
import { ModelFields } from "./model-fields.tsx"

type ProviderProps = { readonly provider: ModelProviderView | null; readonly onClose: () => void }

export function ProviderDialog({ provider, onClose }: ProviderProps): ReactNode {
  const [id, setId] = useState("")
  const [kind, setKind] = useState<ModelProviderKind>(provider?.kind ?? "openai")
  const [baseUrl, setBaseUrl] = useState(provider?.baseUrl ?? "")
  const [apiKey, setApiKey] = useState("")
  const [dropsKey, setDropsKey] = useState(false)
  const [models, setModels] = useState<readonly ModelDraft[]>(() => [...(provider?.models ?? []).map(toDraft), emptyModel])
  const save = useChange(
    () => {
      const fields = { ...(baseUrl === "" ? {} : { baseUrl }), models: toEntries(models) }
      if (provider === null) return client.models.providers.create({ id, kind, ...fields, ...(apiKey === "" ? {} : { apiKey }) })
      return client.models.providers.update(provider.id, { ...fields, ...(dropsKey ? { apiKey: null } : apiKey === "" ? {} : { apiKey }) })
    },
    {
      onDone: (saved) => {
        toast(`${saved.id} is saved`)
        onClose()
      },
      touches: ["models"],
    },
  )
  const reason =
    (provider === null && id.trim() === "" ? "Enter a name" : null) ??
    (kind === "openai_compatible" && baseUrl === "" ? "Enter its address" : null) ??
    problemOf(models)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (reason === null && !save.isPending) save.mutate(undefined)
  }
  return (
    <Dialog isOpen title={provider === null ? "Add a model provider" : `Change ${safeLine(provider.id)}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        {provider === null ? (
          <>
            <Field label="Kind">
              {(ids) => (
                <Select
                  {...ids}
                  value={kind}
                  onChange={(event) => setKind(event.target.value as ModelProviderKind) /* one of the options */}
                >
                  {modelProviderKinds.map((one) => (
                    <option key={one} value={one}>
                      {kindLabels[one]}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Name" hint="Agents name the provider by it.">
              {(ids) => (
                <Input {...ids} value={id} placeholder="openai" spellCheck={false} onChange={(event) => setId(event.target.value.trim())} />
              )}
            </Field>
          </>
        ) : null}
        <Field
          label="Address"
          hint={
            kind === "openai_compatible"
              ? "The only address that the key is sent to."
              : "The only address that the key is sent to. Left empty, the provider's own."
          }
        >
          {(ids) => (
            <Input
              {...ids}
              type="url"
              spellCheck={false}
              value={baseUrl}
              placeholder={kind === "openai_compatible" ? "http://127.0.0.1:11434/v1" : ""}
              onChange={(event) => setBaseUrl(event.target.value.trim())}
            />
          )}
        </Field>
        <Field
          label="Key"
          hint={`${provider === null || provider.apiKey === null ? "Kept encrypted, and shown to nobody again." : "Left empty, the key stays."} ${envExample} reads a variable of the server instead.`}
        >
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="off"
              spellCheck={false}
              disabled={dropsKey}
              value={apiKey}
              onChange={(event) => setApiKey(event.target.value)}
            />
          )}
        </Field>
        {provider === null || provider.apiKey === null ? null : (
          <Checkbox label="Send no key any more" checked={dropsKey} onChange={(event) => setDropsKey(event.target.checked)} />
        )}
        <ModelFields models={models} onChange={setModels} />
        <Problem error={save.error} title="Not saved" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isPending} reason={reason}>
            {provider === null ? "Add the provider" : "Save"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
