// How an integration is connected: whose it is, its name, the way to authenticate, and where the credential will go.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { ConnectionKey, ConnectionView, IntegrationView, PresetView } from "toolplane/client"
import { counted, refreshCatalog } from "../../../api/catalog.ts"
import { connectionPath } from "../../../api/connection-path.ts"
import { client } from "../../../api/client.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { Button } from "../../../ui/button.tsx"
import { DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { ExternalLink } from "../../../ui/text/external-link.tsx"
import { Field, Select } from "../../../ui/field.tsx"
import { Problem } from "../../../ui/notice.tsx"
import { Line, safeLine } from "../../../ui/text/text.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { OauthSteps } from "./oauth.tsx"
import { OriginsNotice } from "./origins.tsx"
import { SecretFields, firstPlacement } from "./secret-fields.tsx"
import { TargetFields, freeName, nameProblem } from "./target-fields.tsx"
import type { Entered, Way } from "./ways.ts"
import { firstWay, missingOf, toAuth, waysOf } from "./ways.ts"

type FormProps = {
  readonly integration: IntegrationView
  readonly preset: PresetView | undefined
  readonly connections: readonly ConnectionView[]
  /** Gets another credential; null: a new connection. */
  readonly existing: ConnectionView | null
  readonly onClose: () => void
  readonly onConnected: (connection: ConnectionView) => void
}

const nothing: Entered = { values: {}, placements: [firstPlacement] }

export function ConnectForm({ integration, preset, connections, existing, onClose, onConnected }: FormProps): ReactNode {
  const missingOrg = useMissingRight("connections.org")
  const ways = waysOf(integration, preset)
  const [wayId, setWayId] = useState(firstWay(ways, existing)?.id ?? "")
  const [owner, setOwner] = useState<ConnectionKey["owner"] | null>(existing?.owner ?? null)
  const [name, setName] = useState(existing?.name ?? freeName(connections))
  const [entered, setEntered] = useState(nothing)
  const way = ways.find(({ id }) => id === wayId) ?? ways[0]
  const shownOwner = owner ?? (missingOrg === null ? "org" : "user")
  const target: ConnectionKey = { integration: integration.slug, owner: shownOwner, name }
  const done = async (connection: ConnectionView): Promise<void> => {
    tellOutcome(connection, existing !== null)
    onConnected(connection)
    await refreshCatalog()
  }
  // What it answers holds no secret, but what it was given does: it is forgotten with the form.
  const save = useMutation({
    mutationFn: (chosen: Way) => {
      const auth = toAuth(chosen, entered)
      return existing === null ? client.connections.create({ ...target, auth }) : client.connections.update(existing, { auth })
    },
    onSuccess: done,
    gcTime: 0,
  })
  if (way === undefined) return null
  const reason =
    (shownOwner === "org" ? missingOrg : null) ??
    (existing === null ? nameProblem(name, shownOwner, connections) : null) ??
    missingOf(way, entered)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (reason === null && !save.isPending) save.mutate(way)
  }
  const fields = (
    <>
      {existing === null ? (
        <TargetFields
          owner={shownOwner}
          onOwner={setOwner}
          name={name}
          onName={setName}
          missingOrg={missingOrg}
          problem={nameProblem(name, shownOwner, connections)}
        />
      ) : null}
      <Field label="Authentication" hint={way.note === "" ? undefined : <Line>{way.note}</Line>}>
        {(ids) => (
          <Select {...ids} value={way.id} onChange={(event) => setWayId(event.target.value)}>
            <WayOptions label="Stated by its source" ways={ways.filter(({ isOffered }) => isOffered)} />
            <WayOptions label="Other" ways={ways.filter(({ isOffered }) => !isOffered)} />
          </Select>
        )}
      </Field>
      {way.keyUrl === null ? null : (
        <p>
          <ExternalLink url={way.keyUrl}>Where to get the key</ExternalLink>
        </p>
      )}
    </>
  )
  if (way.template === "oauth2")
    return (
      <div className="flex flex-col gap-3">
        {fields}
        <OauthSteps
          key={connectionPath(target)}
          target={target}
          existing={existing}
          reason={reason}
          onClose={onClose}
          onConnected={(connection) => void done(connection).catch(toastError)}
        />
      </div>
    )
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {fields}
      <SecretFields way={way} entered={entered} onChange={setEntered} canReadEnv={missingOrg === null} />
      <OriginsNotice origins={existing?.origins ?? integration.facts.origins} hasSecret={way.template !== "none"} />
      <Problem error={save.error} title="Not connected" />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={save.isPending} reason={reason}>
          {save.isPending ? "Connecting…" : existing === null ? "Connect" : "Replace the credential"}
        </Button>
      </DialogActions>
    </form>
  )
}

const WayOptions = ({ label, ways }: { readonly label: string; readonly ways: readonly Way[] }): ReactNode =>
  ways.length === 0 ? null : (
    <optgroup label={label}>
      {ways.map(({ id, label: text }) => (
        <option key={id} value={id}>
          {safeLine(text)}
        </option>
      ))}
    </optgroup>
  )

function tellOutcome(connection: ConnectionView, isAgain: boolean): void {
  const path = connectionPath(connection)
  if (connection.status === "ready") toast(`${isAgain ? "Reconnected" : "Connected"} ${path}: ${counted(connection.toolCount, "tool")}`)
  else toastError(new Error(`${path} is saved, but does not work yet: ${connection.error ?? connection.status}`))
}
