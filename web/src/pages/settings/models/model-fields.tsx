// The models that people may choose of a provider, each with what a million of its tokens costs.
import type { ReactNode } from "react"
import { Plus, X } from "lucide-react"
import { Button, IconButton } from "../../../ui/button.tsx"
import { Input } from "../../../ui/field.tsx"
import type { ModelDraft } from "./draft.ts"
import { emptyModel } from "./draft.ts"

type FieldsProps = { readonly models: readonly ModelDraft[]; readonly onChange: (models: readonly ModelDraft[]) => void }

const prices = [
  ["input", "Input $"],
  ["output", "Output $"],
  ["cachedInput", "Cached $"],
] as const

export function ModelFields({ models, onChange }: FieldsProps): ReactNode {
  const change = (at: number, part: Partial<ModelDraft>): void =>
    onChange(models.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="font-medium">Models</legend>
      <p className="text-sm text-tertiary">
        Those that people may choose; none: any. Prices are dollars for a million tokens, by which runs tell what they cost.
      </p>
      {models.map((model, at) => (
        <div key={at} className="flex flex-wrap items-center gap-1.5">
          <Input
            aria-label={`Model ${at + 1}`}
            placeholder="gpt-5"
            spellCheck={false}
            value={model.name}
            onChange={(event) => change(at, { name: event.target.value })}
            className="!w-auto min-w-32 flex-1 font-mono"
          />
          {prices.map(([name, label]) => (
            <Input
              key={name}
              type="number"
              min="0"
              step="any"
              inputMode="decimal"
              aria-label={`${label} of model ${at + 1}`}
              placeholder={label}
              value={model[name]}
              onChange={(event) => change(at, { [name]: event.target.value })}
              className="!w-20"
            />
          ))}
          <IconButton label={`Remove model ${at + 1}`} onClick={() => onChange(models.filter((_, index) => index !== at))}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button kind="quiet" onClick={() => onChange([...models, emptyModel])}>
          <Plus size={14} aria-hidden="true" /> Add a model
        </Button>
      </div>
    </fieldset>
  )
}
