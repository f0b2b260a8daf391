// What an agent is asked, and which copy of it runs.
import type { KeyboardEvent, ReactNode } from "react"
import { useId, useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { AgentRunRequest, AgentView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { FormError } from "../../../ui/form-error.tsx"
import { Button } from "../../../ui/button.tsx"
import { commandKey } from "../../../ui/command-key.ts"
import { Field, Select, TextArea } from "../../../ui/field.tsx"
import { messageOf } from "../../../ui/states.tsx"
import { sampleOf } from "../../registry/json-text.ts"

type FormProps = {
  readonly agent: AgentView
  readonly isDirty: boolean
  /** Why the working copy is not this person's to run. */
  readonly missing: string | null
  readonly onStarted: (runId: string) => void
}

export function RunForm({ agent, isDirty, missing, onStarted }: FormProps): ReactNode {
  const { inputSchema, publishedVersion, status } = agent
  const isPublished = publishedVersion !== null && status === "published"
  const [wanted, setWanted] = useState<"debug" | "production">(missing === null ? "debug" : "production")
  // Rights arrive after the first picture.
  const mode = missing === null ? wanted : "production"
  const [kind, setKind] = useState<"words" | "json">(inputSchema === null ? "words" : "json")
  const [words, setWords] = useState("")
  const [json, setJson] = useState(() => JSON.stringify(sampleOf(inputSchema ?? {}), null, 2))
  const run = useMutation({
    mutationFn: (request: AgentRunRequest) => client.agents.run(agent.slug, request),
    onSuccess: ({ runId }) => onStarted(runId),
  })
  const input = kind === "json" ? readJson(json) : { ok: true as const, value: words }
  const reason =
    mode === "production" && !isPublished
      ? "Nothing is published yet"
      : kind === "words" && words.trim() === ""
        ? "Write what it is to do first"
        : input.ok
          ? null
          : input.problem
  const start = (): void => {
    if (reason !== null || run.isPending || !input.ok) return
    const asked = kind === "json" ? { input: input.value } : { text: words }
    run.mutate({ ...asked, wait: false, ...(mode === "debug" ? { mode } : {}) })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      start()
    }
  }
  return (
    <form
      aria-label="Run"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      <Choice legend="What runs" value={mode} onChoose={(id) => setWanted(id === "debug" ? "debug" : "production")}>
        {[
          ["debug", "The working copy, as it is saved", missing],
          [
            "production",
            isPublished ? `What is published, version ${publishedVersion}` : "What is published",
            isPublished ? null : "Nothing is published yet",
          ],
        ]}
      </Choice>
      {isDirty && mode === "debug" ? (
        <p className="tint-warn rounded-control px-2 py-1">Unsaved changes do not run. Save the draft first.</p>
      ) : null}
      <Field label="Input is">
        {(ids) => (
          <Select {...ids} value={kind} onChange={(event) => setKind(event.target.value === "json" ? "json" : "words")}>
            <option value="words">Words</option>
            <option value="json">JSON</option>
          </Select>
        )}
      </Field>
      <Field label="Input" hint={`${commandKey}Enter runs it.`} error={kind === "json" && !input.ok ? input.problem : null}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={6}
            className={kind === "json" ? "font-mono" : ""}
            value={kind === "json" ? json : words}
            onKeyDown={onKeyDown}
            onChange={(event) => (kind === "json" ? setJson(event.target.value) : setWords(event.target.value))}
          />
        )}
      </Field>
      <Button kind="primary" type="submit" isBusy={run.isPending} reason={reason} className="self-start">
        Run the agent
      </Button>
      <FormError error={run.error} />
    </form>
  )
}

type Input = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

function readJson(text: string): Input {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, problem: messageOf(error) }
  }
}

type ChoiceProps = {
  readonly legend: string
  readonly value: string
  readonly onChoose: (id: string) => void
  /** Each with its id, its text, and why it cannot be chosen. */
  readonly children: readonly (readonly [string, string, string | null])[]
}

function Choice({ legend, value, onChoose, children }: ChoiceProps): ReactNode {
  const name = useId()
  return (
    <fieldset>
      <legend className="font-medium">{legend}</legend>
      {children.map(([id, text, reason]) => (
        <label key={id} className="control-height flex items-center gap-2">
          <input
            type="radio"
            name={name}
            checked={value === id}
            disabled={reason !== null}
            onChange={() => onChoose(id)}
            className="accent-(--solid)"
          />
          <span>
            {text}
            {reason === null ? null : <span className="text-sm text-tertiary"> ({reason})</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
