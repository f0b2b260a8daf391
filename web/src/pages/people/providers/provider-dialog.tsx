// The dialog that adds a sign-in provider or changes one. The secret goes in and never comes out.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { SignInProviderView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { rolesQuery, usePeopleChange } from "../../../api/people.ts"
import { Button } from "../../../ui/button.tsx"
import { Dialog, DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Field, Input, Select, TextArea } from "../../../ui/field.tsx"
import { FormError } from "../../../ui/form-error.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { toast } from "../../../ui/toast.tsx"
import { draftOf, problemOf, toCreate, toUpdate } from "./draft.ts"
import type { ProviderDraft } from "./draft.ts"
import { RulesField } from "./rules-field.tsx"

type ProviderDialogProps = { readonly provider: SignInProviderView | null; readonly onClose: () => void }

export function ProviderDialog({ provider, onClose }: ProviderDialogProps): ReactNode {
  const [draft, setDraft] = useState<ProviderDraft>(() => draftOf(provider))
  const roles = useQuery(rolesQuery).data ?? []
  const save = usePeopleChange(
    () =>
      provider === null ? client.signIn.providers.create(toCreate(draft)) : client.signIn.providers.update(provider.id, toUpdate(draft)),
    {
      onDone: ({ name }) => {
        toast(
          provider === null
            ? `${safeLine(name)} is added. Register its redirect address there, then test it`
            : `${safeLine(name)} is saved`,
        )
        onClose()
      },
    },
  )
  const problem = problemOf(draft)
  const change = (part: Partial<ProviderDraft>): void => setDraft({ ...draft, ...part })
  return (
    <Dialog
      isOpen
      isWide
      title={provider === null ? "Add a sign-in provider" : `Edit ${safeLine(provider.name)}`}
      about="It counts from the next sign-in on; nobody is signed out."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (problem === null && !save.isPending) save.mutate(undefined)
        }}
      >
        <div className="grid gap-4 min-[900px]:grid-cols-2">
          <Text label="Name" hint="The text of the button." value={draft.name} placeholder="Okta" onChange={(name) => change({ name })} />
          <Text
            label="Issuer"
            hint="As its discovery document says."
            value={draft.issuer}
            placeholder="https://acme.okta.com"
            onChange={(issuer) => change({ issuer })}
          />
          <Text label="Client id" value={draft.clientId} onChange={(clientId) => change({ clientId })} />
          <Field
            label="Client secret"
            hint={
              provider?.clientSecret == null
                ? "Kept in the vault, and never shown. ${env:NAME} works too."
                : "Left empty, the stored one stays."
            }
          >
            {(ids) => (
              <Input
                {...ids}
                type="password"
                autoComplete="off"
                value={draft.clientSecret}
                onChange={({ target }) => change({ clientSecret: target.value })}
              />
            )}
          </Field>
          <Text
            label="Claim"
            hint="Where its groups are: a name, a dotted path, or a JSON pointer."
            value={draft.claim}
            placeholder="groups"
            onChange={(claim) => change({ claim })}
          />
          <Text label="Scopes" value={draft.scopes} onChange={(scopes) => change({ scopes })} />
        </div>
        <RulesField value={draft.rules} roles={roles} onChange={(rules) => change({ rules })} />
        <div className="grid gap-4 min-[900px]:grid-cols-2">
          <Field label="Everybody else gets" hint="Whoever no rule matches. The role may carry no rights.">
            {(ids) => (
              <Select {...ids} value={draft.defaultRole} onChange={({ target }) => change({ defaultRole: target.value })}>
                <option value="">no role: they are refused</option>
                {roles
                  .filter(({ id, rights }) => rights.length === 0 || id === draft.defaultRole)
                  .map(({ id, name }) => (
                    <option key={id} value={id}>
                      {safeLine(name)}
                    </option>
                  ))}
              </Select>
            )}
          </Field>
          <Text
            label="Only addresses at"
            hint="Domains of verified addresses. Left empty, any."
            value={draft.domains}
            placeholder="acme.com"
            onChange={(domains) => change({ domains })}
          />
          <Field label="Only with one of these values" hint="Of the claim, one a line; * stands for any characters. Left empty, any.">
            {(ids) => (
              <TextArea
                {...ids}
                rows={2}
                spellCheck={false}
                className="font-mono text-sm"
                value={draft.values}
                onChange={({ target }) => change({ values: target.value })}
              />
            )}
          </Field>
          {provider === null ? (
            <Text label="Id" hint="Made of the name if left empty." value={draft.id} placeholder="okta" onChange={(id) => change({ id })} />
          ) : null}
        </div>
        <FormError error={save.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isPending} reason={problem}>
            {provider === null ? "Add the provider" : "Save the provider"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type TextProps = {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly placeholder?: string
  readonly onChange: (text: string) => void
}

const Text = ({ label, hint, value, placeholder, onChange }: TextProps): ReactNode => (
  <Field label={label} hint={hint}>
    {(ids) => (
      <Input
        {...ids}
        autoComplete="off"
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
