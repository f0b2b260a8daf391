// Shows a JSON Schema of our own document to a reader: its type in a few words, its fields as a table.
import { isRecord } from "../../../../core/json/record.ts"
import { html } from "hono/html"
import type { JsonSchema } from "../../api-document.ts"
import type { Html } from "../frame.ts"
import { prose } from "../frame.ts"

const refPrefix = "#/components/schemas/"

export function schemaType(schema: JsonSchema): Html {
  const { $ref, anyOf, items, type } = schema
  if (typeof $ref === "string") return html`<a href="#schema-${$ref.slice(refPrefix.length)}">${$ref.slice(refPrefix.length)}</a>`
  if (Array.isArray(schema.enum)) return html`${join(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`))}`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (Array.isArray(anyOf)) return html`${join(anyOf.map((branch: JsonSchema) => schemaType(branch)))}`
  if (type === "array" && isSchema(items)) return html`list of ${schemaType(items)}`
  if (type === "object" && isSchema(schema.additionalProperties) && schema.properties === undefined)
    return html`map of ${schemaType(schema.additionalProperties)}`
  return html`${Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "anything"}${range(schema)}`
}

/** Nested objects without a name of their own are shown as dotted fields. */
export function fieldRows(schema: JsonSchema): Html {
  const rows = fields(schema, "")
  if (rows.length === 0) return html`<p>${schemaType(schema)}</p>`
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td><code>${row.name}</code>${row.required ? "" : " (optional)"}</td>
              <td>${schemaType(row.schema)}</td>
              <td>${prose(meaning(row.schema))}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`
}

type Field = { readonly name: string; readonly required: boolean; readonly schema: JsonSchema }

function fields(schema: JsonSchema, prefix: string): Field[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  const found: Field[] = []
  for (const [name, value] of Object.entries(isSchema(schema.properties) ? schema.properties : {})) {
    const field: Field = { name: prefix + name, required: required.includes(name), schema: isSchema(value) ? value : {} }
    const inner = field.schema.type === "array" && isSchema(field.schema.items) ? field.schema.items : field.schema
    found.push(field, ...fields(inner, `${field.name}${inner === field.schema ? "." : "[]."}`))
  }
  return found
}

const isSchema = (value: unknown): value is JsonSchema => isRecord(value)

const join = (parts: readonly Html[]): Html[] => parts.flatMap((part, index) => (index === 0 ? [part] : [html` or `, part]))

function range({ minimum, maximum, minLength, maxLength }: JsonSchema): string {
  const low = minimum ?? minLength
  const high = maximum ?? maxLength
  if (typeof high !== "number" || high >= Number.MAX_SAFE_INTEGER) return ""
  const unit = maxLength === undefined ? "" : " characters"
  return ` (${typeof low === "number" ? `${low} to` : "up to"} ${high}${unit})`
}

function meaning(schema: JsonSchema): string {
  const text = typeof schema.description === "string" ? schema.description : ""
  return schema.default === undefined ? text : `${text} Default: \`${JSON.stringify(schema.default)}\`.`.trim()
}
