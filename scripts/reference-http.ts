// The reference of the HTTP API, made of the same OpenAPI document that a server shows at `/api/openapi.json`.
import { defaultLimits } from "../src/core/limits.ts"
import { productVersion } from "../src/local/version.ts"
import { writeDocument } from "../src/surfaces/http/api-document.ts"
import type { ApiOperation, JsonSchema } from "../src/surfaces/http/api-document.ts"
import { apiRoutes } from "../src/surfaces/http/routes/all.ts"

const refPrefix = "#/components/schemas/"

const document = writeDocument(apiRoutes(defaultLimits), productVersion, undefined)

/** What each operation does, in a few words, by its id. */
export const operationSummaries: ReadonlyMap<string, string> = new Map(
  Object.values(document.paths).flatMap((operations) => Object.values(operations).map((one) => [one.operationId, one.summary] as const)),
)

export function httpReference(): string {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
  )
  const families = document.tags.flatMap((tag) => {
    const own = entries.filter(({ operation }) => operation.tags.includes(tag.name))
    return [`## ${tag.name}`, "", tag.description, "", ...own.flatMap(({ route, operation }) => section(route, operation))]
  })
  return [
    "# HTTP API",
    "",
    "Generated from the API's OpenAPI document, which every server serves at `/api/openapi.json`; `/api/docs` shows it with examples.",
    "",
    "All paths are below `/api`. Requests carry `Authorization: Bearer <token>`, or the cookie of a signed-in browser. Query keys may be written",
    "in camelCase or snake_case. Lists return `{ items, nextCursor }` and accept `limit` and `cursor`. Errors return [Error](#error), with a code",
    "from [errors.md](errors.md). Every response has an `x-request-id`, which also identifies the request in the log.",
    "",
    ...families,
    "## Schemas",
    "",
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [`### ${name}`, "", ...schemaLines(schema)]),
  ].join("\n")
}

function section(route: string, operation: ApiOperation): string[] {
  const body = operation.requestBody?.content["application/json"].schema
  return [
    `### ${operation.summary}`,
    "",
    `\`${route}\``,
    "",
    operation.description,
    "",
    ...table(
      ["parameter", "type", "meaning"],
      operation.parameters.map((one) => [`\`${one.name}\`${one.required ? "" : " (optional)"}`, typeText(one.schema), one.description]),
    ),
    ...(body === undefined ? [] : bodyLines(body)),
    `Returns ${answers(operation)}.`,
    "",
  ]
}

/** A body with a name of its own is shown among the schemas. */
const bodyLines = (schema: JsonSchema): string[] =>
  typeof schema["$ref"] === "string" ? [`Body: ${typeText(schema)}.`, ""] : ["Body:", "", ...schemaLines(schema)]

function answers({ responses }: ApiOperation): string {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 300)
  const bad = Object.keys(responses).filter((status) => Number(status) >= 300)
  const texts = good.map(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema ?? content?.["text/event-stream"]?.schema["contentSchema"]
    return isSchema(schema) ? `${status} with ${typeText(schema)}` : status
  })
  return `${texts.join(", ")}; errors ${bad.join(", ")}`
}

function schemaLines(schema: JsonSchema): string[] {
  const branches = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(branches) && branches.some((branch) => isSchema(branch) && isSchema(branch["properties"])))
    return branches.flatMap((branch: JsonSchema, at) => [...(at === 0 ? [] : ["or", ""]), ...schemaLines(branch)])
  const rows = fields(schema, "")
  if (rows.length === 0) return [`${typeText(schema)}${description(schema, ". ")}`, ""]
  return table(["field", "type", "meaning"], rows)
}

/** Nested objects without a name of their own are shown as dotted fields. */
function fields(schema: JsonSchema, prefix: string): string[][] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(isSchema(schema["properties"]) ? schema["properties"] : {}).flatMap(([name, value]) => {
    const field = isSchema(value) ? value : {}
    const inner = field["type"] === "array" && isSchema(field["items"]) ? field["items"] : field
    const path = prefix + name
    const row = [`\`${path}\`${required.includes(name) ? "" : " (optional)"}`, typeText(field), description(field, "")]
    return [row, ...fields(inner, `${path}${inner === field ? "." : "[]."}`)]
  })
}

function description(schema: JsonSchema, before: string): string {
  const text = typeof schema["description"] === "string" ? schema["description"] : ""
  const whole = schema["default"] === undefined ? text : `${text} Default: \`${JSON.stringify(schema["default"])}\`.`.trim()
  return whole === "" ? "" : before + whole
}

function typeText(schema: JsonSchema): string {
  const { $ref, enum: values, const: value, items, type, additionalProperties } = schema
  const branches = schema["anyOf"] ?? schema["oneOf"]
  if (typeof $ref === "string") {
    const name = $ref.slice(refPrefix.length)
    return `[${name}](#${name.toLowerCase()})`
  }
  if (Array.isArray(values)) return values.map((one) => `\`${JSON.stringify(one)}\``).join(" or ")
  if (value !== undefined) return `\`${JSON.stringify(value)}\``
  if (Array.isArray(branches)) return branches.map((branch: JsonSchema) => typeText(branch)).join(" or ")
  if (type === "array" && isSchema(items)) return `list of ${typeText(items)}`
  if (type === "object" && isSchema(additionalProperties) && schema["properties"] === undefined)
    return `map of ${typeText(additionalProperties)}`
  if (Array.isArray(type)) return type.join(" or ")
  return typeof type === "string" ? type : "anything"
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !Array.isArray(value)

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line), ""]
}
