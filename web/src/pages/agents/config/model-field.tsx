// Which model is asked: one of a configured provider, or by its name where the provider takes any.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { modelName } from "../../../../../src/core/agents/model-provider.ts"
import { LinkButton } from "../../../ui/button.tsx"
import { Field, Input, Select } from "../../../ui/field.tsx"
import { messageOf } from "../../../ui/states.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { providersQuery } from "../queries.ts"
import type { Draft } from "./draft.ts"

type ModelProps = {
  readonly draft: Pick<Draft, "provider" | "model">
  readonly error: string | null
  readonly isFixed: boolean
  readonly onChange: (change: Pick<Draft, "provider" | "model">) => void
}

export function ModelField({ draft, error, isFixed, onChange }: ModelProps): ReactNode {
  const providers = useQuery({ ...providersQuery, enabled: !isFixed, retry: false })
  const all = providers.data ?? []
  const chosen = all.find(({ id }) => id === draft.provider)
  const offered = (chosen?.models ?? []).map(modelName)
  const choose = (provider: string): void => {
    const [first] = all.find(({ id }) => id === provider)?.models ?? []
    onChange({ provider, model: first === undefined ? "" : modelName(first) })
  }
  const isUnknown = draft.provider !== "" && chosen === undefined
  return (
    <div className="flex flex-col gap-2">
      {providers.data?.length === 0 ? (
        <p className="flex flex-wrap items-center gap-2">
          No model provider is configured yet.
          <LinkButton to="/settings" search={{ tab: "models" }}>
            Add one in Settings
          </LinkButton>
        </p>
      ) : null}
      <div className="grid gap-3 min-[900px]:grid-cols-2">
        <Field label="Provider" error={providers.error === null ? null : messageOf(providers.error)}>
          {(ids) => (
            <Select {...ids} value={draft.provider} disabled={isFixed} onChange={(event) => choose(event.target.value)}>
              {draft.provider === "" ? <option value="">Choose a provider</option> : null}
              {isUnknown ? <option value={draft.provider}>{safeLine(draft.provider)}</option> : null}
              {all.map(({ id }) => (
                <option key={id} value={id}>
                  {safeLine(id)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Model" error={error} hint={offered.length === 0 ? "As the provider names it, such as gpt-5." : undefined}>
          {(ids) =>
            offered.length === 0 ? (
              <Input
                {...ids}
                className="font-mono"
                value={draft.model}
                readOnly={isFixed}
                onChange={(event) => onChange({ provider: draft.provider, model: event.target.value })}
              />
            ) : (
              <Select
                {...ids}
                value={draft.model}
                disabled={isFixed}
                onChange={(event) => onChange({ provider: draft.provider, model: event.target.value })}
              >
                {offered.includes(draft.model) ? null : <option value={draft.model}>{safeLine(draft.model)}</option>}
                {offered.map((name) => (
                  <option key={name} value={name}>
                    {safeLine(name)}
                  </option>
                ))}
              </Select>
            )
          }
        </Field>
      </div>
    </div>
  )
}
