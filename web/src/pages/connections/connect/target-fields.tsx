// Whose a new connection is, and its name.
import type { ReactNode } from "react"
import type { ConnectionKey, ConnectionView } from "toolplane/client"
import { Field, Input } from "../../../ui/field.tsx"

type Owner = ConnectionKey["owner"]

type TargetProps = {
  readonly owner: Owner
  readonly onOwner: (owner: Owner) => void
  readonly name: string
  readonly onName: (name: string) => void
  readonly missingOrg: string | null
  readonly problem: string | null
}

const owners: readonly { readonly value: Owner; readonly label: string; readonly about: string }[] = [
  { value: "org", label: "Organization", about: "everybody who may use its tools calls as this account" },
  { value: "user", label: "Only me", about: "only you and your agents use it" },
]

export const TargetFields = ({ owner, onOwner, name, onName, missingOrg, problem }: TargetProps): ReactNode => (
  <>
    <fieldset className="flex flex-col gap-1">
      <legend className="pb-1 font-medium">Whose it is</legend>
      {owners.map(({ value, label, about }) => {
        const reason = value === "org" ? missingOrg : null
        return (
          <label key={value} className="flex min-h-7 items-baseline gap-2">
            <input
              type="radio"
              name="owner"
              value={value}
              checked={owner === value}
              disabled={reason !== null}
              onChange={() => onOwner(value)}
              className="relative top-0.5 size-4 shrink-0 accent-(--solid)"
            />
            <span>
              <span className={reason === null ? "" : "text-secondary"}>{label}</span>{" "}
              <span className="text-secondary">– {reason ?? about}</span>
            </span>
          </label>
        )
      })}
    </fieldset>
    <Field label="Name" hint="Tells the connections of an integration apart." error={problem}>
      {(ids) => (
        <Input
          {...ids}
          value={name}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onName(event.target.value)}
          className="font-mono"
        />
      )}
    </Field>
  </>
)

const namePattern = /^[a-z][a-z0-9_]{0,62}$/

export function nameProblem(name: string, owner: Owner, connections: readonly ConnectionView[]): string | null {
  if (!namePattern.test(name)) return "Small letters, digits and _, beginning with a letter"
  return connections.some((one) => one.owner === owner && one.name === name) ? `There is a connection '${name}' already` : null
}

/** `main`, or the next one that nobody has taken. */
export function freeName(connections: readonly ConnectionView[]): string {
  const taken = new Set(connections.map(({ name }) => String(name)))
  if (!taken.has("main")) return "main"
  for (let count = 2; ; count++) if (!taken.has(`main${count}`)) return `main${count}`
}
