// The fields into which a credential is entered: it goes in and never comes out.
import type { ReactNode } from "react"
import { Plus, X } from "lucide-react"
import type { Placement } from "../../../../../src/core/auth.ts"
import { Button, IconButton } from "../../../ui/button.tsx"
import { envExample } from "../../../ui/text/env-example.ts"
import { Field, Input, Select } from "../../../ui/field.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import type { Entered, Way } from "./ways.ts"
import { isHandmade, namesIn, valueLabel } from "./ways.ts"

type FieldsProps = {
  readonly way: Way
  readonly entered: Entered
  readonly onChange: (entered: Entered) => void
  readonly canReadEnv: boolean
}

export function SecretFields({ way, entered, onChange, canReadEnv }: FieldsProps): ReactNode {
  const names = isHandmade(way) ? namesIn(entered.placements) : way.values
  return (
    <>
      {isHandmade(way) ? (
        <Placements placements={entered.placements} onChange={(placements) => onChange({ ...entered, placements })} />
      ) : null}
      {names.map((name) => (
        <Field
          key={name}
          label={safeLine(valueLabel(name))}
          hint={
            name === "username"
              ? undefined
              : `Kept encrypted, and shown to nobody again.${canReadEnv ? ` ${envExample} reads a variable of the server instead.` : ""}`
          }
        >
          {(ids) => (
            <Input
              {...ids}
              type={name === "username" ? "text" : "password"}
              autoComplete="off"
              spellCheck={false}
              value={entered.values[name] ?? ""}
              onChange={(event) => onChange({ ...entered, values: { ...entered.values, [name]: event.target.value } })}
            />
          )}
        </Field>
      ))}
    </>
  )
}

export const firstPlacement: Placement = { in: "header", name: "", value: "${key}" }

type PlacementsProps = { readonly placements: readonly Placement[]; readonly onChange: (placements: readonly Placement[]) => void }

const Placements = ({ placements, onChange }: PlacementsProps): ReactNode => {
  const change = (at: number, part: Partial<Placement>): void =>
    onChange(placements.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 font-medium">Where it goes</legend>
      {placements.map((one, at) => (
        <div key={at} className="flex flex-wrap items-center gap-2">
          <Select
            aria-label={`Place ${at + 1}`}
            value={one.in}
            onChange={(event) => change(at, { in: event.target.value as Placement["in"] })} // one of the options below
            className="!w-auto"
          >
            <option value="header">Header</option>
            <option value="query">Query</option>
            <option value="cookie">Cookie</option>
          </Select>
          <Input
            aria-label={`Name of place ${at + 1}`}
            placeholder="X-Api-Key"
            spellCheck={false}
            value={one.name}
            onChange={(event) => change(at, { name: event.target.value })}
            className="!w-auto min-w-28 flex-1 font-mono"
          />
          <Input
            aria-label={`Text of place ${at + 1}`}
            spellCheck={false}
            value={one.value}
            onChange={(event) => change(at, { value: event.target.value })}
            className="!w-auto min-w-28 flex-1 font-mono"
          />
          {placements.length === 1 ? null : (
            <IconButton label={`Remove place ${at + 1}`} onClick={() => onChange(placements.filter((_, index) => index !== at))}>
              <X size={14} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ))}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-sm text-tertiary">{"The text names secrets as ${name}, such as Token ${key}. They are entered below."}</span>
        <Button kind="quiet" onClick={() => onChange([...placements, firstPlacement])}>
          <Plus size={14} aria-hidden="true" /> Add a place
        </Button>
      </div>
    </fieldset>
  )
}
