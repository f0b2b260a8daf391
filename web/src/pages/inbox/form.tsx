// The form that a tool asks to be filled in, made of its JSON Schema.
import type { ComponentProps, ReactNode } from "react"
import type { FormField } from "../../../../src/core/call/form.ts"
import { readForm } from "../../../../src/core/call/form.ts"
import { isRecord } from "../../../../src/core/json/record.ts"
import { Checkbox, Field, Input, Select, TextArea } from "../../ui/field.tsx"
import { safeText } from "../../ui/text.tsx"

/** What was typed, by the name of the field; the whole answer as JSON is under the empty name. */
export type Typed = Readonly<Record<string, string | boolean | readonly string[]>>

export function startTyped(schema: unknown): Typed {
  const fields = readForm(schema)
  if (fields === null) return { "": "{}" }
  return Object.fromEntries(fields.map(({ name, kind, schema: one }) => [name, presetOf(kind, one["default"])]))
}

function presetOf(kind: FormField["kind"], preset: unknown): string | boolean | readonly string[] {
  if (kind === "boolean") return preset === true
  if (kind === "choices") return Array.isArray(preset) ? preset.map(String) : []
  return preset === undefined ? "" : typeof preset === "string" ? preset : JSON.stringify(preset)
}

export type Problems = Readonly<Record<string, string>>

/** The answer, or what is wrong by field. */
export function readTyped(schema: unknown, typed: Typed): { readonly content: unknown } | { readonly problems: Problems } {
  const fields = readForm(schema)
  if (fields === null) {
    const content = parse(String(typed[""]))
    return content === undefined || !isRecord(content) ? { problems: { "": "This is not a JSON object." } } : { content }
  }
  const problems: Record<string, string> = {}
  const content: Record<string, unknown> = {}
  for (const field of fields) {
    const given = typed[field.name] ?? ""
    if (given === "") {
      if (field.isRequired) problems[field.name] = "This is required."
      continue
    }
    const value = valueOf(field, given)
    if (value === undefined) problems[field.name] = field.kind === "number" ? "This must be a number." : "This is not valid JSON."
    else Object.defineProperty(content, field.name, { value, enumerable: true, configurable: true, writable: true })
  }
  return Object.keys(problems).length > 0 ? { problems } : { content }
}

function valueOf({ kind, choices }: FormField, given: string | boolean | readonly string[]): unknown {
  if (typeof given !== "string") return given
  const choice = choices.find(({ value }) => String(value) === given)
  if (choice !== undefined) return choice.value
  if (kind === "number") return Number.isFinite(Number(given)) ? Number(given) : undefined
  return kind === "json" ? parse(given) : given
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

type FormProps = { readonly schema: unknown; readonly typed: Typed; readonly problems: Problems; readonly onType: (typed: Typed) => void }

export function QuestionForm({ schema, typed, problems, onType }: FormProps): ReactNode {
  const fields = readForm(schema)
  const set = (name: string, value: string | boolean | readonly string[]): void => onType({ ...typed, [name]: value })
  if (fields === null)
    return (
      <Field label="Answer as JSON" error={problems[""] ?? null}>
        {(ids) => (
          <TextArea {...ids} rows={6} spellCheck={false} value={String(typed[""])} onChange={({ target }) => set("", target.value)} />
        )}
      </Field>
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
