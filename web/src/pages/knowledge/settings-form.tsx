// The fields of a pipeline: what it is called, how documents are cut, and what makes vectors.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { PipelineCreate, PipelineView } from "toolplane/client"
import { useMissingRight } from "../../api/rights.ts"
import { Button } from "../../ui/button.tsx"
import { DialogActions } from "../../ui/dialogs/dialog.tsx"
import { Field, Input, Select } from "../../ui/field.tsx"
import { messageOf } from "../../ui/states.tsx"
import { safeLine, safeText } from "../../ui/text/text.tsx"
import { modelProvidersQuery } from "./queries.ts"

type FormProps = {
  /** Null: a new one. */
  readonly pipeline: PipelineView | null
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onSave: (settings: PipelineCreate) => void
  readonly onCancel?: () => void
}

type Draft = {
  readonly name: string
  readonly slug: string
  readonly tokens: string
  readonly overlap: string
  /** Empty: words alone. */
  readonly provider: string
  readonly model: string
  readonly dimensions: string
}

const draftOf = (pipeline: PipelineView | null): Draft => ({
  name: pipeline?.name ?? "",
  slug: "",
  tokens: String(pipeline?.chunking.tokens ?? 400),
  overlap: String(pipeline?.chunking.overlap ?? 60),
  provider: pipeline?.embedding?.provider ?? "",
  model: pipeline?.embedding?.model ?? "",
  dimensions: String(pipeline?.embedding?.dimensions ?? 1536),
})

const settingsOf = ({ name, slug, tokens, overlap, provider, model, dimensions }: Draft): PipelineCreate => ({
  name,
  ...(slug === "" ? {} : { slug }),
  chunking: { tokens: Number(tokens), overlap: Number(overlap) },
  embedding: provider === "" ? null : { provider, model, dimensions: Number(dimensions) },
})

export function SettingsForm({ pipeline, error, isBusy, onSave, onCancel }: FormProps): ReactNode {
  const missing = useMissingRight("registry.write")
  const [draft, setDraft] = useState(() => draftOf(pipeline))
  const providers = useQuery({ ...modelProvidersQuery, enabled: missing === null })
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }))
  const rebuilds = pipeline !== null && pipeline.documents > 0 && isAnotherIndex(draftOf(pipeline), draft)
  const known = (providers.data ?? []).filter(({ kind }) => kind !== "anthropic").map(({ id }) => id)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (missing === null && !isBusy) onSave(settingsOf(draft))
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Name">
        {(ids) => (
          <Input
            {...ids}
            required
            disabled={missing !== null}
            value={draft.name}
            placeholder="Handbook"
            onChange={({ target: { value } }) => set({ name: value })}
          />
        )}
      </Field>
      {pipeline === null ? (
        <Field label="Slug" hint="What tools and commands call it; left empty, it is made of the name.">
          {(ids) => (
            <Input
              {...ids}
              spellCheck={false}
              value={draft.slug}
              placeholder="handbook"
              onChange={({ target: { value } }) => set({ slug: value })}
            />
          )}
        </Field>
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        <Field label="Tokens of a chunk" hint="A token counts as four bytes.">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              required
              disabled={missing !== null}
              value={draft.tokens}
              onChange={({ target: { value } }) => set({ tokens: value })}
            />
          )}
        </Field>
        <Field label="Overlap" hint="Repeated in the next chunk.">
          {(ids) => (
            <Input
              {...ids}
              type="number"
              required
              disabled={missing !== null}
              value={draft.overlap}
              onChange={({ target: { value } }) => set({ overlap: value })}
            />
          )}
        </Field>
      </div>
      <Field label="Embeddings from" hint="Words are always compared. Vectors also find what is said in other words.">
        {(ids) => (
          <Select
            {...ids}
            disabled={missing !== null}
            value={draft.provider}
            onChange={({ target: { value } }) => set({ provider: value })}
          >
            <option value="">None: words alone</option>
            {[...new Set([...known, ...(draft.provider === "" ? [] : [draft.provider])])].map((id) => (
              <option key={id} value={id}>
                {safeLine(id)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {providers.data !== undefined && known.length === 0 ? (
        <p className="text-sm text-tertiary">
          No model provider that makes embeddings is set up. An admin adds one with <code>executor models add</code>.
        </p>
      ) : null}
      {draft.provider === "" ? null : (
        <div className="grid grid-cols-2 gap-3">
          <Field label="Model">
            {(ids) => (
              <Input
                {...ids}
                required
                spellCheck={false}
                disabled={missing !== null}
                value={draft.model}
                placeholder="text-embedding-3-small"
                onChange={({ target: { value } }) => set({ model: value })}
              />
            )}
          </Field>
          <Field label="Dimensions" hint="As the model's documentation says.">
            {(ids) => (
              <Input
                {...ids}
                type="number"
                required
                disabled={missing !== null}
                value={draft.dimensions}
                onChange={({ target: { value } }) => set({ dimensions: value })}
              />
            )}
          </Field>
        </div>
      )}
      {rebuilds ? (
        <p className="tint-info rounded-control px-3 py-2">
          All documents are indexed again. Answers come from the old index until it is done.
        </p>
      ) : null}
      {error === null ? null : (
        <p role="alert" className="tint-danger stranger rounded-control px-3 py-2 break-words">
          {safeText(messageOf(error))}
        </p>
      )}
      <DialogActions>
        {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
        <Button kind="primary" type="submit" isBusy={isBusy} reason={missing}>
          {pipeline === null ? "Create the pipeline" : rebuilds ? "Save and index again" : "Save"}
        </Button>
      </DialogActions>
    </form>
  )
}

function isAnotherIndex(before: Draft, after: Draft): boolean {
  const recipe = ({ name: _name, slug: _slug, ...draft }: Draft): unknown =>
    draft.provider === "" ? [draft.tokens, draft.overlap] : Object.values(draft)
  return JSON.stringify(recipe(before)) !== JSON.stringify(recipe(after))
}
