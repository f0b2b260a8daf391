// The fields of a form that a tool asks a human to fill in, made of its JSON Schema.
import { html } from "hono/html"
import { readForm } from "../../../core/call/form.ts"
import type { FormChoice, FormField } from "../../../core/call/form.ts"
import { safeText } from "../../../core/text/safe.ts"
import type { Html } from "./frame.ts"

/** Anything that is no object of fields is asked for as JSON. */
export const formFields = (schema: unknown, formId: string): Html =>
  html`${readForm(schema)?.map((field) => formField(field, `${formId}-${field.name}`)) ?? wholeField(schema, formId)}`

const wholeField = (schema: unknown, formId: string): Html =>
  html`<div class="field" data-whole>
    <label for="${formId}" data-label="The answer">Answer as JSON</label>
    <details>
      <summary>The JSON Schema of the answer</summary>
      <pre tabindex="0"><code>${safeText(JSON.stringify(schema, null, 2))}</code></pre>
    </details>
    <textarea id="${formId}" rows="6" spellcheck="false"></textarea>
  </div>`

function formField(field: FormField, id: string): Html {
  const { name, description, kind, schema } = field
  const title = safeText(field.title ?? name)
  const hint = description === null ? "" : html`<p class="hint" id="${id}-hint">${safeText(description)}</p>`
  const mark = field.isRequired ? "" : html` <span class="soft">(optional)</span>`
  const described = description === null ? "" : html`aria-describedby="${id}-hint"`
  if (kind === "boolean")
    return html`<div class="field" data-field="${name}" data-kind="boolean">
      <label class="choice"><input type="checkbox" ${schema["default"] === true ? "checked" : ""} ${described} /> ${title}</label>${hint}
    </div>`
  if (kind === "choices")
    return html`<fieldset class="field" data-field="${name}" data-kind="choices">
      <legend>${title}${mark}</legend>
      ${hint}${textChoices(field).map((choice) => checkbox(choice, schema["default"]))}
    </fieldset>`
  return html`<div class="field" data-field="${name}" data-kind="${kind}">
    <label for="${id}" data-label="${title}">${title}${mark}</label>${hint}${input(field, id, described)}
  </div>`
}

function input(field: FormField, id: string, described: Html | string): Html {
  const { kind, schema } = field
  const required = field.isRequired ? "required" : ""
  const preset = schema["default"]
  const given = preset === undefined ? "" : typeof preset === "string" ? preset : JSON.stringify(preset)
  const choices = textChoices(field)
  if (choices.length > 0)
    return html`<select id="${id}" ${required} ${described}>
      <option value=""></option>
      ${choices.map(({ value, title }) => html`<option value="${value}" ${value === given ? "selected" : ""}>${safeText(title)}</option>`)}
    </select>`
  if (kind === "json") return html`<textarea id="${id}" rows="4" spellcheck="false" ${required} ${described}>${given}</textarea>`
  const bounds = [
    ["min", schema["minimum"]],
    ["max", schema["maximum"]],
    ["minlength", schema["minLength"]],
    ["maxlength", schema["maxLength"]],
  ].filter(([, value]) => typeof value === "number")
  return html`<input
    id="${id}"
    type="${inputType(schema, kind)}"
    value="${given}"
    ${kind === "number" && schema["type"] !== "integer" ? html`step="any"` : ""}
    ${bounds.map(([key, value]) => html`${key}="${value}" `)}
    ${required}
    ${described}
  />`
}

const checkbox = ({ value, title }: TextChoice, given: unknown): Html =>
  html`<label class="choice"
    ><input type="checkbox" value="${value}" ${Array.isArray(given) && given.includes(value) ? "checked" : ""} /> ${safeText(title)}</label
  >`

const formatTypes: Readonly<Record<string, string>> = { email: "email", uri: "url", date: "date", "date-time": "text" }

const inputType = ({ format }: FormField["schema"], kind: string): string =>
  kind === "number" ? "number" : ((typeof format === "string" ? formatTypes[format] : undefined) ?? "text")

type TextChoice = FormChoice & { readonly value: string }
const textChoices = ({ choices }: FormField): TextChoice[] =>
  choices.filter((choice): choice is TextChoice => typeof choice.value === "string")
