// The fields of a form that a tool asks a human to fill in, made of its JSON Schema.
import { html } from "hono/html"
import { safeText } from "../../../core/text/safe.ts"
import type { Html } from "./frame.ts"

type Schema = Readonly<Record<string, unknown>>
type Choice = { readonly value: string; readonly title: string }

/** Anything that is no flat object of plain fields is asked for as JSON. */
export function formFields(schema: unknown, formId: string): Html {
  const { properties } = asSchema(schema)
  if (typeof properties !== "object" || properties === null) return wholeField(schema, formId)
  const { required } = asSchema(schema)
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  return html`${Object.entries(properties).map(([name, field]) => formField(name, asSchema(field), isRequired(name), `${formId}-${name}`))}`
}

const wholeField = (schema: unknown, formId: string): Html =>
  html`<div class="field" data-whole>
    <label for="${formId}" data-label="The answer">Answer as JSON</label>
    <details>
      <summary>The JSON Schema of the answer</summary>
      <pre tabindex="0"><code>${safeText(JSON.stringify(schema, null, 2))}</code></pre>
    </details>
    <textarea id="${formId}" rows="6" spellcheck="false"></textarea>
  </div>`

function formField(name: string, schema: Schema, isRequired: boolean, id: string): Html {
  const title = safeText(text(schema["title"]) ?? name)
  const description = text(schema["description"])
  const hint = description === null ? "" : html`<p class="hint" id="${id}-hint">${safeText(description)}</p>`
  const mark = isRequired ? "" : html` <span class="soft">(optional)</span>`
  const described = description === null ? "" : html`aria-describedby="${id}-hint"`
  const kind = kindOf(schema)
  if (kind === "boolean")
    return html`<div class="field" data-field="${name}" data-kind="boolean">
      <label class="choice"><input type="checkbox" ${schema["default"] === true ? "checked" : ""} ${described} /> ${title}</label>${hint}
    </div>`
  if (kind === "choices")
    return html`<fieldset class="field" data-field="${name}" data-kind="choices">
      <legend>${title}${mark}</legend>
      ${hint}${choicesOf(asSchema(schema["items"])).map((choice) => checkbox(choice, schema["default"]))}
    </fieldset>`
  return html`<div class="field" data-field="${name}" data-kind="${kind}">
    <label for="${id}" data-label="${title}">${title}${mark}</label>${hint}${input(schema, kind, id, isRequired, described)}
  </div>`
}

function input(schema: Schema, kind: string, id: string, isRequired: boolean, described: Html | string): Html {
  const required = isRequired ? "required" : ""
  const preset = schema["default"]
  const given = preset === undefined ? "" : typeof preset === "string" ? preset : JSON.stringify(preset)
  const choices = choicesOf(schema)
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

const checkbox = ({ value, title }: Choice, given: unknown): Html =>
  html`<label class="choice"
    ><input type="checkbox" value="${value}" ${Array.isArray(given) && given.includes(value) ? "checked" : ""} /> ${safeText(title)}</label
  >`

function kindOf(schema: Schema): "boolean" | "choices" | "number" | "text" | "json" {
  const { type } = schema
  if (type === "boolean") return "boolean"
  if (type === "number" || type === "integer") return "number"
  if (type === "array" && choicesOf(asSchema(schema["items"])).length > 0) return "choices"
  return type === "string" || choicesOf(schema).length > 0 ? "text" : "json"
}

const formatTypes: Readonly<Record<string, string>> = { email: "email", uri: "url", date: "date", "date-time": "text" }

const inputType = (schema: Schema, kind: string): string =>
  kind === "number" ? "number" : (formatTypes[text(schema["format"]) ?? ""] ?? "text")

/** `enum`, `enum` with `enumNames`, or `oneOf`/`anyOf` of constants with titles. */
function choicesOf(schema: Schema): Choice[] {
  const titled = [schema["oneOf"], schema["anyOf"]].find(Array.isArray) as readonly unknown[] | undefined // `find` says it is one
  if (titled !== undefined)
    return titled
      .map(asSchema)
      .flatMap((one) => (typeof one["const"] === "string" ? [{ value: one["const"], title: text(one["title"]) ?? one["const"] }] : []))
  const values = schema["enum"]
  if (!Array.isArray(values)) return []
  const names = Array.isArray(schema["enumNames"]) ? schema["enumNames"] : []
  return values.flatMap((value: unknown, index) => (typeof value === "string" ? [{ value, title: text(names[index]) ?? value }] : []))
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null)
const asSchema = (value: unknown): Schema => (typeof value === "object" && value !== null ? (value as Schema) : {}) // read as unknown everywhere
