// The form of a tool: what it is called, how it is performed, what it takes. A new one is saved as a draft.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { RegistryToolView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { Button } from "../../../ui/button.tsx"
import { DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Checkbox, Field, TextArea } from "../../../ui/field.tsx"
import { messageOf } from "../../../ui/states.tsx"
import { safeText } from "../../../ui/text/text.tsx"
import { toUpdate, valuesOf } from "./edited.ts"
import { draftInput, toCreate } from "./tool-kinds.ts"
import type { ToolKind, Values } from "./tool-kinds.ts"
import { Text, TypeFields } from "./type-fields.tsx"

type ToolFormProps = {
  readonly kind: ToolKind
  /** The tool that is edited; left out for a new one. */
  readonly made?: RegistryToolView
  readonly onBack: () => void
  readonly onSaved: (tool: RegistryToolView) => void
}

export function ToolForm({ kind, made, onBack, onSaved }: ToolFormProps): ReactNode {
  const [values, setValues] = useState<Values>(() => (made === undefined ? { method: "GET" } : valuesOf(made)))
  const missing = useMissingRight("registry.write")
  const queries = useQueryClient()
  const drafted: Values = { ...values, input: values["input"] ?? (kind.schemaIsGiven === true ? "" : draftInput(kind.id, values)) }
  const save = useMutation({
    mutationFn: async () => {
      const whole = withQuery(kind.id, drafted)
      return made === undefined ? client.registry.create(toCreate(kind.id, whole)) : client.registry.update(made.id, toUpdate(made, whole))
    },
    onSuccess: async (tool) => {
      await queries.invalidateQueries({ queryKey: ["tools"] })
      onSaved(tool)
    },
  })
  const isFixed = made !== undefined && made.publishedAt !== null
  const message = save.error === null ? null : messageOf(save.error)
  const form = {
    values: drafted,
    set: (name: string, value: string): void => setValues((before) => ({ ...before, [name]: value })),
    /** The API says which field it means. */
    problem: (name: string): string | null => (message !== null && isAbout(message, name) ? message : null),
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (missing === null) save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid gap-3 min-[900px]:grid-cols-2">
        <Text {...form} name="name" label="Name" />
        <Text
          {...form}
          name="slug"
          label="Slug"
          hint={isFixed ? "Fixed since it was published, because callers use it." : "How code names it. By default made of the name."}
          placeholder="read_item"
          isReadOnly={isFixed}
        />
      </div>
      <Area {...form} name="description" label="Description" rows={2} hint="What it does, for people and for models that look for it." />
      <TypeFields {...form} kind={kind.id} hasStoredKey={made?.configSchema.implementation["api_key"] !== undefined} />
      <details open={kind.schemaIsGiven !== true}>
        <summary className="control-height cursor-pointer py-1 font-medium">Input and output schema</summary>
        <div className="grid gap-3 pt-2 min-[900px]:grid-cols-2">
          <Area
            {...form}
            name="input"
            label="Input schema"
            rows={8}
            isCode
            hint={kind.schemaIsGiven === true ? "Left empty, it follows from what the tool runs." : "JSON Schema of the arguments."}
          />
          <Area {...form} name="output" label="Output schema" rows={8} isCode hint="JSON Schema of the answer. May be left empty." />
        </div>
      </details>
      <details>
        <summary className="control-height cursor-pointer py-1 font-medium">Execution</summary>
        <div className="grid gap-3 pt-2 min-[900px]:grid-cols-3">
          <Text {...form} name="execution_timeout_s" label="Timeout of a call in seconds" />
          <Text {...form} name="max_concurrency" label="Calls at once" />
          <Text {...form} name="concurrency_group" label="Concurrency group" />
        </div>
        <Checkbox
          label="The same arguments always give the same answer"
          checked={values["is_pure"] === "yes"}
          onChange={(event) => form.set("is_pure", event.target.checked ? "yes" : "")}
        />
      </details>
      {message === null ? null : (
        <p role="alert" className="tint-danger stranger rounded-control px-2 py-1 break-words">
          {safeText(message)}
        </p>
      )}
      <DialogActions>
        <Button onClick={onBack}>{made === undefined ? "Another type" : "Cancel"}</Button>
        <Button kind="primary" type="submit" isBusy={save.isPending} reason={missing}>
          {made === undefined ? "Save as draft" : "Save the working copy"}
        </Button>
      </DialogActions>
    </form>
  )
}

/** The API wants a schema of this type too, and adds what is missing. */
const withQuery = (kind: string, values: Values): Values =>
  kind === "rag_retrieval" && values["input"] === "" ? { ...values, input: draftInput(kind, values) } : values

const isAbout = (message: string, name: string): boolean => new RegExp(`(?:^|implementationConfig\\.)${name}\\b`, "i").test(message)

type AreaProps = {
  readonly values: Values
  readonly set: (name: string, value: string) => void
  readonly problem: (name: string) => string | null
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly rows: number
  readonly isCode?: boolean
}

const Area = ({ values, set, problem, name, label, hint, rows, isCode = false }: AreaProps): ReactNode => (
  <Field label={label} hint={hint} error={problem(name)}>
    {(ids) => (
      <TextArea
        {...ids}
        rows={rows}
        spellCheck={!isCode}
        className={isCode ? "font-mono text-sm" : ""}
        value={values[name] ?? ""}
        onChange={(event) => set(name, event.target.value)}
      />
    )}
  </Field>
)
