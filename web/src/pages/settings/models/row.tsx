// One provider of models: its address, its models with their prices, and what a try of it answered.
import type { ReactNode } from "react"
import { useState } from "react"
import { modelName } from "../../../../../src/core/agents/model-provider.ts"
import type { ModelEntry, ModelProviderView } from "../../../../../src/core/agents/model-provider.ts"
import { client } from "../../../api/client.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { Badge } from "../../../ui/badge.tsx"
import { Button } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { Select } from "../../../ui/field.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { Line, Mono, Prose, safeLine } from "../../../ui/text/text.tsx"
import { duration } from "../../../ui/text/time.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { useChange } from "../use-change.ts"
import { kindLabels } from "./kinds.ts"

type RowProps = { readonly provider: ModelProviderView; readonly onEdit: () => void }

export function ProviderRow({ provider, onEdit }: RowProps): ReactNode {
  const { id, kind, baseUrl, apiKey, models } = provider
  const missing = useMissingRight("admin")
  const [isRemoving, setRemoving] = useState(false)
  const [model, setModel] = useState("")
  const test = useChange(() => client.models.providers.test(id, model === "" ? {} : { model }), {
    onDone: () => {},
    onError: toastError,
    touches: ["nothing"],
  })
  const remove = useChange(() => client.models.providers.remove(id), {
    onDone: () => toast(`${id} is gone`),
    onError: toastError,
    touches: ["models"],
  })
  return (
    <li className="flex flex-col gap-2 border-b border-line p-3 last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
          <span className="flex flex-wrap items-center gap-2">
            <Line className="min-w-0 font-medium break-all">{id}</Line>
            <Badge>{kindLabels[kind]}</Badge>
            {apiKey === null ? <Badge tone="warn">No key</Badge> : null}
          </span>
          <Mono className="break-all text-secondary">{baseUrl}</Mono>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {models.length < 2 ? null : (
            <Select
              aria-label={`Model of ${safeLine(id)} to test`}
              value={model}
              onChange={(event) => setModel(event.target.value)}
              className="!w-auto max-w-40"
            >
              {models.map((entry, at) => (
                <option key={modelName(entry)} value={at === 0 ? "" : modelName(entry)}>
                  {safeLine(modelName(entry))}
                </option>
              ))}
            </Select>
          )}
          <Button
            reason={missing ?? (models.length === 0 ? "Name a model of it first" : null)}
            isBusy={test.isPending}
            onClick={() => test.mutate(undefined)}
          >
            Test
          </Button>
          <Button reason={missing} onClick={onEdit}>
            Edit
          </Button>
          <Button reason={missing} onClick={() => setRemoving(true)}>
            Remove…
          </Button>
        </div>
      </div>
      {models.length === 0 ? (
        <p className="text-sm text-secondary">Any model of it may be chosen.</p>
      ) : (
        <ul aria-label={`Models of ${safeLine(id)}`} className="flex flex-col gap-0.5 text-sm">
          {models.map((entry) => (
            <li key={modelName(entry)} className="flex flex-wrap gap-x-3">
              <Mono className="break-all">{modelName(entry)}</Mono>
              <span className="text-secondary">{priceText(entry)}</span>
            </li>
          ))}
        </ul>
      )}
      <div role="status" className="empty:hidden">
        {test.data === undefined ? null : test.data.ok ? (
          <Notice tone="ok" title={`${safeLine(test.data.model)} answered in ${duration(test.data.ms)}`}>
            <Prose>{test.data.text}</Prose>
            <span className="text-sm text-secondary">
              {test.data.usage.inputTokens} tokens in, {test.data.usage.outputTokens} out
              {test.data.usage.costUsd === undefined ? "" : `, $${test.data.usage.costUsd}`}
            </span>
          </Notice>
        ) : (
          <Notice tone="danger" title={`${safeLine(test.data.model)} did not answer (${safeLine(test.data.kind.replaceAll("_", " "))})`}>
            <Prose>{test.data.message}</Prose>
          </Notice>
        )}
      </div>
      {isRemoving ? (
        <Confirm
          title={`Remove ${safeLine(id)}?`}
          action={`Remove ${safeLine(id)}`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setRemoving(false)}
        >
          Its key goes with it. Runs of agents that use it end with their next question.
        </Confirm>
      ) : null}
    </li>
  )
}

function priceText(entry: ModelEntry): string {
  if (typeof entry === "string" || entry.price === undefined) return "no price"
  const { input, output, cachedInput } = entry.price
  return `$${input} in, $${output} out${cachedInput === undefined ? "" : `, $${cachedInput} cached`} for a million tokens`
}
