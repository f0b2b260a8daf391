// The rules of a provider: a value of the claim, and the roles of whoever has it.
import type { ReactNode } from "react"
import { Plus, X } from "lucide-react"
import type { RoleView } from "toolplane/client"
import { Button, IconButton } from "../../../ui/button.tsx"
import { Input, Select } from "../../../ui/field.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import type { DraftRule } from "./draft.ts"

type RulesProps = {
  readonly value: readonly DraftRule[]
  readonly roles: readonly RoleView[]
  readonly onChange: (rules: readonly DraftRule[]) => void
}

export function RulesField({ value, roles, onChange }: RulesProps): ReactNode {
  const change = (at: number, part: Partial<DraftRule>): void =>
    onChange(value.map((rule, index) => (index === at ? { ...rule, ...part } : rule)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">Rules: who has this value gets these roles</legend>
      {value.map((rule, at) => (
        <div
          key={at}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 min-[900px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
        >
          <Input
            aria-label={`Value ${at + 1}`}
            placeholder="eng-*"
            spellCheck={false}
            className="font-mono text-sm"
            value={rule.value}
            onChange={({ target }) => change(at, { value: target.value })}
          />
          <Roles label={`Roles ${at + 1}`} value={rule.roles} roles={roles} onChange={(chosen) => change(at, { roles: chosen })} />
          <IconButton label={`Remove rule ${at + 1}`} onClick={() => onChange(value.filter((_, index) => index !== at))}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-3">
        <Button onClick={() => onChange([...value, { value: "", roles: [] }])}>
          <Plus size={14} aria-hidden="true" /> Add a rule
        </Button>
        <span className="text-sm text-tertiary">* stands for any characters. Everybody gets the roles of every rule that matches.</span>
      </div>
    </fieldset>
  )
}

type RolesProps = {
  readonly label: string
  readonly value: readonly string[]
  readonly roles: readonly RoleView[]
  readonly onChange: (roles: readonly string[]) => void
}

/** Chosen ones as buttons that take them away, the others in a list to add. */
const Roles = ({ label, value, roles, onChange }: RolesProps): ReactNode => (
  <div className="col-span-2 flex min-w-0 flex-wrap items-center gap-1 max-[899px]:order-last min-[900px]:col-span-1">
    {value.map((role) => (
      <Button
        key={role}
        aria-label={`Take ${role} from ${label.toLowerCase()}`}
        onClick={() => onChange(value.filter((one) => one !== role))}
      >
        {role} <X size={12} aria-hidden="true" />
      </Button>
    ))}
    <Select
      aria-label={label}
      value=""
      className="!w-auto max-w-40"
      onChange={({ target }) => (target.value === "" ? undefined : onChange([...value, target.value]))}
    >
      <option value="">{value.length === 0 ? "Choose a role" : "and…"}</option>
      {roles
        .filter(({ id }) => !value.includes(id))
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {safeLine(name)}
          </option>
        ))}
    </Select>
  </div>
)
