// A new token, shown once, with what its client is told.
import type { ReactNode } from "react"
import { useState } from "react"
import { CopyText } from "../../../ui/text/copy.tsx"
import { Field, Select } from "../../../ui/field.tsx"
import { ShownOnce } from "../../../ui/dialogs/shown-once.tsx"
import { clientConfigs } from "./client-config.ts"

export const CreatedDialog = ({ token, onClose }: { readonly token: string | null; readonly onClose: () => void }): ReactNode => (
  <ShownOnce title="The token" about="Copy it now: it is not shown again." copyLabel="Copy the token" text={token} onClose={onClose}>
    <ClientConfig token={token ?? ""} />
  </ShownOnce>
)

/** The machine's own name of the server works for programs on it as well. */
const origin = location.origin.replace("//localhost", "//127.0.0.1")

function ClientConfig({ token }: { readonly token: string }): ReactNode {
  const [id, setId] = useState<string>(clientConfigs[0].id)
  const config = clientConfigs.find((one) => one.id === id) ?? clientConfigs[0]
  return (
    <div className="flex flex-col gap-2 text-text">
      <Field label="For" hint={config.place}>
        {(ids) => (
          <Select {...ids} value={id} onChange={(event) => setId(event.target.value)} className="!w-auto self-start">
            {clientConfigs.map((one) => (
              <option key={one.id} value={one.id}>
                {one.title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <CopyText label="Client's config" text={config.text(origin, token)} copyLabel="Copy the config" />
    </div>
  )
}
