// The limits of one run, side by side.
import type { ReactNode } from "react"
import { Field, Input } from "../../../ui/field.tsx"
import { limitNames } from "./draft.ts"
import type { Draft, LimitName } from "./draft.ts"

const labels: Readonly<Record<LimitName, string>> = { steps: "Steps", calls: "Calls", tokens: "Tokens", wallSeconds: "Seconds" }

type LimitsProps = {
  readonly label: string
  readonly hint: string
  readonly limits: Draft["limits"]
  readonly error: string | null
  readonly isFixed: boolean
  readonly onChange: (limits: Draft["limits"]) => void
}

export const LimitsField = ({ label, hint, limits, error, isFixed, onChange }: LimitsProps): ReactNode => (
  <fieldset>
    <legend className="pb-1 font-medium">{label}</legend>
    <div className="grid grid-cols-2 gap-x-3 min-[900px]:grid-cols-4">
      {limitNames.map((name) => (
        <Field key={name} label={labels[name]}>
          {(ids) => (
            <Input
              {...ids}
              inputMode="decimal"
              value={limits[name]}
              readOnly={isFixed}
              onChange={(event) => onChange({ ...limits, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </div>
    <p className={`text-sm ${error === null ? "text-tertiary" : "text-danger"}`}>{error ?? hint}</p>
  </fieldset>
)
