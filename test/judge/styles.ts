// A document of our own with every place, style and media type that a request can have, for the judge to read them back.

type Json = Record<string, unknown>

/** Types of a parameter; each demands enough of the value that one taken apart wrongly does not fit. */
const shapes: Readonly<Record<string, Json>> = {
  scalar: { type: "string", minLength: 1 },
  list: { type: "array", items: { type: "integer" }, minItems: 2 },
  object: {
    type: "object",
    properties: { kind: { type: "string", enum: ["R", "G"] }, count: { type: "integer" } },
    required: ["kind", "count"],
    additionalProperties: false,
  },
}

type Spelling = { readonly in: "path" | "query" | "header"; readonly style: string; readonly explode: boolean; readonly shape: string }

const allSpellings: readonly Spelling[] = [
  ...combine("path", ["simple", "label", "matrix"], ["scalar", "list", "object"]),
  ...combine("query", ["form"], ["scalar", "list", "object"]),
  { in: "query", style: "pipeDelimited", explode: false, shape: "list" },
  { in: "query", style: "deepObject", explode: true, shape: "object" },
  ...combine("header", ["simple"], ["scalar", "list", "object"]),
]

function combine(place: Spelling["in"], styles: readonly string[], types: readonly string[]): Spelling[] {
  return styles.flatMap((style) => types.flatMap((shape) => [true, false].map((explode) => ({ in: place, style, explode, shape }))))
}

/** Prism looks for commas between the members of an exploded label, where RFC 6570 has full stops. */
const spellings = allSpellings.filter(({ style, explode, shape }) => !(style === "label" && explode && shape === "object"))

const parameterPaths = spellings.map((spelling): [string, Json] => {
  const { in: place, style, explode, shape } = spelling
  const path = `/${place}/${style}/${explode ? "explode" : "join"}/${shape}`
  const name = place === "header" ? "x-value" : "value"
  const parameter = { name, in: place, style, explode, required: true, schema: shapes[shape] }
  return [place === "path" ? `${path}/{value}` : path, { get: { parameters: [parameter], responses: {} } }]
})

const record: Json = {
  type: "object",
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    at: { type: "string", format: "date-time" },
    isOpen: { type: "boolean" },
  },
  required: ["id", "name"],
  additionalProperties: false,
}

const bodies: Readonly<Record<string, Json>> = {
  "application/json": { schema: { allOf: [record] } },
  "application/vnd.api+json": { schema: record },
  "application/merge-patch+json": { schema: record },
  "application/x-www-form-urlencoded": { schema: record },
  "multipart/form-data": {
    schema: { ...record, properties: { ...(record["properties"] as Json), file: { type: "string", format: "binary" } } },
  },
  "text/plain": { schema: { type: "string" } },
  "application/xml": { schema: { type: "string" } },
  "application/octet-stream": { schema: { type: "string", format: "binary" } },
}

const bodyPaths = Object.entries(bodies).map(([mediaType, content], index): [string, Json] => [
  `/body/${index}/{id}`,
  {
    put: {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      requestBody: { required: true, content: { [mediaType]: content } },
      responses: {},
    },
  },
])

const securitySchemes: Readonly<Record<string, Json>> = {
  keyHeader: { type: "apiKey", in: "header", name: "X-Key" },
  keyQuery: { type: "apiKey", in: "query", name: "api_key" },
  keyCookie: { type: "apiKey", in: "cookie", name: "sid" },
  basic: { type: "http", scheme: "basic" },
  bearer: { type: "http", scheme: "bearer" },
  oauth: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "https://example.com/token", scopes: {} } } },
}

const securityPaths = [...Object.keys(securitySchemes).map((name) => [name]), ["keyHeader", "keyQuery", "basic"]].map(
  (names): [string, Json] => [
    `/security/${names.join("-")}`,
    { get: { security: [Object.fromEntries(names.map((name) => [name, []]))], responses: {} } },
  ],
)

export const stylesDocument = (version: "3.0.3" | "3.1.0"): Json => ({
  openapi: version,
  info: { title: "Styles", version: "1" },
  servers: [{ url: "https://api.example.com/v1" }],
  components: { securitySchemes },
  paths: Object.fromEntries([...parameterPaths, ...bodyPaths, ...securityPaths]),
})
