// The conditions of a rule: arguments, how they are compared, and with what.
import type { ReactNode } from "react"
import { Plus, X } from "lucide-react"
import { conditionOps } from "../../../../src/core/policy.ts"
import type { ConditionOp } from "../../../../src/core/policy.ts"
import { Button, IconButton } from "../../ui/button.tsx"
import { Input, Select } from "../../ui/field.tsx"
import type { DraftCondition } from "./draft.ts"

const words: Readonly<Record<ConditionOp, string>> = {
  eq: "is",
  ne: "is not",
  in: "is one of",
  lt: "is less than",
  lte: "is at most",
  gt: "is more than",
  gte: "is at least",
  like: "is like",
  exists: "is given",
}

const hints: Readonly<Partial<Record<ConditionOp, string>>> = { in: '["tea", "coffee"]', like: "acme/*", exists: "true or false" }

/** The API takes no more. */
const conditionsMax = 20

type ConditionsProps = { readonly value: readonly DraftCondition[]; readonly onChange: (value: readonly DraftCondition[]) => void }

export function ConditionsField({ value, onChange }: ConditionsProps): ReactNode {
  const change = (at: number, part: Partial<DraftCondition>): void =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">Only when</legend>
      {value.map(({ arg, op, text }, at) => (
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-2">
          <Input
            aria-label={`Argument ${at + 1}`}
            placeholder="amount"
            value={arg}
            onChange={(event) => change(at, { arg: event.target.value })}
          />
          <Select
            aria-label={`Comparison ${at + 1}`}
            value={op}
            onChange={(event) => change(at, { op: conditionOps.find((one) => one === event.target.value) ?? op })}
          >
            {conditionOps.map((one) => (
              <option key={one} value={one}>
                {words[one]}
              </option>
            ))}
          </Select>
          <Input
            aria-label={`Value ${at + 1}`}
            placeholder={hints[op] ?? "100"}
            value={text}
            onChange={(event) => change(at, { text: event.target.value })}
          />
          <IconButton label={`Remove condition ${at + 1}`} onClick={() => onChange(value.filter((_, index) => index !== at))}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-3">
        <Button
          reason={value.length >= conditionsMax ? `A rule takes ${conditionsMax} conditions` : null}
          onClick={() => onChange([...value, { arg: "", op: "eq", text: "" }])}
        >
          <Plus size={14} aria-hidden="true" /> Add a condition
        </Button>
        <span className="text-sm text-tertiary">
          {value.length === 0
            ? "Without conditions, the rule counts for all arguments."
            : "All must hold. A dotted path reaches into objects."}
        </span>
      </div>
    </fieldset>
  )
}
