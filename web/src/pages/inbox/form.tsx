// The form that a tool asks to be filled in, made of its JSON Schema.
import type { ComponentProps, ReactNode } from "react"
import type { FormField } from "../../../../src/core/call/form.ts"
import { readForm } from "../../../../src/core/call/form.ts"
import { Checkbox, Field, Input, Select, TextArea } from "../../ui/field.tsx"
import { Json } from "../../ui/text/json.tsx"
import { safeText } from "../../ui/text/text.tsx"
import type { Problems, Typed } from "./typed.ts"

type FormProps = { readonly schema: unknown; readonly typed: Typed; readonly problems: Problems; readonly onType: (typed: Typed) => void }

export function QuestionForm({ schema, typed, problems, onType }: FormProps): ReactNode {
  const fields = readForm(schema)
  const set = (name: string, value: string | boolean | readonly string[]): void => onType({ ...typed, [name]: value })
  if (fields === null)
    return (
      <div className="flex flex-col gap-3">
        <Field label="Answer as JSON" error={problems[""] ?? null}>
          {(ids) => (
            <TextArea {...ids} rows={6} spellCheck={false} value={String(typed[""])} onChange={({ target }) => set("", target.value)} />
          )}
        </Field>
        <details>
          <summary className="cursor-pointer text-secondary">The JSON Schema of the answer</summary>
          <Json value={schema} label="JSON Schema" />
        </details>
      </div>
    )
  return (
    <div className="flex flex-col gap-3">
      {fields.map((field) => (
        <FormInput
          key={field.name}
          field={field}
          value={typed[field.name] ?? ""}
          problem={problems[field.name] ?? null}
          onChange={(value) => set(field.name, value)}
        />
      ))}
    </div>
  )
}

type FormInputProps = {
  readonly field: FormField
  readonly value: string | boolean | readonly string[]
  readonly problem: string | null
  readonly onChange: (value: string | boolean | readonly string[]) => void
}

function FormInput({ field, value, problem, onChange }: FormInputProps): ReactNode {
  const { name, kind, choices, isRequired, description, schema } = field
  const label = `${safeText(field.title ?? name)}${isRequired ? "" : " (optional)"}`
  const hint = description === null ? undefined : safeText(description)
  if (kind === "boolean") return <Checkbox label={label} checked={value === true} onChange={({ target }) => onChange(target.checked)} />
  if (kind === "choices") {
    const given = Array.isArray(value) ? (value as readonly string[]) : [] // as `startTyped` made it
    return (
      <fieldset>
        <legend className="font-medium">{label}</legend>
        {choices.map((choice) => (
          <Checkbox
            key={String(choice.value)}
            label={safeText(choice.title)}
            className="mr-4"
            checked={given.includes(String(choice.value))}
            onChange={({ target }) =>
              onChange(target.checked ? [...given, String(choice.value)] : given.filter((one) => one !== String(choice.value)))
            }
          />
        ))}
      </fieldset>
    )
  }
  const text = typeof value === "string" ? value : ""
  return (
    <Field label={label} hint={hint} error={problem}>
      {(ids) =>
        choices.length > 0 ? (
          <Select {...ids} value={text} onChange={({ target }) => onChange(target.value)}>
            <option value="" />
            {choices.map((choice) => (
              <option key={String(choice.value)} value={String(choice.value)}>
                {safeText(choice.title)}
              </option>
            ))}
          </Select>
        ) : kind === "json" ? (
          <TextArea {...ids} rows={4} spellCheck={false} value={text} onChange={({ target }) => onChange(target.value)} />
        ) : (
          <Input
            {...ids}
            type={inputType(schema["format"])}
            inputMode={kind === "number" ? "decimal" : undefined}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  )
}

const inputType = (format: unknown): ComponentProps<"input">["type"] =>
  format === "email" ? "email" : format === "uri" ? "url" : format === "date" ? "date" : "text"
