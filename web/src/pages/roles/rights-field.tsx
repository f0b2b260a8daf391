// The rights of a role: each with what it lets people do, and the tools whose approvals they answer for others.
import type { ReactNode } from "react"
import { approvePrefix, plainRights } from "../../../../src/core/people/role.ts"
import type { PlainRight } from "../../../../src/core/people/role.ts"
import { Field, TextArea } from "../../ui/field.tsx"

const explanations: Readonly<Record<PlainRight, string>> = {
  admin: "Everything here: people, roles, models, credentials, and all that the other rights allow.",
  auditor: "Reads every execution and the whole audit, contents included.",
  "registry.write": "Edits registry tools, artifacts, agents and pipelines; what is published stays as it is.",
  "registry.publish": "Publishes, rolls back, deprecates and disables what others run.",
  "connections.org": "Adds integrations and the connections that everybody shares.",
  "policies.edit": "Writes the rules that count for everybody.",
  "people.invite": "Invites people, with nothing more than they have themselves.",
}

type RightsProps = {
  readonly value: readonly string[]
  readonly onChange: (rights: readonly string[]) => void
  /** Why they cannot be changed. */
  readonly reason: string | null
}

export function RightsField({ value, onChange, reason }: RightsProps): ReactNode {
  const approves = value.filter((right) => right.startsWith(approvePrefix)).map((right) => right.slice(approvePrefix.length))
  const plain = value.filter((right) => !right.startsWith(approvePrefix))
  const change = (rights: readonly string[], patterns: readonly string[]): void =>
    onChange([...rights, ...patterns.map((pattern) => `${approvePrefix}${pattern}`)])
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-lg font-semibold">Rights</legend>
      <div className="grid gap-x-6 min-[900px]:grid-cols-2">
        {plainRights.map((right) => (
          <label key={right} className="control-height flex items-start gap-2 py-1">
            <input
              type="checkbox"
              checked={plain.includes(right)}
              disabled={reason !== null}
              onChange={({ target }) => change(target.checked ? [...plain, right] : plain.filter((one) => one !== right), approves)}
              className="mt-0.5 size-4 shrink-0 accent-(--solid)"
            />
            <span className="min-w-0">
              <span className="font-mono text-sm">{right}</span>
              <span className="block text-sm text-secondary">{explanations[right]}</span>
            </span>
          </label>
        ))}
      </div>
      <Field
        label="Answers other people's approvals for"
        hint="Patterns of tools, one a line, such as github.**. Left empty, only what they and their agents ask."
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            spellCheck={false}
            disabled={reason !== null}
            className="max-w-xl font-mono text-sm"
            value={approves.join("\n")}
            onChange={({ target }) => change(plain, target.value === "" ? [] : target.value.split("\n"))}
          />
        )}
      </Field>
      <p className="text-sm text-tertiary">Rights are for people: an agent has none, whoever it acts for.</p>
    </fieldset>
  )
}
