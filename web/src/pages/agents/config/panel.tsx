// The config panel of an agent: a control for each field, chosen by the field's type.
import type { ReactNode } from "react"
import { Field, Input, Select, TextArea } from "../../../ui/field.tsx"
import { safeText } from "../../../ui/text/text.tsx"
import { ToolPicker } from "../../../ui/tool-picker/tool-picker.tsx"
import type { Draft, DraftProblems } from "./draft.ts"
import { configSections } from "./fields.ts"
import type { ConfigField } from "./fields.ts"
import { LimitsField } from "./limits-field.tsx"
import { ModelField } from "./model-field.tsx"

type PanelProps = {
  readonly draft: Draft
  readonly problems: DraftProblems
  /** Why nothing can be changed. */
  readonly reason: string | null
  /** Why the slug alone cannot. */
  readonly slugReason: string | null
  readonly onChange: (change: Partial<Draft>) => void
}

export const ConfigPanel = (props: PanelProps): ReactNode => (
  <div className="flex flex-col gap-6">
    {configSections.map(({ title, fields, isFolded }) => {
      const controls = fields.map((field) => <ConfigControl key={field.name} field={field} {...props} />)
      const hasProblem = fields.some(({ name }) => props.problems[name] !== undefined)
      return isFolded === true ? (
        <details key={title} open={hasProblem || undefined} className="border-t border-line pt-3">
          <summary className="control-height cursor-pointer py-1 text-lg font-semibold">{title}</summary>
          <div className="flex max-w-3xl flex-col gap-4 pt-3">{controls}</div>
        </details>
      ) : (
        <section key={title} aria-label={title} className="flex flex-col gap-3 border-t border-line pt-3 first:border-t-0 first:pt-0">
          <h2 className="text-lg font-semibold">{title}</h2>
          <div className={`flex flex-col gap-4 ${fields.some(({ type }) => type === "tool_list") ? "" : "max-w-3xl"}`}>{controls}</div>
        </section>
      )
    })}
  </div>
)

function ConfigControl({ field, draft, problems, reason, slugReason, onChange }: PanelProps & { readonly field: ConfigField }): ReactNode {
  const { name, label } = field
  const hint = isPlain(textOf(draft, name)) ? field.hint : <Hidden />
  const error = problems[name] ?? null
  const isFixed = reason !== null
  switch (field.type) {
    case "tool_list":
      return <ToolPicker value={draft.tools} onChange={(tools) => onChange({ tools })} reason={reason} />
    case "model":
      return <ModelField draft={draft} error={error} isFixed={isFixed} onChange={onChange} />
    case "limits":
      return (
        <LimitsField
          limits={draft.limits}
          error={error}
          isFixed={isFixed}
          onChange={(limits) => onChange({ limits })}
          label={label}
          hint={field.hint}
        />
      )
    case "choice":
      return (
        <Field label={label} hint={hint} error={error}>
          {(ids) => (
            <Select {...ids} value={textOf(draft, name)} disabled={isFixed} onChange={(event) => onChange({ [name]: event.target.value })}>
              {field.options.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )
    case "long_text":
    case "json_schema":
      return (
        <Field label={label} hint={hint} error={error}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={field.rows}
              spellCheck={field.type === "long_text"}
              className={field.type === "json_schema" ? "font-mono" : ""}
              value={textOf(draft, name)}
              readOnly={isFixed}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          )}
        </Field>
      )
    case "text":
    case "code":
    case "number":
      return (
        <Field label={label} hint={hint} error={error}>
          {(ids) => (
            <Input
              {...ids}
              inputMode={field.type === "number" ? "decimal" : "text"}
              className={field.type === "code" ? "font-mono" : ""}
              value={textOf(draft, name)}
              readOnly={isFixed || (name === "slug" && slugReason !== null)}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          )}
        </Field>
      )
  }
}

/** A field shows what is typed as it is, which can hide a part of it. */
const isPlain = (text: string): boolean => safeText(text) === text.replaceAll("\r\n", "\n")

const Hidden = (): ReactNode => (
  <span className="text-warn">This holds characters that are not seen, or that change the order of what is read. Versions show them.</span>
)

/** Fields of texts hold texts. */
const textOf = (draft: Draft, name: ConfigField["name"]): string => {
  const value = draft[name]
  return typeof value === "string" ? value : ""
}
